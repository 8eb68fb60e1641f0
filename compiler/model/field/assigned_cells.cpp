#include "model/field/assigned_cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "frontend/cell_boxes.hpp"
#include "frontend/evaluate.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Runs of loops around that are looked at: boxes grow and shrink evenly with them.
constexpr std::size_t most_runs_of_boxes = 64;
constexpr double unknown_part = 0.5;

/// Cells along one axis, from `low` to before `high`.
struct Interval {
    double low = 0, high = 0;

    void meet(BinaryOperator op, double bound) {
        if (op == BinaryOperator::less || op == BinaryOperator::equal || op == BinaryOperator::less_equal)
            high = std::min(high, op == BinaryOperator::less ? bound : bound + 1);
        if (op == BinaryOperator::greater || op == BinaryOperator::equal || op == BinaryOperator::greater_equal)
            low = std::max(low, op == BinaryOperator::greater ? bound + 1 : bound);
    }
};

/// Parts of axes; half where nobody knows a bound.
class Shares {
public:
    Shares(const Problem& problem, const LoopIndices& run) : problem_(problem), run_(run) {}

    [[nodiscard]] double of(const CellBox& box, AxisId axis) const {
        Interval cells{0, extent(axis)};
        double share = 1;
        for (const CoordinateBound& b : box) {
            if (b.axis != axis) continue;
            if (const auto bound = value(b.bound))
                cells.meet(b.op, *bound);
            else
                share *= unknown_part;
        }
        return share * part(cells, axis);
    }
    [[nodiscard]] double of(const VisitedRange& range, AxisId axis) const {
        Interval cells{0, extent(axis)};
        const auto low = range.low ? value(range.low) : 0, high = range.high ? value(range.high) : cells.high;
        if (!low || !high) return unknown_part;
        return part({*low, *high}, axis);
    }

private:
    const Problem& problem_;
    const LoopIndices& run_;

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    [[nodiscard]] double part(const Interval& cells, AxisId axis) const {
        return extent(axis) > 0 ? std::max(0.0, cells.high - cells.low) / extent(axis) : 1;
    }
    [[nodiscard]] std::optional<double> value(const ExpressionRef& bound) const {
        const double value = evaluate(*bound, problem_.parameters, run_, problem_.extents);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
};

double share_of(const FieldPlan& plan, const Shares& shares) {
    double most = plan.calls.empty() ? 1 : 0;
    for (const FieldCall& call : plan.calls) {
        if (!call.statement->where || call.statement->adding) return 1;
        double all = 0;
        for (const CellBox& box : boxes_of(call.statement->where)) {
            double cells = 1;
            for (const AxisId axis : plan.axes) cells *= shares.of(box, axis);
            all += cells;
        }
        most = std::max(most, std::min(1.0, all));
    }
    return most;
}

}  // namespace

AssignedCells assigned_cells(const FieldWork& work, const Problem& problem) {
    const auto& calls = work.plan.calls;
    if (std::any_of(calls.begin(), calls.end(), [](const FieldCall& call) { return !call.statement->where; }))
        return {};
    AssignedCells cells{0, 0};
    const std::size_t runs = std::min(problem.runs.size(), most_runs_of_boxes);
    for (std::size_t k = 0; k < runs; ++k) {
        const Shares shares(problem, problem.runs[k * problem.runs.size() / runs]);
        double visited = 1;
        for (std::size_t a = 0; a < work.visited.size(); ++a) visited *= shares.of(work.visited[a], work.plan.axes[a]);
        cells.share += share_of(work.plan, shares) / static_cast<double>(runs);
        cells.visited += visited / static_cast<double>(runs);
    }
    return runs > 0 ? cells : AssignedCells{};
}

}  // namespace kasc::model
