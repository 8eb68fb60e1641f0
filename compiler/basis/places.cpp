// With parameters first, own, low and cells of a cut axis x, of the grid's position i:
//
//   own                i >= first && i < first + own
//   at its place       i - first + low
//   from a block's x   g = x + first - low; g < 0 ? g + cells : g >= cells ? g - cells : g
#include "basis/places.hpp"

#include <algorithm>
#include <set>

#include "basis/integers.hpp"
#include "basis/scales.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"
#include "frontend/with_operands.hpp"

namespace kasc::basis {

namespace {

/// The extents by which a transform back is scaled where it is read are those that it has.
void add_scales(const FieldStatement& s, const Expression& e, const std::map<VariableId, std::multiset<AxisId>>& scaled,
                std::set<const Expression*>& all) {
    const auto* product = std::get_if<BinaryOperation>(&e.node);
    const auto* use = product ? std::get_if<OperandUse>(&product->right->node) : nullptr;
    if (use != nullptr) {
        const auto back = scaled.find(s.operands.at(use->operand).variable);
        if (back != scaled.end() && is_scaled(e, back->second))
            for_each_part(*product->left, [&](const Expression& part) { all.insert(&part); });
    }
    for_each_operand_part(e, [&](const Expression& part) { add_scales(s, part, scaled, all); });
}

}  // namespace

Places::Places(const Program& program, const Blocks& blocks, const Domains& domains,
               const std::vector<BlockParameters>& parameters)
    : program_(program), blocks_(blocks), domains_(domains), parameters_(parameters) {
    for (BackScale& scale : scales_back(program)) {
        if (!scale.where_made) scaled_[scale.last->target] = std::move(scale.axes);
    }
}

FieldStatement Places::local(const FieldStatement& s) const {
    FieldStatement made = s;
    made.value = expression(&s, s.value);
    if (s.where) made.where = expression(&s, s.where);
    const auto& target = field_shape(program_, s.target).axes;
    for (Operand& operand : made.operands) {
        const auto& axes = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const AxisIndex given = operand.indices[k];
            operand.indices[k] = read_at(s, axes[k], given);
            const ExpressionRef position = position_of(given);
            const auto along = std::find(target.begin(), target.end(), axes[k]);
            if (!position || along == target.end() || blocks_.find(axes[k]) == nullptr) continue;
            // The cell that is assigned, which only who has it stores.
            const AxisIndex& stored = s.target_indices[static_cast<std::size_t>(along - target.begin())];
            if (same_expression(position_of(stored), position)) operand.indices[k] = stored_at(s, axes[k], stored);
        }
    }
    for (std::size_t k = 0; k < target.size(); ++k)
        made.target_indices[k] = stored_at(s, target[k], s.target_indices[k]);
    return with_condition(s, std::move(made));
}

ExpressionRef Places::uniform(const ExpressionRef& e) const { return expression(nullptr, e); }

FieldStatement Places::own_entries(const KnownAt& known, Program& program) const {
    const FieldStatement& read = *known.read;
    FieldStatement made{read.span, {}, {}, read.operands, nullptr, Precision::single, {}, nullptr};
    std::set<AxisId> along;
    const std::function<void(const Expression&)> add_axes = [&](const Expression& e) {
        for_each_part(e, [&](const Expression& part) {
            if (const auto* at = std::get_if<CoordinateUse>(&part.node)) along.insert(at->axis);
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (use == nullptr) return;
            const Operand& operand = read.operands.at(use->operand);
            const auto& axes = field_shape(program_, operand.variable).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const ExpressionRef position = position_of(operand.indices[k]);
                if (position)
                    add_axes(*position);
                else
                    along.insert(axes[k]);
            }
        });
    };
    const auto& axes = field_shape(program_, known.operand->variable).axes;
    ExpressionRef all;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const ExpressionRef position = position_of(known.operand->indices[k]);
        if (!position || blocks_.find(axes[k]) == nullptr) continue;
        add_axes(*position);
        const ExpressionRef here = own(axes[k], nearest(axes[k], expression(&read, position)));
        all = all ? both(BinaryOperator::logical_and, all, here) : here;
    }
    made.value = choose(all, number(1), number(0));
    made.target = new_field(program, "own_entries", {along.begin(), along.end()}, CellType::int32, read.span);
    made.target_indices.assign(along.size(), Offset{0});
    for (Operand& operand : made.operands) {
        const auto& of = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < of.size(); ++k) operand.indices[k] = read_at(read, of[k], operand.indices[k]);
    }
    return frontend::with_equal_operands_once(made);
}

const BlockParameters& Places::of(AxisId axis) const {
    return parameters_.at(static_cast<std::size_t>(blocks_.find(axis) - blocks_.axes.data()));
}

