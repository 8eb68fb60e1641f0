#pragma once
// What the parts of a kernel of running sums share: where blocks, threads and cells stand, what things are called, how
// cells come to a tile of shared memory and back.

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "lower/field/fold.hpp"
#include "schedule/scan/schedule.hpp"

namespace kasc::kernel {

class ScanFrame {
protected:
    ScanFrame(const ScanSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule),
          work_(*schedule.work),
          levels_(schedule.joined_levels()),
          context_(std::make_unique<FieldContext>(work_.cells, program, graph)) {}

    const ScanSchedule& schedule_;
    const ScanWork& work_;
    const int levels_;  ///< of pieces whose sums threads hand each other
    FoldedCall fold_;
    Type word_ = Type::f32;  ///< of what is folded, and of results
    Body private_;
    std::vector<std::string> region_names_;
    std::vector<Type> region_types_;
    std::string tile_, sums_, larger_, before_, before_thread_, cells_;

    FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part) {
        if (&c().schedule != &part) context_ = std::make_unique<FieldContext>(std::move(*context_), part);
    }
    [[nodiscard]] bool along_memory() const { return work_.lies_along; }
    [[nodiscard]] Dimension along() const { return along_memory() ? Dimension::x : Dimension::y; }
    [[nodiscard]] Dimension across() const { return along_memory() ? Dimension::y : Dimension::x; }
    [[nodiscard]] const FieldCall& call() const { return work_.call(); }
    /// The first of the sizes of pieces whose sums outlive a turn; those of the largest do in any case.
    [[nodiscard]] int first_level() const { return std::min(levels_ + 1, work_.levels()); }

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
        private_.push_back({PrivateArray{before_, work_.levels() + 1 - first_level(), fold_.type}});
        if (levels_ > 1 && work_.is_running()) {
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
    ExprRef piece() { return name(c().once("piece", "piece")); }
    ExprRef pieces() { return name(c().once("pieces", "pieces")); }
    ExprRef turn() { return name(c().once("turn", "turn")); }
    ExprRef turns() {
        return work_.of_piece() ? integer(running_piece / schedule_.step_cells()) : name(c().once("turns", "turns"));
    }
    ExprRef cell_extent() { return wide(c().extent(work_.along)); }
    ExprRef steps_of_line(int step) {
        return convert(Type::i32, divide(kernel::add(cell_extent(), integer(step - 1)), integer(step)));
    }
    [[nodiscard]] std::vector<std::size_t> others() const {
        std::vector<std::size_t> axes;
        for (std::size_t k = 0; k < work_.cells.axes().size(); ++k)
            if (k != work_.along && !work_.cells.plan().is_of_parts(k)) axes.push_back(k);
        return axes;
    }
    ExprRef line_count() {
        ExprRef all;
        for (const std::size_t k : others()) {
            const ExprRef extent = wide(c().extent(k));
            all = all ? multiply(all, extent) : extent;
        }
        return all ? all : wide(integer(1));
    }
    ExprRef blocks() {
        const ExprRef groups = block_count(line_count(), schedule_.lines());
        return work_.of_piece() ? multiply(groups, steps_of_line(running_piece)) : groups;
    }
    /// Block level. Blocks beside each other have what lies beside each other in memory: pieces of a line, or lines.
    Body place_block() {
        Body body;
        ExprRef group = block_index(Dimension::x);
        if (!work_.of_piece()) {
            body.push_back({Let{Type::i32, text_of(turns()), steps_of_line(schedule_.step_cells())}});
        } else if (along_memory()) {
            body.push_back({Let{Type::i32, text_of(pieces()), steps_of_line(running_piece)}});
            body.push_back({Let{Type::i32, text_of(piece()), modulo(group, pieces())}});
            group = divide(group, pieces());
        } else {
            const std::string groups = c().once("groups of lines", "groups");
            body.push_back({Let{Type::i32, groups, convert(Type::i32, block_count(line_count(), schedule_.lines()))}});
            body.push_back({Let{Type::i32, text_of(piece()), divide(group, name(groups))}});
            group = modulo(group, name(groups));
        }
        if (!others().empty() || schedule_.lines() > 1)
            body.push_back({Let{Type::i64, text_of(first_line()), multiply(wide(group), integer(schedule_.lines()))}});
        return body;
    }
    /// Block level, in each turn: its first cell, in the order of the line, and whether all cells of it are there.
    Body place_turn() {
        const int step = schedule_.step_cells();
        ExprRef from = multiply(wide(turn()), integer(step));
        if (work_.of_piece()) from = kernel::add(multiply(wide(piece()), integer(running_piece)), from);
        ExprRef there = binary("<=", kernel::add(name(from_), integer(step)), cell_extent());
        if (schedule_.lines() > 1)
            there = both(binary("<=", kernel::add(first_line(), integer(schedule_.lines())), line_count()), there);
        return {{Let{Type::i64, from_, from}}, {Let{Type::boolean, whole_turn_, there}}};
    }
    /// Thread level: the same with and without a look at the ends of lines.
    Body either(const std::function<Body()>& make) {
        whole_ = true;
        Body inside = make();
        whole_ = false;
        return {{If{name(whole_turn_), std::move(inside), make()}}};
    }

    /// So many cells behind the turn's first one. Where a turn is whole, 32 bits hold it.
    ExprRef number(const ExprRef& cell) {
        return whole_ ? kernel::add(convert(Type::i32, name(from_)), cell) : kernel::add(name(from_), wide(cell));
    }
    /// The coordinates of the cell of this number, of the block's line of this number; of those beyond the end of the
    /// last one.
    void place(Body& body, const ExprRef& line, const ExprRef& number) {
        place_line(body, line);
        place_on_line(body, number);
    }
    void place_on_line(Body& body, const ExprRef& number) {
        const ExprRef extent = whole_ ? c().extent(work_.along) : cell_extent();
        const ExprRef last = subtract(extent, integer(1)), within = whole_ ? number : minimum(number, last);
        const ExprRef at = work_.running().backward ? subtract(last, within) : within;
        body.push_back({Let{Type::i32, c().coordinate(work_.along), whole_ ? at : convert(Type::i32, at)}});
    }
    void place_line(Body& body, const ExprRef& line) {
        const std::vector<std::size_t> axes = others();
        if (axes.empty()) return;
        const std::string own = c().once("line", "line");
        const ExprRef all = line_number(line);
        body.push_back({Let{Type::i64, own, whole_ ? all : minimum(all, subtract(line_count(), integer(1)))}});
        ExprRef left = name(own);
        for (const std::size_t k : axes) {
            const bool is_last = k == axes.back();
            body.push_back({Let{Type::i32, c().coordinate(k),
                                convert(Type::i32, is_last ? left : modulo(left, wide(c().extent(k))))}});
            left = divide(left, wide(c().extent(k)));
        }
    }
    ExprRef line_number(const ExprRef& line) {
        return schedule_.lines() > 1 ? kernel::add(first_line(), wide(line)) : first_line();
    }
    ExprRef is_line(const ExprRef& line) {
        return schedule_.lines() > 1 ? binary("<", line_number(line), line_count()) : nullptr;
    }
    /// The statements, where the block has this cell.
    void append_at_cell(Body& to, const ExprRef& line, const ExprRef& number, Body body) {
        if (whole_) return append(to, std::move(body));
        append_if(to, both(is_line(line), binary("<", number, cell_extent())), std::move(body));
    }
    Statement each_own(Body body) {
        return {For{text_of(own()), integer(0), integer(running_base), 1, -1, std::move(body)}};
    }
    ExprRef own() { return name(c().once("own cell", "k")); }
    ExprRef own_line() { return thread_index(across()); }
    ExprRef own_number() { return number(kernel::add(multiply(thread_index(along()), integer(running_base)), own())); }
    /// Where a thread's cells lie in the tile.
    ExprRef own_in_tile() { return kernel::add(multiply(linear_thread(), integer(schedule_.pitch())), own()); }

    // --- cells ---

    struct Evaluated {
        ExprRef word;
        std::set<std::string> registers;  ///< that it left, in the same scope
    };
    /// What is folded of the cell at the coordinates.
    Evaluated evaluated(Body& body) {
        go_on_with(work_.cells);
        CellWriter writer(c(), *work_.cell, coordinates(c()));
        const ExprRef value = writer.folded(call(), word_);
        append(body, writer.take_body());
        return {value, writer.held()};
    }
    /// The body for each word of the tile that a thread has in its turn along memory, by its line and its number.
    template <class Each>
    Body along_tile(const Each& each) {
        const int threads = schedule_.threads(), step = schedule_.step_cells();
        const ExprRef pass = name(c().once("pass over the tile", "pass"));
        const std::string word = c().once("word of the tile", "word");
        Body body{{Let{Type::i32, word, kernel::add(multiply(pass, integer(threads)), linear_thread())}}};
        const bool one = schedule_.lines() == 1;
        const ExprRef line = one ? integer(0) : divide(name(word), integer(step));
        const ExprRef cell = one ? name(word) : modulo(name(word), integer(step));
        // A multiple of the threads has a place by itself: the compiler adds it to the address.
        const ExprRef in_tile =
            kernel::add(kernel::add(linear_thread(), divide(linear_thread(), integer(running_base))),
                        multiply(pass, integer(threads + threads / running_base)));
        each(body, line, number(cell), element(tile_, in_tile));
        return {{For{text_of(pass), integer(0), integer(running_base), 1, together(), std::move(body)}}};
    }
    Body evaluate_into_tile() {
        return either([&] {
            return along_tile([&](Body& body, const ExprRef& line, const ExprRef& at, const ExprRef& in_tile) {
                place(body, line, at);
                const ExprRef value = evaluated(body).word;
                body.push_back({Assign{in_tile, value}});
            });
        });
    }
    Body store_from_tile() {
        return either([&] {
            return along_tile([&](Body& body, const ExprRef& line, const ExprRef& at, const ExprRef& in_tile) {
                Body there;
                place(there, line, at);
                append(there, results(in_tile));
                append_at_cell(body, line, at, std::move(there));
            });
        });
    }
    /// What the kernel makes of the running sum of the cell at the coordinates, and stores. `registers` hold what was
    /// read of the cell in the same scope.
    Body results(const ExprRef& word, const std::set<std::string>& registers = {}) {
        Body body, stores;
        ExprRef own = word;
        if (work_.points && !std::holds_alternative<Name>(word->node)) {
            own = name(c().once("own sum", c().program.variables[c().variable(call().value)].name + "_own"));
            body.push_back({Let{word_, text_of(own), word}});
        }
        if (work_.is_stored()) stores.push_back(store(own));
        if (work_.points) {
            go_on_with(*work_.points);
            c().hold(call().value, own);
            CellWriter writer(c(), *work_.point, coordinates(c()));
            for (const std::string& each : registers) writer.hold(each);
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
            at.push_back(work_.cells.plan().is_of_parts(axis) ? piece() : name(c().coordinate(axis)));
        }
        const Type in_memory = word_type(c().cell_type(call().value));
        const Type type = work_.is_running() ? word_ : fold_.type;
        return {Assign{element(c().array_out(call().value), c().index(call().value, at)),
                       in_memory == type ? word : convert(in_memory, word)}};
    }
    /// What is before the block's piece of the line at the coordinates.
    ExprRef carried() {
        const FieldRead& read = call().reads.at(work_.running().carries.value());
        std::vector<ExprRef> at;
        for (const FieldIndex& index : read.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            at.push_back(moving != nullptr ? name(c().coordinate(moving->axis)) : piece());
        }
        return element(c().array_in(read.value), c().index(read.value, at));
    }

private:
    std::unique_ptr<FieldContext> context_;  ///< of what is folded, or of points
    bool whole_ = false;                     ///< what is written is of turns whose cells are all there
    const std::string from_ = c().once("first cell of the turn", "from"),
                      whole_turn_ = c().once("whole turn", "whole_turn");

    /// How many cells a thread evaluates behind each other, so that their words are under way together.
    [[nodiscard]] int together() const {
        constexpr int evaluated_together = 256;
        const FieldStatement& statement = *call().statement;
        const int operations = operation_count(*statement.value) + static_cast<int>(statement.operands.size());
        int cells = running_base;
        while (cells > 1 && cells * operations > evaluated_together) cells /= 2;
        return cells;
    }
};

}  // namespace kasc::kernel
