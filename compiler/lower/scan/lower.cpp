// Running sums of a block's lines (schedule/scan). Lines along memory, 256 threads each:
//
//   for (turn …)                                                  4096 cells of each line
//     s_tile[w + w/16] = a[…]                                     16 times each thread, along memory
//     barrier;  folded = sum of s_tile[17 t :+ 16]                each thread its 16 cells
//     s_sums[t] = folded
//     barrier;  before_thread = sum of s_sums of its group before t, and of all 16: s_sums_of_256[t/16]
//     barrier;  before = sums of pieces before, from the largest on, before_thread the last of them
//               s_tile[17 t + k] = before + (sum of its own up to k)
//     barrier;  s[…] = s_tile[w + w/16]
//
// Where lines lie beside each other, the cells of a thread are in registers, and there is no tile. Cells beyond the end
// of a line, and of lines that are not there, are computed as the last ones, and stored by nobody.
#include <fmt/format.h>

#include "lower/block.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"
#include "lower/scan/frame.hpp"

namespace kasc::kernel {

namespace {

class ScanKernel : public ScanFrame {
public:
    ScanKernel(const ScanSchedule& schedule, const Program& program, const Graph& graph)
        : ScanFrame(schedule, program, graph) {}

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        const int of_line = schedule_.threads_of_line(), lines = schedule_.lines();
        if (along_memory())
            kernel.block = {of_line, lines, 1};
        else
            kernel.block = {lines, of_line, 1};
        name_all();
        std::vector<Body> steps{{{For{text_of(turn()), integer(0), turns(), 1, 0, {}}}}};
        if (along_memory()) steps.push_back({Statement{Threads{evaluate_into_tile()}}});
        if (levels_ > 0) steps.push_back({Statement{Threads{fold_own()}}});
        if (levels_ > 1) steps.push_back({Statement{Threads{fold_group()}}});
        steps.push_back({Statement{Threads{sums_of_turn()}}});
        if (along_memory() && work_.is_running()) steps.push_back({Statement{Threads{store_from_tile()}}});
        Body first = place_turn();
        append(first, std::move(steps[1]));
        steps[1] = std::move(first);
        steps.emplace_back();
        if (!work_.is_running()) steps.push_back({Statement{Threads{sum_of_piece()}}});
        Body begun = begin();
        Body walk = lower_block(*schedule_.block, std::move(steps));
        Body placed = place_block();
        append(kernel.body, c().preamble());
        append(kernel.body, std::move(placed));
        append(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        append(kernel.body, std::move(private_));
        kernel.body.push_back({Threads{std::move(begun)}});
        append(kernel.body, std::move(walk));
        kernel.grid = {blocks(), integer(1), integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        kernel.min_blocks = least_blocks(schedule_);
        kernel.line_step = work_.of_piece() ? running_piece : schedule_.step_cells();
        return kernel;
    }

private:
    ExprRef sum() { return name(fold_.sum); }
    Statement begin_sum() { return {Variable{fold_.type, fold_.sum, FoldFrame::nothing(fold_)}}; }
    /// The sum goes on with a word.
    void join(Body& body, const ExprRef& word, Type type) {
        const ExprRef value = type == fold_.type ? word : type == Type::i32 ? wide(word) : convert(fold_.type, word);
        body.push_back({Let{fold_.type, fold_.value, value}});
        body.push_back({Assign{sum(), FoldFrame::joined(fold_, sum(), name(fold_.value))}});
    }
    ExprRef before(int level) { return element(before_, integer(level - first_level())); }
    Body begin() {
        Body body;
        const bool carries = work_.part == ScanWork::Part::cells;
        if (carries) place_line(body, own_line());
        for (int level = first_level(); level <= work_.levels(); ++level) {
            const bool carried_on = carries && level == work_.levels();
            body.push_back({Assign{before(level), carried_on ? carried() : FoldFrame::nothing(fold_)}});
        }
        return body;
    }
    Body fold_own() {
        Body body{begin_sum()};
        if (along_memory()) {
            Body each;
            join(each, element(tile_, own_in_tile()), word_);
            body.push_back(each_own(std::move(each)));
        } else {
            place_line(body, own_line());
            append(body, either([&]() -> Body {
                       Body each;
                       place_on_line(each, own_number());
                       const ExprRef value = evaluated(each).word;
                       each.push_back({Assign{element(cells_, own()), value}});
                       join(each, element(cells_, own()), word_);
                       return {each_own(std::move(each))};
                   }));
        }
        body.push_back({Assign{element(sums_, linear_thread()), sum()}});
        return body;
    }
    /// Goes through 16 sums, from `first` on so far apart: what is before the one of this number, and all of them.
    void fold_sums(Body& body, const std::string& array, const ExprRef& first, const ExprRef& number,
                   const ExprRef& into) {
        const int apart = along_memory() ? 1 : schedule_.lines();
        const ExprRef k = name(c().once("sum of the group", "k"));
        Body each;
        if (into) each.push_back({If{binary("==", k, number), {{Assign{into, sum()}}}, {}}});
        join(each, element(array, kernel::add(first, multiply(k, integer(apart)))), fold_.type);
        body.push_back({For{text_of(k), integer(0), integer(running_base), 1, -1, std::move(each)}});
    }
    ExprRef in_group() { return modulo(thread_index(along()), integer(running_base)); }
    ExprRef group() { return divide(thread_index(along()), integer(running_base)); }
    ExprRef first_of_group() {
        const int apart = along_memory() ? 1 : schedule_.lines();
        return subtract(linear_thread(), multiply(in_group(), integer(apart)));
    }
    Body fold_group() {
        Body body{begin_sum()};
        const ExprRef before_own = work_.is_running() ? element(before_thread_, integer(0)) : nullptr;
        fold_sums(body, sums_, first_of_group(), in_group(), before_own);
        const ExprRef place = along_memory()
                                  ? kernel::add(multiply(thread_index(across()), integer(running_base)), group())
                                  : kernel::add(multiply(group(), integer(schedule_.lines())), thread_index(across()));
        body.push_back({If{binary("==", in_group(), integer(0)), {{Assign{element(larger_, place), sum()}}}, {}}});
        return body;
    }

    /// Joins two sums. Where they are compared each has a name, as it is used twice.
    ExprRef joined(Body& body, ExprRef sum, ExprRef value) {
        if (!rounds(fold_.op)) {
            for (ExprRef* each : {&sum, &value}) {
                const std::string n = c().fresh("part");
                body.push_back({Let{fold_.type, n, *each}});
                *each = name(n);
            }
        }
        return FoldFrame::joined(fold_, sum, value);
    }
    /// From the sums of the largest pieces on: what is before the thread's first cell.
    ExprRef all_before(Body& body, const std::vector<ExprRef>& sums) {
        ExprRef all = sums.front();
        for (std::size_t k = 1; k < sums.size(); ++k) all = joined(body, all, sums[k]);
        return all;
    }
    /// The first thread of a line.
    Body sum_of_piece() {
        Body own, body;
        place_line(own, own_line());
        own.push_back(store(before(work_.levels())));
        append_if(body, both(is_line(own_line()), binary("==", thread_index(along()), integer(0))), std::move(own));
        return body;
    }
    ExprRef first_of_line() {
        return along_memory() ? multiply(thread_index(across()), integer(running_base)) : thread_index(across());
    }
    Body sums_of_turn() {
        Body body;
        std::vector<ExprRef> sums;
        for (int level = work_.levels(); level > levels_; --level) sums.push_back(before(level));
        const bool running = work_.is_running();
        if (!along_memory() && (running || levels_ == 0)) place_line(body, own_line());
        ExprRef of_turn;
        if (levels_ > 0) {
            // What is before the thread, or its group, among the sums of this turn; of the largest pieces what is
            // before the turn as well.
            const bool largest = sums.empty();
            ExprRef within;
            if (running) {
                within = name(c().fresh("before_group"));
                body.push_back({Variable{fold_.type, text_of(within), FoldFrame::nothing(fold_)}});
            }
            body.push_back(
                {Variable{fold_.type, fold_.sum, largest ? before(work_.levels()) : FoldFrame::nothing(fold_)}});
            if (levels_ > 1)
                fold_sums(body, larger_, first_of_line(), group(), within);
            else
                fold_sums(body, sums_, first_of_group(), in_group(), within);
            of_turn = name(c().fresh("of_turn"));
            body.push_back({Let{fold_.type, text_of(of_turn), sum()}});
            sums.push_back(within);
            if (levels_ > 1 && running) sums.push_back(element(before_thread_, integer(0)));
        }
        if (running) {
            const std::string base = c().fresh("before_cells");
            body.push_back({Let{fold_.type, base, all_before(body, sums)}});
            body.push_back(levels_ > 0 ? Statement{Assign{sum(), FoldFrame::nothing(fold_)}} : begin_sum());
            append(body, along_memory() ? own_results(name(base)) : either([&] { return own_results(name(base)); }));
        } else if (levels_ == 0) {
            body.push_back(begin_sum());
            append(body, along_memory() ? own_folded() : either([&] { return own_folded(); }));
        }
        if (levels_ == 0) of_turn = sum();
        if (levels_ == work_.levels())
            body.push_back({Assign{before(levels_), of_turn}});
        else
            go_on(body, of_turn);
        return body;
    }
    /// Folds the cells of a thread that has its line alone.
    Body own_folded() {
        Body each;
        if (!along_memory()) place_on_line(each, own_number());
        join(each, along_memory() ? element(tile_, own_in_tile()) : evaluated(each).word, word_);
        return {each_own(std::move(each))};
    }
    Body own_results(const ExprRef& base) {
        Body each;
        if (!along_memory()) place_on_line(each, own_number());
        const bool held = !along_memory() && levels_ > 0;
        const auto [word, registers] = along_memory() ? Evaluated{element(tile_, own_in_tile()), {}}
                                       : held         ? Evaluated{element(cells_, own()), {}}
                                                      : evaluated(each);
        const bool itself = work_.part != ScanWork::Part::carries;  // is part of its result
        if (itself) join(each, word, word_);
        const std::string made = c().once("result", "result");
        const ExprRef with = FoldFrame::joined(fold_, base, sum());
        each.push_back({Let{word_, made, fold_.type == word_ ? with : convert(word_, with)}});
        if (!itself) join(each, word, word_);
        if (along_memory())
            each.push_back({Assign{element(tile_, own_in_tile()), name(made)}});
        else
            append_at_cell(each, own_line(), own_number(), results(name(made), registers));
        return {each_own(std::move(each))};
    }
    /// The sum of the turn's piece, and what it completes.
    void go_on(Body& body, const ExprRef& of_turn) {
        ExprRef added = of_turn;
        Body* into = &body;
        ExprRef next = kernel::add(turn(), integer(1));
        int turns_of_piece = 1;
        for (int level = levels_ + 1; level <= work_.levels(); ++level) {
            const ExprRef sum = joined(*into, before(level), added);
            into->push_back({Assign{before(level), sum}});
            if (level > levels_ + 1) into->push_back({Assign{before(level - 1), FoldFrame::nothing(fold_)}});
            if (level == work_.levels()) break;
            turns_of_piece *= running_base;
            added = before(level);
            into->push_back({If{binary("==", modulo(next, integer(turns_of_piece)), integer(0)), {}, {}}});
            into = &std::get<If>(into->back().node).then;
        }
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_scan(const ScanSchedule& schedule, const Program& program, const Graph& graph,
                           const std::string& kernel_name) {
    kernel::Kernel made = kernel::ScanKernel(schedule, program, graph).run(kernel_name);
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    const ScanWork& work = *schedule.work;
    kernel::add_position_checks(made.positions, work.cells.plan(), program, std::nullopt);
    if (work.points) kernel::add_position_checks(made.positions, work.points->plan(), program, std::nullopt);
    return {{std::move(made)}};
}

}  // namespace kasc
