#include "model/field/assigned_cells.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "frontend/cell_boxes.hpp"
#include "frontend/evaluate.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Runs of loops around that are looked at: boxes grow and shrink evenly with them.
constexpr std::size_t most_runs_of_boxes = 64;
constexpr double unknown_part = 0.5;

/// Cells by axis of the kernel.
using Ranges = std::vector<CellRange>;

/// The boxes of each call.
std::vector<std::vector<Ranges>> boxes_by_call(const FieldPlan& plan) {
    std::vector<std::vector<Ranges>> all;
    for (const FieldCall& call : plan.calls) {
        all.emplace_back();
        for (const CellBox& box : boxes_of(call.statement->where)) {
            all.back().emplace_back();
            for (const AxisId axis : plan.axes) all.back().back().push_back(range_of({box}, axis));
        }
    }
    return all;
}

/// Parts of the cells in one run of the loops around.
class Shares {
public:
    Shares(const std::vector<AxisId>& axes, const Problem& problem, const LoopIndices& run)
        : axes_(axes), problem_(problem), run_(run) {}

    [[nodiscard]] double of(const Ranges& ranges) const {
        double share = 1;
        for (std::size_t k = 0; k < ranges.size(); ++k) share *= along(axes_[k], ranges[k]);
        return share;
    }
    /// The boxes of the call that assigns the most.
    [[nodiscard]] double of(const std::vector<std::vector<Ranges>>& calls) const {
        double most = 0;
        for (const std::vector<Ranges>& boxes : calls) {
            double all = 0;
            for (const Ranges& box : boxes) all += of(box);
            most = std::max(most, std::min(1.0, all));
        }
        return most;
    }

private:
    const std::vector<AxisId>& axes_;
    const Problem& problem_;
    const LoopIndices& run_;

    [[nodiscard]] double along(AxisId axis, const CellRange& range) const {
        const auto extent = static_cast<double>(extent_of(problem_, axis));
        const double low = range.low ? value(range.low) : 0, high = range.high ? value(range.high) : extent;
        if (!std::isfinite(low) || !std::isfinite(high)) return unknown_part;
        return extent > 0 ? std::max(0.0, std::min(high, extent) - std::max(low, 0.0)) / extent : 1;
    }
    [[nodiscard]] double value(const ExpressionRef& bound) const {
        return evaluate(*bound, problem_.parameters, run_, problem_.extents);
    }
};

}  // namespace

AssignedCells assigned_cells(const FieldWork& work, const Problem& problem) {
    const FieldPlan& plan = work.plan;
    const bool boxes = std::all_of(plan.calls.begin(), plan.calls.end(), [](const FieldCall& call) {
        return call.statement->where && !call.statement->adding;
    });
    const std::size_t runs = std::min(problem.runs.size(), most_runs_of_boxes);
    if (!boxes || plan.calls.empty() || runs == 0) return {};
    const std::vector<std::vector<Ranges>> calls = boxes_by_call(plan);
    AssignedCells cells{0, 0};
    for (std::size_t k = 0; k < runs; ++k) {
        const Shares shares(plan.axes, problem, problem.runs[k * problem.runs.size() / runs]);
        cells.share += shares.of(calls) / static_cast<double>(runs);
        cells.visited += shares.of(work.visited) / static_cast<double>(runs);
    }
    return cells;
}

}  // namespace kasc::model
