// Chooses the axes of a tile of results: two of those that are left, each with words along the fold that the other
// lacks.
#include <algorithm>
#include <set>
#include <string>

#include "frontend/expression_parts.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "schedule/product/schedule.hpp"

namespace kasc {

namespace {

/// The axes along which this index goes with the cell: its own, or those that its position is made of (`u[x = x + i]`).
std::vector<AxisId> axes_of(const FieldIndex& index, const FieldPlan& plan) {
    if (const auto* moving = std::get_if<Moving>(&index)) return {plan.axes[moving->axis]};
    const auto* computed = std::get_if<Computed>(&index);
    if (computed == nullptr) return {};
    std::vector<AxisId> axes;
    for (const AxisId axis : plan.axes)
        if (asks_for(*computed->position, axis)) axes.push_back(axis);
    return axes;
}

bool goes_along(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

class TileAxes {
public:
    TileAxes(const Program& program, const Graph& graph, std::shared_ptr<const LineWork> pass)
        : program_(program), graph_(graph), pass_(std::move(pass)), plan_(pass_->passes.front().cells.plan()) {}

    ProductWorkResult run() {
        auto work = std::make_shared<ProductWork>();
        work->pass = pass_;
        for (const FieldCall& call : plan_.calls) {
            if (!call.statement->fold) return {nullptr, "beside what is folded of pairs nothing else is computed"};
            for (const FieldRead& read : call.reads) {
                if (std::string fault = fault_of(read, *call.statement); !fault.empty())
                    return {nullptr, std::move(fault)};
                if (!same_for_all(read.indices)) add(work->reads, read, call.statement->precision);
            }
        }
        if (std::any_of(work->reads.begin(), work->reads.end(),
                        [&](const ProductRead& r) { return is_of_each_cell(r); }))
            return {nullptr, "each cell has a word of its own, which no other result needs"};
        find_axes(*work);
        find_rows(*work);
        if (!work->joins()) work->beside.push_back(pass_->parts);
        for (const AxisId axis : pass_->kept)
            if (axis != work->across && axis != work->down && !goes_along(work->rows, axis))
                work->beside.push_back(axis);
        std::set<std::string> seen;
        for (const FieldCall& call : plan_.calls) {
            const FieldStatement& statement = *call.statement;
            const std::vector<std::string> operands = operand_texts(statement, program_);
            add_parts(*statement.value, statement, operands, seen, work->parts);
        }
        for (ProductRead& read : work->reads) {
            read.along = moves_along_line(read);
            read.across = moves(read, work->across);
            read.down = work->down && moves(read, *work->down);
            read.along_first = cells_first(read, *work);
            read.beside = (read.along && !work->joins()) || std::any_of(work->beside.begin(), work->beside.end(),
                                                                        [&](AxisId axis) { return moves(read, axis); });
        }
        return {std::move(work), {}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    std::shared_ptr<const LineWork> pass_;
    const FieldPlan& plan_;

    [[nodiscard]] std::string fault_of(const FieldRead& read, const FieldStatement& statement) const {
        if (read.producer) return "what is folded of pairs is read from memory";
        for (const FieldIndex& index : read.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            if (moving && moving->step != 0) return "neighbours are read from memory, pair by pair";
            const auto* computed = std::get_if<Computed>(&index);
            if (computed && operands_end(*computed->position) > 0)
                return "cells at positions that are read are read from memory, pair by pair";
            const bool is_place = computed && std::holds_alternative<CoordinateUse>(computed->position->node);
            if (computed && !is_place && (calls_library(*computed->position) || computes_long(program_, statement)))
                return "positions of the library's functions, or of 64 bits, are computed pair by pair";
        }
        if (is_complex(type_of(read))) return "complex numbers are not copied";
        return {};
    }
    [[nodiscard]] CellType type_of(const FieldRead& read) const {
        return field_shape(program_, graph_.values[read.value].variable).type;
    }

    [[nodiscard]] static bool same_place(const FieldIndex& a, const FieldIndex& b) {
        const auto *m = std::get_if<Moving>(&a), *n = std::get_if<Moving>(&b);
        if (m || n) return m && n && m->axis == n->axis;
        const auto *c = std::get_if<Computed>(&a), *d = std::get_if<Computed>(&b);
        if (c || d) return c && d && same_expression(c->position, d->position);
        return same_expression(std::get<Absolute>(a).position, std::get<Absolute>(b).position);
    }
    void add(std::vector<ProductRead>& reads, const FieldRead& read, Precision precision) const {
        for (ProductRead& known : reads) {
            const bool alike = known.value == read.value && known.precision == precision &&
                               std::equal(known.indices.begin(), known.indices.end(), read.indices.begin(), same_place);
            if (!alike) continue;
            known.by.push_back(&read);
            return;
        }
        reads.push_back({read.value, type_of(read), read.indices, precision, {&read}});
    }

    /// Parts of what was seen before were seen, too.
    void add_parts(const Expression& e, const FieldStatement& statement, const std::vector<std::string>& operands,
                   std::set<std::string>& seen, std::vector<ProductWork::Part>& parts) const {
        if (!seen.insert(to_text(e, program_, operands)).second) return;
        parts.push_back({&e, statement.precision});
        for_each_operand_part(e, [&](const Expression& part) { add_parts(part, statement, operands, seen, parts); });
    }

    [[nodiscard]] bool moves(const ProductRead& read, AxisId axis) const {
        return std::any_of(read.indices.begin(), read.indices.end(),
                           [&](const FieldIndex& index) { return goes_along(axes_of(index, plan_), axis); });
    }
    [[nodiscard]] bool moves_along_line(const ProductRead& read) const {
        const std::vector<AxisId> line = pass_->line_axes();
        return std::any_of(line.begin(), line.end(), [&](AxisId axis) { return moves(read, axis); });
    }

    [[nodiscard]] bool is_of_each_cell(const ProductRead& read) const {
        return std::all_of(pass_->kept.begin(), pass_->kept.end(), [&](AxisId axis) { return moves(read, axis); }) &&
               moves_along_line(read);
    }

    /// Words of a folded cell that a tile of 64 results along each of its axes needs, by result; none: some read has
    /// both axes.
    [[nodiscard]] std::optional<double> words_by_result(const std::vector<ProductRead>& reads, AxisId across,
                                                        std::optional<AxisId> down) const {
        constexpr double side = 64;
        double words = 0;
        for (const ProductRead& read : reads) {
            if (!moves_along_line(read)) continue;
            const bool is_across = moves(read, across), is_down = down && moves(read, *down);
            if (is_across && is_down) return std::nullopt;
            words += is_across || is_down ? side : 1;
        }
        return words / (down ? side * side : side);
    }

    /// Finds, of the axes that are left, the one or two with which the fewest words are read; of several the first in
    /// memory.
    void find_axes(ProductWork& work) const {
        const std::vector<AxisId>& kept = pass_->kept;
        std::optional<double> least;
        const auto look_at = [&](AxisId across, std::optional<AxisId> down) {
            const auto words = words_by_result(work.reads, across, down);
            if (!words || (least && *words >= *least)) return;
            least = words, work.across = across, work.down = down;
        };
        for (const AxisId across : kept) look_at(across, std::nullopt);
        for (std::size_t a = 0; a < kept.size(); ++a)
            for (std::size_t d = a + 1; d < kept.size(); ++d) look_at(kept[a], kept[d]);
        // Threads beside each other store what lies beside each other.
        if (work.down && place_of_result(*work.down, work) < place_of_result(work.across, work))
            std::swap(*work.down, work.across);
    }
    /// Those with which all that is another word along them goes, where cells are looked for at positions: at these it
    /// is no further to another row.
    void find_rows(ProductWork& work) const {
        const auto at_positions = [&](const ProductRead& read) {
            return std::any_of(read.indices.begin(), read.indices.end(), [&](const FieldIndex& index) {
                return std::holds_alternative<Computed>(index) && goes_along(axes_of(index, plan_), work.across);
            });
        };
        if (std::none_of(work.reads.begin(), work.reads.end(), at_positions)) return;
        for (const AxisId axis : pass_->kept) {
            if (axis == work.across || axis == work.down) continue;
            const bool goes = std::all_of(work.reads.begin(), work.reads.end(), [&](const ProductRead& read) {
                return !moves(read, axis) || (moves(read, work.across) && !(work.down && moves(read, *work.down)));
            });
            if (goes) work.rows.push_back(axis);
        }
    }
    [[nodiscard]] std::size_t place_of_result(AxisId axis, const ProductWork& work) const {
        const FieldPlan& results = work.joins() ? work.of().joins->plan() : plan_;
        const std::vector<AxisId>& axes = field_shape(program_, results.calls.front().statement->target).axes;
        return static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
    }

    /// Words lie closest to each other in memory along a folded axis, not along one of the tile.
    [[nodiscard]] bool cells_first(const ProductRead& read, const ProductWork& work) const {
        const std::vector<AxisId> line = pass_->line_axes();
        for (const FieldIndex& index : read.indices) {
            const std::vector<AxisId> axes = axes_of(index, plan_);
            const auto goes = [&](AxisId axis) { return goes_along(axes, axis); };
            if (goes(work.across) || (work.down && goes(*work.down))) return false;
            if (std::any_of(line.begin(), line.end(), goes)) return true;
        }
        return false;
    }
};

}  // namespace

ProductWorkResult product_work(const Program& program, const Graph& graph, const Fusion& fusion) {
    LineWorkResult pass = line_work(program, graph, fusion);
    if (!pass.value) return {nullptr, std::move(pass.reason)};
    if (pass.value->passes.size() != 1) return {nullptr, "results are folded of pairs once"};
    return TileAxes(program, graph, std::move(pass.value)).run();
}

}  // namespace kasc
