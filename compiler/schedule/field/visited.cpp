#include "schedule/field/visited.hpp"

#include <algorithm>

#include "frontend/make_expression.hpp"

namespace kasc {

namespace {

/// Cells of a row that the threads of a warp access together.
constexpr int whole_cells = 32;

ExpressionRef in_whole_warps(const ExpressionRef& cell) {
    const Span& span = cell->span;
    const ExpressionRef cells = make_integer(Literal{whole_cells}, span);
    const ExpressionRef warp = make_integer(BinaryOperation{BinaryOperator::divide, cell, cells}, span);
    return make_integer(BinaryOperation{BinaryOperator::multiply, warp, cells}, span);
}

CellRange on_grid(CellRange range, AxisId axis, const Span& span) {
    const ExpressionRef first = make_integer(Literal{0}, span), end = make_integer(ExtentUse{axis}, span);
    if (range.low) range.low = make_integer(IntrinsicCall{Intrinsic::maximum, {range.low, first}}, span);
    if (range.high) range.high = make_integer(IntrinsicCall{Intrinsic::minimum, {range.high, end}}, span);
    return range;
}

}  // namespace

std::vector<CellRange> visited_ranges(const FieldPlan& plan) {
    // Others of a kernel visit all cells.
    if (plan.calls.size() != 1 || plan.axes.empty() || plan.axes.size() > 3) return {};
    const FieldCall& call = plan.calls.front();
    const FieldStatement& s = *call.statement;
    if (!s.where || s.adding || !s.listed.empty() || !call.fixed.empty()) return {};
    const std::vector<CellBox> boxes = boxes_of(s.where);
    std::vector<CellRange> visited;
    for (const AxisId axis : plan.axes) visited.push_back(on_grid(range_of(boxes, axis), axis, s.span));
    if (ExpressionRef& low = visited.front().low) low = in_whole_warps(low);
    const bool all =
        std::all_of(visited.begin(), visited.end(), [](const CellRange& range) { return !range.low && !range.high; });
    return all ? std::vector<CellRange>{} : visited;
}

}  // namespace kasc
