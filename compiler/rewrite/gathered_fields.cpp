#include "rewrite/gathered_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// What a reader may have of it: each position is computed for each of its cells.
constexpr std::size_t most_positions = 16, most_reads = 96;

bool has_operands(const Expression& e) {
    return any_part(e, [](const Expression& part) { return std::holds_alternative<OperandUse>(part.node); });
}

bool is_computed(const AxisIndex& index) { return std::holds_alternative<Computed>(index); }

/// What is read stands at positions that coordinates and numbers make, or goes along with the reader.
bool stands_at_places(const Operand& operand) {
    const auto fits = [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        const auto* computed = std::get_if<Computed>(&index);
        return (offset && offset->cells == 0 && !offset->across) || (computed && !has_operands(*computed->position));
    };
    return std::all_of(operand.indices.begin(), operand.indices.end(), fits) &&
           std::any_of(operand.indices.begin(), operand.indices.end(), is_computed);
}

ExpressionRef position(auto node, const Span& span) {
    return make_expression(std::move(node), ScalarKind::integer, span);
}
ExpressionRef position(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    return position(BinaryOperation{op, left, right}, left->span);
}
ExpressionRef cells_of(long long value, const Span& span) {
    return position(Literal{static_cast<double>(value)}, span);
}
/// From 0 to n - 1, whatever the sign.
ExpressionRef in_range(const ExpressionRef& e, const ExpressionRef& n) {
    const ExpressionRef rest = position(BinaryOperator::modulo, e, n);
    return position(BinaryOperator::modulo, position(BinaryOperator::add, rest, n), n);
}

/// The statement that makes a field, at the cell where an operand reads it.
class Placed {
public:
    Placed(const Program& program, const FieldStatement& from, const Operand& read) : program_(program), from_(from) {
        const std::vector<AxisId>& axes = field_shape(program, read.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k)
            if (const auto* computed = std::get_if<Computed>(&read.indices[k]))
                places_.emplace_back(axes[k], computed->position);
    }

    /// None: a neighbour of it lies beyond a face that no position expresses.
    [[nodiscard]] std::optional<FieldStatement> run() {
        FieldStatement made = from_;
        made.value = expression(from_.value);
        for (Operand& operand : made.operands) {
            const FieldShape& shape = field_shape(program_, operand.variable);
            for (std::size_t k = 0; k < operand.indices.size(); ++k)
                operand.indices[k] = index(operand.indices[k], shape, k);
        }
        return possible_ ? std::optional(std::move(made)) : std::nullopt;
    }

private:
    const Program& program_;
    const FieldStatement& from_;
    std::vector<std::pair<AxisId, ExpressionRef>> places_;
    bool possible_ = true;

    /// Null: it goes along with the reader.
    [[nodiscard]] ExpressionRef place(AxisId axis) const {
        const auto found =
            std::find_if(places_.begin(), places_.end(), [&](const auto& place) { return place.first == axis; });
        return found == places_.end() ? nullptr : found->second;
    }
    [[nodiscard]] static ExpressionRef extent(AxisId axis, const Span& span) { return position(ExtentUse{axis}, span); }
    /// Beyond the grid it is the nearest cell.
    [[nodiscard]] ExpressionRef cell(AxisId axis) const {
        const ExpressionRef at = place(axis);
        if (!at) return nullptr;
        const ExpressionRef last = position(BinaryOperator::subtract, extent(axis, at->span), cells_of(1, at->span));
        const ExpressionRef below = position(IntrinsicCall{Intrinsic::minimum, {at, last}}, at->span);
        return position(IntrinsicCall{Intrinsic::maximum, {below, cells_of(0, at->span)}}, at->span);
    }
    [[nodiscard]] ExpressionRef expression(const ExpressionRef& e) const {
        return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            const auto* at = std::get_if<CoordinateUse>(&leaf->node);
            const ExpressionRef here = at ? cell(at->axis) : nullptr;
            return here ? here : leaf;
        });
    }
    [[nodiscard]] AxisIndex index(const AxisIndex& from, const FieldShape& shape, std::size_t k) {
        if (const auto* computed = std::get_if<Computed>(&from)) return Computed{expression(computed->position)};
        const auto* offset = std::get_if<Offset>(&from);
        if (!offset || !place(shape.axes[k])) return from;
        if (offset->across) possible_ = false;
        // A position sees the nearest cell by itself.
        return Computed{offset->cells == 0 ? place(shape.axes[k]) : neighbour(shape, k, offset->cells)};
    }
    [[nodiscard]] ExpressionRef neighbour(const FieldShape& shape, std::size_t k, int cells) {
        const AxisId axis = shape.axes[k];
        const ExpressionRef own = cell(axis);
        const ExpressionRef at = position(BinaryOperator::add, own, cells_of(cells, own->span));
        const ExpressionRef all = extent(axis, own->span);
        const Face& face = shape.faces[k].crossed_by(cells);
        if (face.kind == BoundaryKind::keep) return at;
        if (face.kind == BoundaryKind::periodic) return in_range(at, all);
        if (face.kind != BoundaryKind::mirror || face.odd || shape.faces[k].low.odd || shape.faces[k].high.odd) {
            possible_ = false;
            return at;
        }
        if (std::abs(cells) == 1) return at;  // the mirror image is the nearest cell
        const ExpressionRef two = position(BinaryOperator::multiply, cells_of(2, own->span), all);
        const ExpressionRef in_two = in_range(at, two);
        const ExpressionRef image =
            position(BinaryOperator::subtract, position(BinaryOperator::subtract, two, cells_of(1, own->span)), in_two);
        return position(IntrinsicCall{Intrinsic::minimum, {in_two, image}}, own->span);
    }
};

