#pragma once
// How the reads of a plan go from the place of their call to the words that they read, and which of them cells need.
// All paths of a fusion share it.

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "schedule/field/cell_view.hpp"
#include "schedule/field/plan.hpp"
#include "schedule/field/settled.hpp"

namespace kasc {

struct AxisStep {
    std::size_t axis = 0;  ///< of the kernel
    BoundaryKind kind = BoundaryKind::periodic;
    int step = 0;
    auto operator<=>(const AxisStep&) const = default;
};
/// Axes that it lacks are left: there the read stands at the cell's own place.
using ReadSteps = std::vector<AxisStep>;

/// The words that a read is of, by number, and how it steps: reads that step alike have one number.
struct ReadWay {
    std::size_t source = 0, steps = 0;
};
struct ReadWays {
    std::vector<std::vector<ReadWay>> of;  ///< by call, of its reads, then of its former value
    std::vector<ReadSteps> steps;          ///< by number
};

class PlanReads {
public:
    /// The references must outlive it.
    PlanReads(const Program& program, const Graph& graph, const FieldPlan& plan);

    /// Words have as many numbers: those that calls make the numbers of their calls, then those in memory.
    [[nodiscard]] std::size_t sources() const { return sources_; }
    [[nodiscard]] const ReadWays& ways(const CellView& view);
    /// The call's result is seen in the kernel.
    [[nodiscard]] bool is_seen(std::size_t call) const { return seen_[call]; }
    [[nodiscard]] NeededOperands& needed(std::size_t call);

private:
    const Program& program_;
    const Graph& graph_;
    const FieldPlan& plan_;
    std::size_t sources_;
    std::vector<std::vector<std::size_t>> source_of_;  ///< as ReadWays::of
    std::vector<bool> seen_;
    std::vector<std::optional<NeededOperands>> needed_;
    std::array<std::optional<ReadWays>, 4> ways_;  ///< by path

    [[nodiscard]] ReadSteps steps_of(const FieldRead& read, const CellView& view) const;
};

/// Both read the same words at one place; they may differ in their steps.
[[nodiscard]] bool reads_alike(const FieldRead& a, const FieldRead& b);

}  // namespace kasc
