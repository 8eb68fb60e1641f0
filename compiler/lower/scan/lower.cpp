// Running sums of a block's lines (schedule/scan). Of lines along memory, 256 threads each:
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
// Of lines that lie beside each other the cells of a thread are in registers, and there is no tile. Cells beyond the
// end of a line, and of lines that are not there, are computed as the last ones, and stored by nobody.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "lower/block.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"

namespace kasc::kernel {

namespace {

/// Operations of the cells that a thread evaluates behind each other, so that their words are under way together.
constexpr int evaluated_together = 256;

class ScanKernel {
public:
    ScanKernel(const ScanSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule),
          work_(*schedule.work),
          context_(std::make_unique<FieldContext>(work_.cells, program, graph)),
          levels_(schedule.joined_levels()) {}

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        const int of_line = schedule_.threads_of_line(), lines = schedule_.lines();
        if (along_memory())
            kernel.block = {of_line, lines, 1};
        else
            kernel.block = {lines, of_line, 1};
        name_all();
        std::vector<Body> steps;
        if (!work_.of_piece()) steps.push_back({{For{text_of(turn()), integer(0), turns(), 1, 0, {}}}});
        if (along_memory()) steps.push_back({Statement{Threads{evaluate_into_tile()}}});
        if (levels_ > 0) steps.push_back({Statement{Threads{fold_own()}}});
        if (levels_ > 1) steps.push_back({Statement{Threads{fold_group()}}});
        if (!work_.is_running()) {
            steps.push_back({Statement{Threads{sum_of_piece()}}});
        } else {
            steps.push_back({Statement{Threads{running_sums()}}});
            if (along_memory()) steps.push_back({Statement{Threads{store_from_tile()}}});
        }
        if (!work_.of_piece()) steps.emplace_back();
        Body walk = lower_block(*schedule_.block, std::move(steps));
        append(kernel.body, c().preamble());
        kernel.body.push_back({Let{Type::i32, text_of(turns()), turn_count()}});
        ExprRef group_of_lines = block_index(Dimension::x);
        if (work_.of_piece()) {
            kernel.body.push_back({Let{Type::i32, text_of(turn()), modulo(group_of_lines, turns())}});
            group_of_lines = divide(group_of_lines, turns());
        }
        kernel.body.push_back({Let{Type::i64, text_of(first_line()), multiply(wide(group_of_lines), integer(lines))}});
        append(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        append(kernel.body, std::move(private_));
        if (Body begun = begin(); !begun.empty()) kernel.body.push_back({Threads{std::move(begun)}});
        append(kernel.body, std::move(walk));
        ExprRef blocks = block_count(line_count(), lines);
        if (work_.of_piece()) blocks = multiply(blocks, turn_count());
        kernel.grid = {blocks, integer(1), integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        kernel.line_step = schedule_.step_cells();
        return kernel;
    }

private:
    const ScanSchedule& schedule_;
    const ScanWork& work_;
    std::unique_ptr<FieldContext> context_;  ///< of what is folded, then of points
    const int levels_;                       ///< of pieces whose sums threads hand each other
    FoldedCall fold_;
    Type word_ = Type::f32;  ///< of what is folded, and of results
    Body private_;
    std::vector<std::string> region_names_;
    std::vector<Type> region_types_;
    std::string tile_, sums_, larger_, before_, before_thread_, cells_;

    FieldContext& c() { return *context_; }
    [[nodiscard]] bool along_memory() const { return work_.lies_along; }
    [[nodiscard]] Dimension along() const { return along_memory() ? Dimension::x : Dimension::y; }
    [[nodiscard]] Dimension across() const { return along_memory() ? Dimension::y : Dimension::x; }
    [[nodiscard]] const FieldCall& call() const { return work_.call(); }

    void name_all() {
        const std::string& of = c().program.variables[c().variable(call().value)].name;
        const Running& running = work_.running();
        const bool integers = is_integer(c().cell_type(call().value));
        const bool wide_words = scanned_bytes(work_, c().program) == 8;
        const bool wide_sums = accumulator_bytes(work_, c().program) == 8;
        word_ = integers ? wide_words ? Type::i64 : Type::i32 : wide_words ? Type::f64 : Type::f32;
        fold_.call = &call(), fold_.op = running.op;
        fold_.type = integers ? wide_sums ? Type::i64 : Type::i32 : wide_sums ? Type::f64 : Type::f32;
        fold_.sum = c().once("sum", "folded"), fold_.value = c().once("value of a cell", "value");
        if (along_memory()) region(tile_, of + "_tile", word_);
        if (levels_ > 0) region(sums_, of + "_sums", fold_.type);
        if (levels_ > 1) region(larger_, of + "_sums_of_256", fold_.type);
        before_ = c().once("sums before", "before");
        if (!work_.of_piece())
            private_.push_back({PrivateArray{before_, work_.levels() + 1 - first_level(), fold_.type}});
        if (levels_ > 1) {
            before_thread_ = c().once("sum before the thread", "before_thread");
            private_.push_back({PrivateArray{before_thread_, 1, fold_.type}});
        }
        if (!along_memory() && levels_ > 0) {
            cells_ = c().once("cells of the thread", of + "_own");
            private_.push_back({PrivateArray{cells_, running_base, word_}});
        }
    }
    void region(std::string& own, const std::string& wish, Type type) {
        own = c().once(wish, wish);
        region_names_.push_back(own), region_types_.push_back(type);
    }

    // --- where things stand ---

    ExprRef first_line() { return name(c().once("first line", "line_from")); }
    ExprRef turn() { return name(c().once("turn", work_.of_piece() ? "piece" : "turn")); }
    ExprRef turns() { return name(c().once("turns", work_.of_piece() ? "pieces" : "turns")); }
    ExprRef cell_extent() { return wide(c().extent(work_.along)); }
    ExprRef turn_count() {
        const int step = schedule_.step_cells();
        return convert(Type::i32, divide(kernel::add(cell_extent(), integer(step - 1)), integer(step)));
    }
    [[nodiscard]] std::vector<std::size_t> others() const {
        std::vector<std::size_t> axes;
        for (std::size_t k = 0; k < work_.cells.axes().size(); ++k)
            if (k != work_.along && !work_.cells.plan().is_of_parts(k)) axes.push_back(k);
        return axes;
    }
    ExprRef line_count() {
        ExprRef all = wide(integer(1));
        for (const std::size_t k : others()) all = multiply(all, wide(c().extent(k)));
        return all;
    }
    /// Of the turn's first cell, in the order of the line, and so many behind it.
    ExprRef number(const ExprRef& cell) {
        return kernel::add(multiply(wide(turn()), integer(schedule_.step_cells())), cell);
    }
    /// The coordinates of the cell of this number, of the block's line of this number; of those beyond the end of the
    /// last one.
    void place(Body& body, const ExprRef& line, const ExprRef& number) {
        place_line(body, line);
        place_on_line(body, number);
    }
    void place_on_line(Body& body, const ExprRef& number) {
        const ExprRef last = subtract(cell_extent(), integer(1)), within = minimum(number, last);
        const ExprRef at = work_.running().backward ? subtract(last, within) : within;
        body.push_back({Let{Type::i32, c().coordinate(work_.along), convert(Type::i32, at)}});
    }
    void place_line(Body& body, const ExprRef& line) {
        const std::vector<std::size_t> axes = others();
        if (axes.empty()) return;
        const std::string own = c().once("line", "line");
        body.push_back(
            {Let{Type::i64, own, minimum(kernel::add(first_line(), line), subtract(line_count(), integer(1)))}});
        ExprRef left = name(own);
        for (const std::size_t k : axes) {
            const bool is_last = k == axes.back();
            body.push_back({Let{Type::i32, c().coordinate(k),
                                convert(Type::i32, is_last ? left : modulo(left, wide(c().extent(k))))}});
            left = divide(left, wide(c().extent(k)));
        }
    }
    ExprRef is_cell(const ExprRef& line, const ExprRef& number) {
        ExprRef there = binary("<", number, cell_extent());
        if (schedule_.lines() > 1) there = both(there, binary("<", kernel::add(first_line(), line), line_count()));
        return there;
    }
    Statement each_own(Body body) {
        return {For{text_of(own()), integer(0), integer(running_base), 1, -1, std::move(body)}};
    }
    ExprRef own() { return name(c().once("own cell", "k")); }
    ExprRef own_line() { return wide(thread_index(across())); }
    ExprRef own_number() { return number(kernel::add(multiply(thread_index(along()), integer(running_base)), own())); }
    /// Where a thread's cells lie in the tile.
    ExprRef own_in_tile() { return kernel::add(multiply(linear_thread(), integer(schedule_.pitch())), own()); }

    // --- cells ---

    /// What is folded of the cell at the coordinates.
    ExprRef evaluated(Body& body) {
        CellWriter writer(c(), *work_.cell, coordinates(c()));
        const ExprRef value = writer.folded(call(), word_);
        append(body, writer.take_body());
        return value;
    }
    /// How many cells a thread evaluates behind each other.
    [[nodiscard]] int together() const {
        const FieldStatement& statement = *call().statement;
        const int operations = operation_count(*statement.value) + static_cast<int>(statement.operands.size());
        int cells = running_base;
        while (cells > 1 && cells * operations > evaluated_together) cells /= 2;
        return cells;
    }
    /// The body for each word of the tile that a thread has in its turn along memory, by its line and its number.
    template <class Each>
    Body along_tile(const Each& each) {
        const int threads = schedule_.threads(), step = schedule_.step_cells();
        const ExprRef pass = name(c().once("pass over the tile", "pass"));
        const ExprRef before = multiply(pass, integer(threads));
        const std::string word = c().once("word of the tile", "word");
        Body body{{Let{Type::i32, word, kernel::add(before, linear_thread())}}};
        const ExprRef line = schedule_.lines() == 1 ? integer(0) : divide(name(word), integer(step));
        const ExprRef cell = schedule_.lines() == 1 ? name(word) : modulo(name(word), integer(step));
        const ExprRef in_tile = kernel::add(name(word), divide(name(word), integer(running_base)));
        each(body, line, number(wide(cell)), element(tile_, in_tile));
        return {{For{text_of(pass), integer(0), integer(running_base), 1, together(), std::move(body)}}};
    }
    Body evaluate_into_tile() {
        return along_tile([&](Body& body, const ExprRef& line, const ExprRef& at, const ExprRef& in_tile) {
            place(body, line, at);
            const ExprRef value = evaluated(body);
            body.push_back({Assign{in_tile, value}});
        });
    }
    Body store_from_tile() {
        return along_tile([&](Body& body, const ExprRef& line, const ExprRef& at, const ExprRef& in_tile) {
            Body there;
            place(there, line, at);
            append(there, results(in_tile));
            body.push_back({If{is_cell(line, at), std::move(there), {}}});
        });
    }
    /// What the kernel makes of the running sum of the cell at the coordinates, and stores.
    Body results(const ExprRef& word) {
        Body body, stores;
        ExprRef own = word;
        if (work_.points && !std::holds_alternative<Name>(word->node)) {
            own = name(c().once("own sum", c().program.variables[c().variable(call().value)].name + "_own"));
            body.push_back({Let{word_, text_of(own), word}});
        }
        if (work_.is_stored()) stores.push_back(store(own));
        if (work_.points) {
            context_ = std::make_unique<FieldContext>(std::move(*context_), *work_.points);
            c().hold(call().value, own);
            CellWriter writer(c(), *work_.point, coordinates(c()));
            writer.write_whole_fields();
            append(stores, writer.take_body());
        }
        append(body, std::move(stores));
        return body;
    }
    Statement store(const ExprRef& word) {
        std::vector<ExprRef> at;
        for (const FieldIndex& index : call().target) {
            const std::size_t axis = std::get<Moving>(index).axis;
            at.push_back(work_.cells.plan().is_of_parts(axis) ? turn() : name(c().coordinate(axis)));
        }
        const Type in_memory = word_type(c().cell_type(call().value));
        return {Assign{element(c().array_out(call().value), c().index(call().value, at)),
                       in_memory == word_ ? word : convert(in_memory, word)}};
    }

    // --- sums ---

    ExprRef sum() { return name(fold_.sum); }
    Statement begin_sum() { return {Variable{fold_.type, fold_.sum, FoldFrame::nothing(fold_)}}; }
    /// The sum goes on with a word.
    void join(Body& body, const ExprRef& word, Type type) {
        const ExprRef value = type == fold_.type ? word : type == Type::i32 ? wide(word) : convert(fold_.type, word);
        body.push_back({Let{fold_.type, fold_.value, value}});
        body.push_back({Assign{sum(), FoldFrame::joined(fold_, sum(), name(fold_.value))}});
    }
    /// Of the sizes of pieces whose sums outlive a turn; of the largest they do in any case.
    [[nodiscard]] int first_level() const { return std::min(levels_ + 1, work_.levels()); }
    ExprRef before(int level) { return element(before_, integer(level - first_level())); }
    Body begin() {
        Body body;
        if (work_.of_piece()) return body;
        for (int level = first_level(); level <= work_.levels(); ++level)
            body.push_back({Assign{before(level), FoldFrame::nothing(fold_)}});
        return body;
    }
    /// What is before the block's piece of the thread's line.
    ExprRef carried() {
        const FieldRead& read = call().reads.at(work_.running().carries.value());
        std::vector<ExprRef> at;
        for (const FieldIndex& index : read.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            at.push_back(moving != nullptr ? name(c().coordinate(moving->axis)) : turn());
        }
        return element(c().array_in(read.value), c().index(read.value, at));
    }

    Body fold_own() {
        Body body{begin_sum()}, each;
        if (along_memory()) {
            join(each, element(tile_, own_in_tile()), word_);
        } else {
            place_line(body, own_line());
            place_on_line(each, own_number());
            const ExprRef value = evaluated(each);
            each.push_back({Assign{element(cells_, own()), value}});
            join(each, element(cells_, own()), word_);
        }
        body.push_back(each_own(std::move(each)));
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
        fold_sums(body, sums_, first_of_group(), in_group(), element(before_thread_, integer(0)));
        const ExprRef place = along_memory()
                                  ? kernel::add(multiply(thread_index(across()), integer(running_base)), group())
                                  : kernel::add(multiply(group(), integer(schedule_.lines())), thread_index(across()));
        body.push_back({If{binary("==", in_group(), integer(0)), {{Assign{element(larger_, place), sum()}}}, {}}});
        return body;
    }

    /// From the sums of the largest pieces on: what is before the thread's first cell.
    ExprRef all_before(Body& body, const std::vector<ExprRef>& sums) {
        ExprRef all = sums.front();
        for (std::size_t k = 1; k < sums.size(); ++k) {
            const std::string a = c().fresh("whole"), b = c().fresh("rest"), made = c().fresh("before");
            body.push_back({Let{fold_.type, a, all}});
            body.push_back({Let{fold_.type, b, sums[k]}});
            body.push_back({Let{fold_.type, made, FoldFrame::joined(fold_, name(a), name(b))}});
            all = name(made);
        }
        return all;
    }
    /// Thread level: the first one of a line.
    Body sum_of_piece() {
        Body own;
        place_line(own, own_line());
        own.push_back(begin_sum());
        fold_sums(own, larger_, first_of_line(), nullptr, nullptr);
        own.push_back(store(sum()));
        ExprRef is_first = binary("==", thread_index(along()), integer(0));
        if (schedule_.lines() > 1)
            is_first = both(is_first, binary("<", kernel::add(first_line(), own_line()), line_count()));
        return {{If{is_first, std::move(own), {}}}};
    }
    ExprRef first_of_line() {
        return along_memory() ? multiply(thread_index(across()), integer(running_base)) : thread_index(across());
    }
    Body running_sums() {
        Body body;
        std::vector<ExprRef> sums;
        if (!along_memory() || work_.of_piece()) place_line(body, own_line());
        if (work_.of_piece()) {
            const std::string piece = c().fresh("before_piece");
            body.push_back({Let{fold_.type, piece, carried()}});
            sums.push_back(name(piece));
        } else {
            for (int level = work_.levels(); level > levels_; --level) sums.push_back(before(level));
        }
        ExprRef of_turn;
        if (levels_ > 0) {
            // What is before the thread, or its group, among the sums of this turn; of the largest pieces what is
            // before the turn as well.
            const std::string within = c().fresh("before_group"), all = c().fresh("of_turn");
            const bool largest = sums.empty();
            body.push_back({Variable{fold_.type, within, FoldFrame::nothing(fold_)}});
            body.push_back(
                {Variable{fold_.type, fold_.sum, largest ? before(work_.levels()) : FoldFrame::nothing(fold_)}});
            if (levels_ > 1)
                fold_sums(body, larger_, first_of_line(), group(), name(within));
            else
                fold_sums(body, sums_, first_of_group(), in_group(), name(within));
            body.push_back({Let{fold_.type, all, sum()}});
            of_turn = name(all);
            sums.push_back(name(within));
            if (levels_ > 1) sums.push_back(element(before_thread_, integer(0)));
        }
        const std::string base = c().fresh("before_cells");
        body.push_back({Let{fold_.type, base, all_before(body, sums)}});
        body.push_back(levels_ > 0 ? Statement{Assign{sum(), FoldFrame::nothing(fold_)}} : begin_sum());
        Body each;
        if (!along_memory()) place_on_line(each, own_number());
        const bool held = !along_memory() && levels_ > 0;
        ExprRef word = along_memory() ? element(tile_, own_in_tile()) : held ? element(cells_, own()) : evaluated(each);
        const bool itself = work_.part != ScanWork::Part::carries;  // is part of its result
        if (itself) join(each, word, word_);
        const std::string made = c().once("result", "result");
        const ExprRef joined = FoldFrame::joined(fold_, name(base), sum());
        each.push_back({Let{word_, made, fold_.type == word_ ? joined : convert(word_, joined)}});
        if (!itself) join(each, word, word_);
        if (along_memory())
            each.push_back({Assign{element(tile_, own_in_tile()), name(made)}});
        else
            each.push_back({If{is_cell(own_line(), own_number()), results(name(made)), {}}});
        body.push_back(each_own(std::move(each)));
        if (work_.of_piece()) return body;
        if (levels_ == 0) of_turn = sum();
        if (levels_ == work_.levels())
            body.push_back({Assign{before(levels_), of_turn}});
        else
            go_on(body, of_turn);
        return body;
    }
    /// The sum of the turn's piece, and what it completes.
    void go_on(Body& body, const ExprRef& of_turn) {
        ExprRef added = of_turn;
        Body* into = &body;
        ExprRef next = kernel::add(turn(), integer(1));
        int turns_of_piece = 1;
        for (int level = levels_ + 1; level <= work_.levels(); ++level) {
            const std::string a = c().fresh("former"), b = c().fresh("piece");
            into->push_back({Let{fold_.type, a, before(level)}});
            into->push_back({Let{fold_.type, b, added}});
            into->push_back({Assign{before(level), FoldFrame::joined(fold_, name(a), name(b))}});
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
