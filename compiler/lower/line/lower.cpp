// Blocks of whole lines, where threads hold their cells: lanes of a team by the teams of a line by the lines of a
// block. Of softmax with eight teams a line:
//
//   a_held[k] = a[…]                                              16 cells a thread, 32 apart, all under way together
//   lanes of a thread joined, those of the team exchanged; its first thread leaves largest_parts[team]
//   barrier
//   every team joins the line's parts and spreads the result:    largest[0] of each thread
//   exp(a_held[k] - largest[0]) …                                 the same once more, then the cells
//
// Lines of any length are gone through part by part (loops, schedule/line/block). A part, or a line that is shorter
// than its threads can hold, has cells that do not count: they compute the part's first one and are neither folded nor
// stored.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"

namespace kasc::kernel {

namespace {

bool holds(const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

void take_over(Body& to, Body from) {
    for (Statement& s : from) to.push_back(std::move(s));
}

const std::string& text_of(const ExprRef& n) { return std::get<Name>(n->node).name; }

class LineKernel {
public:
    LineKernel(const LineSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          again_(read_again(work_)),
          context_(std::make_unique<FieldContext>(work_.passes.front().cells, program, graph)) {}

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        // The third dimension of a block has 64 threads at most.
        kernel.block = schedule_.teams() > 1 ? BlockShape{schedule_.lanes(), schedule_.teams(), schedule_.lines()}
                                             : BlockShape{schedule_.lanes(), schedule_.lines(), 1};
        Body opening = place();
        for (const FieldCall* word : words_of(work_)) keep_word(*word);
        if (schedule_.holds_cells())
            for (const ValueId value : again_)
                private_.push_back({PrivateArray{held_name(value), schedule_.choice.chunk, word_register(value)}});
        std::vector<Body> steps;
        for (const LinePass& pass : work_.passes) lower(pass, steps);
        take_over(kernel.body, context_->preamble());
        take_over(kernel.body, std::move(opening));
        take_over(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        take_over(kernel.body, std::move(private_));
        take_over(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.grid = {grid(), integer(1), integer(1)};
        kernel.parameters = context_->parameters();
        kernel.functions = context_->functions();
        // Left alone, ptxas (13.0) holds a softmax at 32 registers and takes its loads one by one.
        constexpr int registers_of_multiprocessor = 65536;
        kernel.min_blocks = std::max(1, registers_of_multiprocessor / (registers_of(schedule_) * schedule_.threads()));
        if (schedule_.holds_cells()) kernel.requirement = Kernel::Requirement{{work_.along}, 1, schedule_.most_cells()};
        return kernel;
    }

private:
    const LineSchedule& schedule_;
    const LineWork& work_;
    const Program& program_;
    const std::vector<ValueId> again_;  ///< inputs that several passes read
    std::unique_ptr<FieldContext> context_;
    std::map<ValueId, std::string> words_;  ///< by value, the thread's array of its line's word
    std::vector<ValueId> loaded_;           ///< that threads hold by now
    Body private_;
    std::vector<std::string> region_names_;
    std::vector<Type> region_types_;

    [[nodiscard]] FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part) {
        context_ = std::make_unique<FieldContext>(std::move(*context_), part);
    }

    // --- names ---

    [[nodiscard]] const std::string& variable_name(ValueId value) {
        return program_.variables[c().variable(value)].name;
    }
    [[nodiscard]] Type word_register(ValueId value) { return register_type(c().cell_type(value)); }
    [[nodiscard]] std::string coordinate(AxisId axis) {
        return c().once(fmt::format("coordinate {}", axis.index), program_.axes[axis].name);
    }
    [[nodiscard]] std::string held_name(ValueId value) {
        return c().once(fmt::format("held {}", value.index), variable_name(value) + "_held");
    }
    [[nodiscard]] std::string ahead_name(ValueId value) {
        return c().once(fmt::format("ahead {}", value.index), variable_name(value) + "_ahead");
    }
    void keep_word(const FieldCall& call) {
        words_[call.value] = c().once(fmt::format("word {}", call.value.index), variable_name(call.value) + "_word");
        private_.push_back({PrivateArray{words_[call.value], 1, word_register(call.value)}});
        c().hold(call.value, element(words_[call.value], integer(0)));
    }
    void name_region(const std::string& n, Type type) { region_names_.push_back(n), region_types_.push_back(type); }

    // --- places ---

    [[nodiscard]] ExprRef lane() const { return schedule_.lanes() > 1 ? thread_index(Dimension::x) : integer(0); }
    /// The thread is the first of its team; null: it is alone.
    [[nodiscard]] ExprRef is_first() const {
        return schedule_.lanes() > 1 ? binary("==", lane(), integer(0)) : nullptr;
    }
    [[nodiscard]] ExprRef team() const { return schedule_.teams() > 1 ? thread_index(Dimension::y) : integer(0); }
    /// Of the block's.
    [[nodiscard]] ExprRef line() const {
        if (schedule_.lines() == 1) return integer(0);
        return thread_index(schedule_.teams() > 1 ? Dimension::z : Dimension::y);
    }
    [[nodiscard]] ExprRef first_line() {
        return name(c().once("first line", coordinate(work_.kept.front()) + "_from"));
    }
    [[nodiscard]] ExprRef from() { return name(c().once("first part", coordinate(work_.parts) + "_from")); }
    [[nodiscard]] ExprRef at() { return name(c().once("parts in turn", "at")); }
    /// Of a line; of one whose cells are held as many as there are teams at most.
    [[nodiscard]] ExprRef parts() {
        if (!schedule_.holds_cells()) return c().extent(work_.parts);
        return divide(kernel::add(c().extent(work_.along), integer(row_part_cells - 1)), integer(row_part_cells));
    }
    /// The line exists; null: every line of every block does.
    [[nodiscard]] ExprRef is_line() {
        const AxisId axis = work_.kept.front();
        return schedule_.lines() > 1 ? binary("<", name(coordinate(axis)), c().extent(axis)) : nullptr;
    }
    /// Blocks along the first axis that is kept.
    [[nodiscard]] ExprRef groups() {
        const int lines = schedule_.lines();
        const ExprRef extent = c().extent(work_.kept.front());
        return lines > 1 ? divide(kernel::add(extent, integer(lines - 1)), integer(lines)) : extent;
    }
    [[nodiscard]] ExprRef grid() {
        ExprRef blocks = groups();
        for (std::size_t k = 1; k < work_.kept.size(); ++k)
            blocks = multiply(k == 1 ? wide(blocks) : blocks, c().extent(work_.kept[k]));
        return blocks;
    }

    /// Block level: where the block's lines are.
    Body place() {
        Body body;
        ExprRef number = block_index(Dimension::x);
        const auto take = [&](const std::string& n, const ExprRef& count, bool last) {
            body.push_back({Let{Type::i32, n, last ? number : modulo(number, count)}});
            if (!last) number = divide(number, count);
        };
        const bool alone = work_.kept.size() == 1;
        if (schedule_.lines() == 1) {
            take(coordinate(work_.kept.front()), c().extent(work_.kept.front()), alone);
        } else {
            const std::string group = c().once("group of lines", "group");
            take(group, groups(), alone);
            body.push_back({Let{Type::i32, text_of(first_line()), multiply(name(group), integer(schedule_.lines()))}});
        }
        for (std::size_t k = 1; k < work_.kept.size(); ++k)
            take(coordinate(work_.kept[k]), c().extent(work_.kept[k]), k + 1 == work_.kept.size());
        return body;
    }
    /// Thread level: the line of the thread.
    void place_line(Body& body) {
        if (schedule_.lines() > 1)
            body.push_back({Let{Type::i32, coordinate(work_.kept.front()), kernel::add(first_line(), line())}});
    }
    /// The part of the thread's team; what says that it exists, null: it does.
    [[nodiscard]] ExprRef place_part(Body& body) {
        if (schedule_.teams() == 1 && schedule_.holds_cells()) return is_line();
        const ExprRef part = name(coordinate(work_.parts));
        const ExprRef own = schedule_.holds_cells() ? team() : kernel::add(at(), team());
        body.push_back({Let{Type::i32, text_of(part), own}});
        return schedule_.teams() > 1 ? both(is_line(), binary("<", part, parts())) : is_line();
    }

    // --- steps ---

    void lower(const LinePass& pass, std::vector<Body>& steps) {
        go_on_with(pass.cells);
        const std::vector<FoldedCall> folds = folded_calls(c());
        Body cells = cells_of_part(pass, folds);
        const bool loops = !schedule_.holds_cells();
        if (folds.empty()) {
            if (loops) steps.push_back({{For{text_of(at()), integer(0), parts(), schedule_.teams(), 0, {}}}});
            steps.push_back({{Threads{std::move(cells)}}});
            if (loops) steps.emplace_back();
            return;
        }
        for (const FoldedCall& f : folds) private_.push_back({PrivateArray{f.exchanged, 2, f.type}});
        const bool leaves_parts = parts_at_a_time(schedule_) > 1;
        std::vector<std::string> arrays;
        Body left;
        for (const FoldedCall& f : folds) {
            arrays.push_back(c().once(fmt::format("parts in hand {}", f.call->value.index),
                                      variable_name(f.call->value) + (loops ? "_in_hand" : "_of_lines")));
            left.push_back(part_left(f, arrays.back()));
        }
        Statement outer{For{text_of(from()), integer(0), parts(), parts_at_a_time(schedule_), 0, {}}};
        const ExprRef end = minimum(kernel::add(from(), integer(parts_at_a_time(schedule_))), parts());
        Statement inner{For{text_of(at()), from(), end, schedule_.teams(), 0, {}}};
        go_on_with(*pass.joins);
        const std::vector<FoldedCall> joins = folded_calls(c());
        JoinSteps join = join_steps(*pass.joins, joins, folds, arrays);
        if (loops) {
            steps.push_back({{Threads{std::move(join.before)}}});
            steps.push_back({std::move(outer)});
            steps.push_back({std::move(inner)});
        }
        steps.push_back({{Threads{std::move(cells)}}});
        steps.push_back(FoldFrame::exchange_in_warps(folds, Dimension::x, schedule_.lanes()));
        if (leaves_parts) steps.push_back({{Threads{std::move(left)}}});
        if (loops) steps.emplace_back();
        steps.push_back({{Threads{std::move(join.taken)}}});
        if (loops) steps.emplace_back();
        if (loops) steps.push_back({{Threads{std::move(join.joined)}}});
        Body spread = FoldFrame::exchange_in_warps(joins, Dimension::x, leaves_parts ? warp_threads : 1);
        for (const FoldedCall& f : joins)
            spread.push_back(schedule_.lanes() > 1
                                 ? Statement{Exchange{f.exchanged, 1, f.exchanged, 0, 1, 0, schedule_.lanes()}}
                                 : Statement{Threads{{{Assign{element(f.exchanged, integer(1)),
                                                              element(f.exchanged, integer(0))}}}}});
        take_over(steps.back(), std::move(spread));
        steps.push_back({{Threads{words_kept(pass, joins)}}});
    }

    Body cells_of_part(const LinePass& pass, const std::vector<FoldedCall>& folds) {
        Body body, inside;
        place_line(body);
        const ExprRef there = place_part(body);
        for (const FoldedCall& f : folds) {
            body.push_back({RegisterArray{f.sum, lanes_of_thread(), f.type}});
            for (int k = 0; k < lanes_of_thread(); ++k)
                body.push_back({Assign{element(f.sum, integer(k)), FoldFrame::nothing(f)}});
        }
        ExprRef first = integer(0), count = c().extent(work_.along);
        if (schedule_.teams() > 1 || !schedule_.holds_cells()) {
            first = name(c().once("first cell of part", coordinate(work_.along) + "_from"));
            inside.push_back(
                {Let{Type::i32, text_of(first), multiply(name(coordinate(work_.parts)), integer(row_part_cells))}});
            const ExprRef counted = name(c().once("cells of part", "count"));
            inside.push_back(
                {Let{Type::i32, text_of(counted), minimum(subtract(count, first), integer(row_part_cells))}});
            count = counted;
        }
        take_over(inside, schedule_.holds_cells() ? cells_held(pass, folds, first, count)
                                                  : cells_in_turn(pass, folds, first, count));
        append_if(body, there, std::move(inside));
        for (const FoldedCall& f : folds) take_over(body, joined_lanes_of(f));
        return body;
    }
    /// Of a line that is shorter than its lanes the thread's last ones have no cell.
    [[nodiscard]] int lanes_of_thread() const {
        const int all = row_lanes / schedule_.lanes();
        int lanes = 1;
        while (lanes < all && (lanes < schedule_.choice.chunk || !schedule_.holds_cells())) lanes *= 2;
        return lanes;
    }
    /// What is folded of the thread's lanes: those without cells change a number alone that is not one.
    Body joined_lanes_of(const FoldedCall& f) {
        Body body = FoldFrame::joined_halves(f, f.sum, lanes_of_thread());
        const ExprRef own = element(f.sum, integer(0));
        if (lanes_of_thread() < row_lanes / schedule_.lanes() && !rounds(f.op) && f.type != Type::i32)
            body.push_back({Assign{own, FoldFrame::joined(f, own, FoldFrame::nothing(f))}});
        body.push_back({Assign{element(f.exchanged, integer(0)), own}});
        return body;
    }

    /// All cells of the thread, of which it has words in registers. Of a line or part that has fewer the last groups
    /// are left out.
    Body cells_held(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                    const ExprRef& count) {
        const int cells = schedule_.choice.chunk;
        std::vector<ValueId> load, read;
        for (const ValueId value : read_at_cells(work_, pass)) {
            if (!holds(again_, value))
                read.push_back(value);
            else if (!holds(loaded_, value))
                load.push_back(value);
        }
        loaded_.insert(loaded_.end(), load.begin(), load.end());
        const ExprRef group = name(c().once("group of cells", "group_of_cells"));
        const ExprRef k = name(c().once("cell of group", "ahead")), all = name(c().once("cell of thread", "k"));
        const auto path = [&](int ahead, const ExprRef& counted) {
            Body body;
            const Cells places{first, counted, lane(), !reads_elsewhere(pass)};
            if (!load.empty()) body.push_back(each(all, cells, loads(load, all, all, places, true)));
            const ExprRef number = cells == ahead ? k : kernel::add(multiply(group, integer(ahead)), k);
            for (const ValueId value : read_at_cells(work_, pass))
                if (holds(again_, value)) c().hold(value, element(held_name(value), number));
            Body some = group_of(pass, folds, read, {number, k, ahead}, places);
            for (const ValueId value : again_) c().let_go(value);
            if (cells == ahead) {
                take_over(body, std::move(some));
                return body;
            }
            const ExprRef begins = multiply(group, integer(std::int64_t{ahead} * schedule_.lanes()));
            if (counted) some = {{If{binary("<", begins, counted), std::move(some), {}}}};
            body.push_back(each(group, cells / ahead, std::move(some)));
            return body;
        };
        const ExprRef whole = binary("==", count, integer(std::int64_t{cells} * schedule_.lanes()));
        int of_cut = 4;
        while (cells % of_cut != 0) --of_cut;
        Body counted = path(of_cut, count), full = path(cells_of_group(schedule_, pass), nullptr);
        return {{If{whole, std::move(full), std::move(counted)}}};
    }

    /// Cells of a part by one warp, some of each thread at a time.
    Body cells_in_turn(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                       const ExprRef& count) {
        const int ahead = cells_of_group(schedule_, pass);
        const ExprRef in_part = name(c().once("cells in turn", "in_part")),
                      k = name(c().once("cell of group", "ahead"));
        const std::vector<ValueId> read = read_at_cells(work_, pass);
        // Whether all of the warp's threads have all of their cells.
        const ExprRef whole =
            binary("<=", kernel::add(subtract(in_part, lane()), integer(ahead * warp_threads)), count);
        Body cut = group_of(pass, folds, read, {k, k, ahead}, {first, count, in_part, !reads_elsewhere(pass)});
        Body all = group_of(pass, folds, read, {k, k, ahead}, {first, nullptr, in_part, true});
        return {{For{
            text_of(in_part), lane(), count, ahead * warp_threads, 0, {{If{whole, std::move(all), std::move(cut)}}}}}};
    }

    /// Cells that are read together: the number of one among the thread's, and its place among them.
    struct Group {
        ExprRef number, place;
        int cells;
    };
    /// Where a thread's cells stand: from the part's `first` cell on, its own from `begin`. `count`: where set, cells
    /// from there on do not count. `skips`: these are not read; else they read what the part's first cell reads.
    struct Cells {
        ExprRef first, count, begin;
        bool skips = false;
    };

    /// What a group reads is under way together, before anything is computed of it: ptxas moves no load across a
    /// quotient.
    Body group_of(const LinePass& pass, const std::vector<FoldedCall>& folds, const std::vector<ValueId>& read,
                  const Group& group, const Cells& cells) {
        Body body;
        for (const ValueId value : read) {
            body.push_back({RegisterArray{ahead_name(value), group.cells, word_register(value)}});
            c().hold(value, element(ahead_name(value), group.place));
        }
        if (!read.empty())
            body.push_back(each(group.place, group.cells, loads(read, group.number, group.place, cells, false)));
        Body cell = place_cell(needs_place(pass, read), group.number, cells);
        CellWriter writer(c(), *pass.cells.paths.cell, coordinates(c()));
        const auto lane_of = [&](const FoldedCall& f) {
            return element(f.sum, modulo(group.number, integer(lanes_of_thread())));
        };
        take_over(cell, folded_cell(writer, folds, lane_of, cells.count ? counts() : nullptr));
        for (const ValueId value : read) c().let_go(value);
        body.push_back(each(group.place, group.cells, std::move(cell)));
        return body;
    }
    [[nodiscard]] static Statement each(const ExprRef& k, int count, Body body) {
        return {For{text_of(k), integer(0), integer(count), 1, count, std::move(body)}};
    }
    [[nodiscard]] ExprRef counts() { return name(c().once("cell counts", "counts")); }

    /// Where the thread's cell of this number stands along the line.
    Body place_cell(bool needed, const ExprRef& number, const Cells& cells) {
        Body body;
        const ExprRef own = kernel::add(cells.begin, multiply(number, integer(schedule_.lanes())));
        if (cells.count) body.push_back({Let{Type::boolean, text_of(counts()), binary("<", own, cells.count)}});
        const ExprRef within = cells.count && !cells.skips ? select(counts(), own, integer(0)) : own;
        if (needed) body.push_back({Let{Type::i32, coordinate(work_.along), kernel::add(cells.first, within)}});
        return body;
    }
    Body loads(const std::vector<ValueId>& values, const ExprRef& number, const ExprRef& place, const Cells& cells,
               bool held) {
        Body body = place_cell(true, number, cells), read, skipped;
        for (const ValueId value : values) {
            std::vector<ExprRef> at;
            for (const AxisId axis : c().shape(value).axes) at.push_back(name(coordinate(axis)));
            const ExprRef word = element(held ? held_name(value) : ahead_name(value), place);
            read.push_back({Assign{word, element(c().array_in(value), c().index(value, at))}});
            skipped.push_back({Assign{word, c().zero(value)}});
        }
        if (cells.count && cells.skips)
            body.push_back({If{counts(), std::move(read), std::move(skipped)}});
        else
            take_over(body, std::move(read));
        return body;
    }

    /// Cells read words that their group does not load for them, or call functions of the library, whose loops may need
    /// what cells have.
    [[nodiscard]] bool reads_elsewhere(const LinePass& pass) const {
        const std::vector<ValueId> own = read_at_cells(work_, pass);
        const auto& calls = pass.cells.plan().calls;
        return std::any_of(calls.begin(), calls.end(), [&](const FieldCall& call) {
            return calls_library(*call.statement) ||
                   std::any_of(call.reads.begin(), call.reads.end(), [&](const FieldRead& r) {
                       return !r.producer && !words_.contains(r.value) && !holds(own, r.value);
                   });
        });
    }
    /// Something beside what threads have in registers asks where the cell is.
    [[nodiscard]] bool needs_place(const LinePass& pass, const std::vector<ValueId>& read) const {
        const auto elsewhere = [&](const FieldRead& r) {
            return !r.producer && !words_.contains(r.value) && !holds(read, r.value) &&
                   !(schedule_.holds_cells() && holds(again_, r.value));
        };
        const auto& calls = pass.cells.plan().calls;
        return std::any_of(calls.begin(), calls.end(), [&](const FieldCall& call) {
            return (call.stored && !call.statement->fold) ||
                   std::any_of(call.reads.begin(), call.reads.end(), elsewhere) ||
                   any_part(*call.statement->value,
                            [](const Expression& e) { return std::holds_alternative<CoordinateUse>(e.node); });
        });
    }

    /// A word of the parts' array.
    [[nodiscard]] ExprRef part_word(const FoldedCall& f, const ExprRef& sum) {
        const Type word = word_type(c().cell_type(f.call->value));
        return word == f.type ? sum : convert(word, sum);
    }
    /// The first thread of the team leaves what it has folded of a part.
    Statement part_left(const FoldedCall& f, const std::string& array) {
        const bool loops = !schedule_.holds_cells();
        const ExprRef part = loops ? kernel::add(at(), team()) : team();
        const ExprRef own = kernel::add(multiply(line(), integer(parts_at_a_time(schedule_))),
                                        loops ? kernel::add(subtract(at(), from()), team()) : team());
        ExprRef there = is_first();
        if (schedule_.teams() > 1) there = both(there, binary("<", part, parts()));
        return {If{there, {{Assign{element(array, own), part_word(f, element(f.exchanged, integer(0)))}}}, {}}};
    }

    struct JoinSteps {
        Body before, taken, joined;  ///< before the loops; behind the parts; behind the loops
    };
    /// Where all parts are there at once, they are joined where they are taken.
    JoinSteps join_steps(const FieldSchedule& part, const std::vector<FoldedCall>& joins,
                         const std::vector<FoldedCall>& folds, const std::vector<std::string>& arrays) {
        const bool loops = !schedule_.holds_cells(), alone = parts_at_a_time(schedule_) == 1;
        constexpr int lanes = joined_lanes / warp_threads;
        const ExprRef k = loops ? name(c().once("lane of thread", "k")) : integer(0);
        const ExprRef in_hand = kernel::add(lane(), multiply(k, integer(warp_threads)));
        for (std::size_t j = 0; j < folds.size(); ++j)
            c().hold(folds[j].call->value,
                     alone ? part_word(folds[j], element(folds[j].exchanged, integer(0)))
                           : element(arrays[j],
                                     kernel::add(multiply(line(), integer(parts_at_a_time(schedule_))), in_hand)));
        CellWriter writer(c(), *part.paths.cell, coordinates(c()));
        JoinSteps made;
        for (const FoldedCall& f : joins) {
            if (loops) private_.push_back({PrivateArray{f.lanes, lanes, f.type}});
            private_.push_back({PrivateArray{f.exchanged, 2, f.type}});
            Body& start = loops ? made.before : made.taken;
            if (!loops) start.push_back({RegisterArray{f.lanes, lanes, f.type}});
            for (int j = 0; j < lanes; ++j)
                start.push_back({Assign{element(f.lanes, integer(j)), FoldFrame::nothing(f)}});
            static_cast<void>(writer.declare(f.type, f.value, writer.folded(*f.call, f.type)));
            take_over(made.joined, FoldFrame::joined_halves(f, f.lanes, lanes));
            made.joined.push_back({Assign{element(f.exchanged, integer(0)), element(f.lanes, integer(0))}});
        }
        Body values = writer.take_body();
        for (const FoldedCall& f : joins)
            values.push_back({Assign{element(f.lanes, k), FoldFrame::joined(f, element(f.lanes, k), name(f.value))}});
        if (alone) {
            take_over(made.taken, std::move(values));
        } else {
            const ExprRef in_line = loops ? kernel::add(from(), in_hand) : in_hand;
            Body each_part{{Let{Type::i32, coordinate(work_.parts), in_line}}};
            each_part.push_back({If{binary("<", name(coordinate(work_.parts)), parts()), std::move(values), {}}});
            if (loops)
                made.taken.push_back(each(k, lanes, std::move(each_part)));
            else
                take_over(made.taken, std::move(each_part));
        }
        if (!loops) take_over(made.taken, std::move(made.joined));
        name_regions(folds, arrays, joins);
        return made;
    }
    /// In the order of the block program's.
    void name_regions(const std::vector<FoldedCall>& folds, const std::vector<std::string>& arrays,
                      const std::vector<FoldedCall>& joins) {
        for (const FoldedCall& join : joins) {
            for (std::size_t j = 0; j < folds.size() && parts_at_a_time(schedule_) > 1; ++j)
                if (join.call->reads.front().value == folds[j].call->value)
                    name_region(arrays[j], word_type(c().cell_type(folds[j].call->value)));
            if (!schedule_.holds_cells()) name_region(join.lanes, join.type);
            name_region(join.exchanged, join.type);
        }
    }

    /// Each thread keeps its line's words; the first thread of the line stores those that are results.
    Body words_kept(const LinePass& pass, const std::vector<FoldedCall>& joins) {
        Body body, own, stores;
        place_line(body);
        for (const FoldedCall& f : joins) keep(own, stores, *f.call, part_word(f, element(f.exchanged, integer(1))));
        if (pass.words) {
            go_on_with(*pass.words);
            CellWriter writer(c(), *pass.words->paths.cell, coordinates(c()));
            std::vector<std::pair<const FieldCall*, ExprRef>> made;
            for (const FieldCall& call : c().plan.calls) made.emplace_back(&call, writer.result(call));
            take_over(own, writer.take_body());
            for (const auto& [call, value] : made) keep(own, stores, *call, value);
        }
        for (const auto& [value, word] : words_) c().hold(value, element(word, integer(0)));
        if (!stores.empty()) {
            ExprRef first = is_first();
            if (schedule_.teams() > 1) first = both(first, binary("==", team(), integer(0)));
            append_if(own, first, std::move(stores));
        }
        append_if(body, is_line(), std::move(own));
        return body;
    }
    void keep(Body& body, Body& stores, const FieldCall& call, const ExprRef& value) {
        const auto word = words_.find(call.value);
        const bool stored = holds(work_.fusion.outputs, call.value);
        const std::string n =
            c().once(fmt::format("own word {}", call.value.index), variable_name(call.value) + "_own");
        body.push_back({Let{word_register(call.value), n, value}});
        c().hold(call.value, name(n));
        if (word != words_.end()) body.push_back({Assign{element(word->second, integer(0)), name(n)}});
        if (!stored) return;
        std::vector<ExprRef> place;
        for (const FieldIndex& index : call.target) place.push_back(name(c().coordinate(std::get<Moving>(index).axis)));
        stores.push_back({Assign{element(c().array_out(call.value), c().index(call.value, place)), name(n)}});
    }
};

Kernel lowered(const LineSchedule& schedule, const Program& program, const Graph& graph,
               const std::string& kernel_name) {
    Kernel made = LineKernel(schedule, program, graph).run(kernel_name);
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    for (const LinePass& pass : schedule.work->passes) {
        add_position_checks(made.positions, pass.cells.plan(), program, std::nullopt);
        if (pass.words) add_position_checks(made.positions, pass.words->plan(), program, std::nullopt);
    }
    return made;
}

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_lines(const LineSchedule& schedule, const std::optional<LineSchedule>& longer,
                            const Program& program, const Graph& graph, const std::string& kernel_name) {
    kernel::Lowered made{{kernel::lowered(schedule, program, graph, kernel_name)}};
    if (longer) made.alternatives.push_back(kernel::lowered(*longer, program, graph, kernel_name + "_long"));
    return made;
}

}  // namespace kasc