ExpressionRef Places::expression(const FieldStatement* s, const ExpressionRef& e) const {
    std::set<const Expression*> scales;
    if (s != nullptr) add_scales(*s, *e, scaled_, scales);
    return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
        if (const auto* at = std::get_if<CoordinateUse>(&leaf->node)) {
            const bool cells = blocks_.find(at->axis) != nullptr && s && domains_.along(*s, at->axis) != Along::waves;
            return cells ? coordinate(at->axis) : leaf;
        }
        const auto* use = std::get_if<ExtentUse>(&leaf->node);
        if (use == nullptr || domains_.cut(use->axis) == nullptr || scales.contains(leaf.get()) ||
            has_extents_of_block(s, use->axis))
            return leaf;
        const auto& whole = program_.axes[use->axis].half_of;
        const ExpressionRef cells = value(of(whole ? *whole : use->axis).cells);
        return whole ? both(BinaryOperator::add, both(BinaryOperator::divide, cells, number(2)), number(1)) : cells;
    });
}

/// The axis stands in a statement about waves.
bool Places::has_extents_of_block(const FieldStatement* s, AxisId axis) const {
    if (s == nullptr) return false;
    const AxisId whole = domains_.cut(axis)->axis;
    std::optional<Along> along = domains_.along(*s, whole);
    for (const AxisId half : program_.axes.ids()) {
        if (program_.axes[half].half_of == whole && domains_.along(*s, half)) along = Along::waves;
    }
    return along ? *along == Along::waves : domains_.runs_along_waves(*s);
}

ExpressionRef Places::coordinate(AxisId axis) const {
    const BlockParameters& p = of(axis);
    const ExpressionRef here = nowhere.coordinate(axis);
    const ExpressionRef cell =
        both(BinaryOperator::add, here, both(BinaryOperator::subtract, value(p.first), value(p.low)));
    const ExpressionRef behind = choose(both(BinaryOperator::greater_equal, cell, value(p.cells)),
                                        both(BinaryOperator::subtract, cell, value(p.cells)), cell);
    return choose(both(BinaryOperator::less, cell, number(0)), both(BinaryOperator::add, cell, value(p.cells)), behind);
}

ExpressionRef Places::own(AxisId axis, const ExpressionRef& position) const {
    const BlockParameters& p = of(axis);
    return both(BinaryOperator::logical_and, both(BinaryOperator::greater_equal, position, value(p.first)),
                both(BinaryOperator::less, position, both(BinaryOperator::add, value(p.first), value(p.own))));
}

/// Reads beyond the grid see the nearest cell.
ExpressionRef Places::nearest(AxisId axis, const ExpressionRef& position) const {
    return between(position, both(BinaryOperator::subtract, value(of(axis).cells), number(1)));
}

ExpressionRef Places::in_block(AxisId axis, const ExpressionRef& position) const {
    return both(BinaryOperator::add, position,
                both(BinaryOperator::subtract, value(of(axis).low), value(of(axis).first)));
}

/// Where the cell is another's, any of the block's is read.
AxisIndex Places::read_at(const FieldStatement& s, AxisId axis, const AxisIndex& index) const {
    const ExpressionRef position = position_of(index);
    if (!position) return index;
    const ExpressionRef given = expression(&s, position);
    const bool uniform = std::holds_alternative<Absolute>(index);
    if (blocks_.find(axis) == nullptr) return uniform ? AxisIndex{Absolute{given}} : AxisIndex{Computed{given}};
    const ExpressionRef here = in_block(axis, nearest(axis, given));
    if (!uniform) return Computed{here};
    const ExpressionRef last = both(BinaryOperator::subtract, nowhere.extent(axis), number(1));
    return Absolute{between(here, last)};
}

/// Before the first cell where it is another's: so it is left out.
AxisIndex Places::stored_at(const FieldStatement& s, AxisId axis, const AxisIndex& index) const {
    const ExpressionRef position = position_of(index);
    if (!position) return index;
    const ExpressionRef given = expression(&s, position);
    const bool uniform = std::holds_alternative<Absolute>(index);
    if (blocks_.find(axis) == nullptr) return uniform ? AxisIndex{Absolute{given}} : AxisIndex{Computed{given}};
    const ExpressionRef here = choose(own(axis, given), in_block(axis, given), number(-1));
    if (uniform && s.listed.empty()) return Absolute{here};  // with_condition()
    return Computed{here};
}

/// What is assigned at one position along a cut axis is assigned where a cell stands at it: a launch has no position
/// that is none.
FieldStatement Places::with_condition(const FieldStatement& s, FieldStatement made) const {
    const auto& axes = field_shape(program_, s.target).axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const auto* absolute = std::get_if<Absolute>(&made.target_indices[k]);
        if (absolute == nullptr || blocks_.find(axes[k]) == nullptr) continue;
        const ExpressionRef here = both(BinaryOperator::equal, nowhere.coordinate(axes[k]), absolute->position);
        made.where = made.where ? both(BinaryOperator::logical_and, made.where, here) : here;
        for (Operand& operand : made.operands) {
            const auto& read = field_shape(program_, operand.variable).axes;
            for (std::size_t i = 0; i < read.size(); ++i) {
                const ExpressionRef position = position_of(operand.indices[i]);
                if (read[i] == axes[k] && same_expression(position, absolute->position)) operand.indices[i] = Offset{0};
            }
        }
        made.target_indices[k] = Offset{0};
    }
    return frontend::with_equal_operands_once(made);
}

}  // namespace kasc::basis
