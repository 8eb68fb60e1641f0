#include "schedule/field/crossed.hpp"

#include <algorithm>
#include <cmath>

namespace kasc {

namespace {

std::optional<double> steps_along(const Expression& e, AxisId axis) {
    if (std::holds_alternative<Literal>(e.node) || std::holds_alternative<ExtentUse>(e.node)) return 0;
    if (const auto* at = std::get_if<CoordinateUse>(&e.node)) return at->axis == axis ? 1 : 0;
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    if (!b) return std::nullopt;
    const auto left = steps_along(*b->left, axis), right = steps_along(*b->right, axis);
    if (!left || !right) return std::nullopt;
    if (b->op == BinaryOperator::add) return *left + *right;
    if (b->op == BinaryOperator::subtract) return *left - *right;
    const auto *l = std::get_if<Literal>(&b->left->node), *r = std::get_if<Literal>(&b->right->node);
    if (b->op != BinaryOperator::multiply || (!l && !r)) return std::nullopt;
    return l ? l->value * *right : r->value * *left;
}

}  // namespace

std::optional<double> cells_a_step(const FieldIndex& index, std::size_t axis, const std::vector<AxisId>& axes) {
    if (const auto* moving = std::get_if<Moving>(&index)) return moving->axis == axis ? 1 : 0;
    const auto* computed = std::get_if<Computed>(&index);
    return computed ? steps_along(*computed->position, axes[axis]) : 0;
}

std::optional<std::size_t> crossed_axis(const std::vector<FieldIndex>& indices, const std::vector<AxisId>& axes) {
    if (indices.empty() || axes.empty()) return std::nullopt;
    const auto goes_along = [&](const FieldIndex& index) { return cells_a_step(index, 0, axes).value_or(0) != 0; };
    if (!cells_a_step(indices.front(), 0, axes) || goes_along(indices.front())) return std::nullopt;
    if (std::none_of(indices.begin() + 1, indices.end(), goes_along)) return std::nullopt;
    for (std::size_t k = 1; k < axes.size(); ++k)
        if (std::abs(cells_a_step(indices.front(), k, axes).value_or(0)) == 1) return k;
    return std::nullopt;
}

bool crosses(const FieldPlan& plan, std::size_t axis) {
    return std::any_of(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& call) {
        return crossed_axis(call.target, plan.axes) == axis ||
               std::any_of(call.reads.begin(), call.reads.end(),
                           [&](const FieldRead& read) { return crossed_axis(read.indices, plan.axes) == axis; });
    });
}

}  // namespace kasc
