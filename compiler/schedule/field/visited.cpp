#include "schedule/field/visited.hpp"

#include <algorithm>

#include "frontend/cell_boxes.hpp"
#include "frontend/make_expression.hpp"

namespace kasc {

namespace {

/// Cells of a row that the threads of a warp access together.
constexpr int whole_cells = 32;

class Ranges {
public:
    explicit Ranges(Span span) : span_(std::move(span)) {}

    VisitedRange along(AxisId axis, const std::vector<CellBox>& boxes, bool first) const {
        const CellRange cells = range_of(boxes, axis);
        VisitedRange range;
        if (cells.low) {
            range.low = of(Intrinsic::maximum, cells.low, number(0));
            if (first)
                range.low = of(BinaryOperator::multiply, of(BinaryOperator::divide, range.low, number(whole_cells)),
                               number(whole_cells));
        }
        if (cells.high)
            range.high =
                of(Intrinsic::minimum, cells.high, make_expression(ExtentUse{axis}, ScalarKind::integer, span_));
        return range;
    }

private:
    Span span_;

    [[nodiscard]] ExpressionRef number(int value) const {
        return make_expression(Literal{static_cast<double>(value)}, ScalarKind::integer, span_);
    }
    [[nodiscard]] ExpressionRef of(Intrinsic which, ExpressionRef a, ExpressionRef b) const {
        return make_expression(IntrinsicCall{which, {std::move(a), std::move(b)}}, ScalarKind::integer, span_);
    }
    [[nodiscard]] ExpressionRef of(BinaryOperator op, ExpressionRef a, ExpressionRef b) const {
        return make_expression(BinaryOperation{op, std::move(a), std::move(b)}, ScalarKind::integer, span_);
    }
};

}  // namespace

std::vector<VisitedRange> visited_ranges(const FieldPlan& plan) {
    // Others of a kernel visit all cells.
    if (plan.calls.size() != 1 || plan.axes.size() > 3) return {};
    const FieldCall& call = plan.calls.front();
    const FieldStatement& s = *call.statement;
    if (!s.where || s.adding || !s.listed.empty() || !call.fixed.empty()) return {};
    const std::vector<CellBox> boxes = boxes_of(s.where);
    const Ranges ranges(s.span);
    std::vector<VisitedRange> visited;
    for (std::size_t k = 0; k < plan.axes.size(); ++k) visited.push_back(ranges.along(plan.axes[k], boxes, k == 0));
    const bool all = std::all_of(visited.begin(), visited.end(),
                                 [](const VisitedRange& range) { return !range.low && !range.high; });
    return all ? std::vector<VisitedRange>{} : visited;
}

}  // namespace kasc