class Gathering {
public:
    explicit Gathering(const Program& program) { result_.program = program; }

    GatheredFields run() {
        result_.program.statements =
            with_lists(result_.program.statements, [&](const Statements& list) { return gathered(list); });
        return std::move(result_);
    }

private:
    GatheredFields result_;
    Statements before_;  ///< the list at hand, as it was

    [[nodiscard]] const Program& program() const { return result_.program; }

    /// The last ones first: what they read at positions then is read there by others.
    Statements gathered(Statements list) {
        before_ = list;
        for (std::size_t i = list.size(); i-- > 0;) {
            const auto* made = std::get_if<FieldStatement>(&list[i]);
            if (!made || !is_whole(program(), *made) || joins_cells(*made) || made->adding) continue;
            const std::vector<std::size_t> readers = readers_of(list, i);
            if (readers.empty()) continue;
            Verdict verdict = gather(list, i, readers);
            result_.changed = result_.changed || verdict;
            result_.verdicts.push_back({statement_text(program(), list[i]), verdict});
            if (verdict) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return list;
    }

    /// All that reads what the statement has made, at positions alone; empty: something reads it otherwise.
    [[nodiscard]] std::vector<std::size_t> readers_of(const Statements& list, std::size_t i) const {
        const VariableId field = std::get<FieldStatement>(list[i]).target;
        std::vector<std::size_t> readers;
        bool replaced = false;
        for (std::size_t k = i + 1; k < list.size() && !replaced; ++k) {
            if (reads(list[k], field)) {
                const auto* reader = std::get_if<FieldStatement>(&list[k]);
                if (!reader || reader->fold || reader->adding || !reads_at_places(*reader, field)) return {};
                readers.push_back(k);
            }
            if (!assigns(list[k], field)) continue;
            const auto* next = std::get_if<FieldStatement>(&list[k]);
            if (!next || !is_whole(program(), *next)) return {};
            replaced = true;
        }
        return replaced || !is_seen_later(list, i) ? readers : std::vector<std::size_t>{};
    }
    /// Behind the list, or by an iteration behind this one.
    [[nodiscard]] bool is_seen_later(const Statements& list, std::size_t i) const {
        const VariableId field = std::get<FieldStatement>(list[i]).target;
        if (is_seen_outside(program(), before_, field)) return true;
        for (std::size_t k = 0; k <= i; ++k)
            if (reads(list[k], field) && !definition(list, field, k)) return true;
        return false;
    }
    [[nodiscard]] static bool reads_at_places(const FieldStatement& reader, VariableId field) {
        const std::set<std::size_t> positions = operands_of_positions(reader);
        for (std::size_t k = 0; k < reader.operands.size(); ++k)
            if (reader.operands[k].variable == field &&
                (positions.contains(k) || !stands_at_places(reader.operands[k])))
                return false;
        return true;
    }
    Verdict gather(Statements& list, std::size_t i, const std::vector<std::size_t>& readers) {
        const FieldStatement from = std::get<FieldStatement>(list[i]);
        for (const Operand& operand : from.operands)
            if (!unchanged(list, operand.variable, i + 1, readers.back()))
                return Verdict::no(
                    fmt::format("{} is assigned before it is read", program().variables[operand.variable].name));
        Statements made = list;
        std::size_t added = 0, positions = 0;
        for (const std::size_t reader : readers) {
            FieldStatement now = std::get<FieldStatement>(list[reader]);
            const std::vector<AxisId> axes = free_axes(program(), now);
            for (Operand& operand : now.operands) {
                if (operand.variable != from.target) continue;
                auto here = Placed(program(), from, operand).run();
                if (!here) return Verdict::no("a neighbour of it may lie beyond a face that no position expresses");
                if (++positions > most_positions || positions * from.operands.size() > most_reads)
                    return Verdict::no("it would be computed at too many positions");
                const FieldShape& shape = field_shape(program(), from.target);
                const VariableId field = new_field(result_.program, program().variables[from.target].name + "_here",
                                                   axes, shape.type, from.span);
                here->target = field;
                here->target_indices.assign(axes.size(), AxisIndex{Offset{0}});
                here->at.clear();
                made.insert(made.begin() + static_cast<std::ptrdiff_t>(reader + added++),
                            with_equal_operands_once(*here));
                operand = {field, std::vector<AxisIndex>(axes.size(), AxisIndex{Offset{0}}), operand.span};
            }
            made[reader + added] = with_equal_operands_once(now);
        }
        list = std::move(made);
        return Verdict::yes("it is computed where it is read");
    }
};

}  // namespace

GatheredFields gathered_fields(const Program& program) { return Gathering(program).run(); }

}  // namespace kasc
