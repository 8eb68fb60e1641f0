#pragma once
// Covers of a graph by runs of an order of its calls: a run is convex, and such kernels never wait for each other.

#include <functional>
#include <vector>

#include "search/units.hpp"

namespace kasc {

class Runs {
public:
    /// The least legal set that holds these calls; empty: there is none.
    using Closed = std::function<NodeSet(const NodeSet&)>;

    /// `order`: of units by their first calls, topological. Runs have `longest` units at most. Each is taken apart
    /// where nothing connects it; where a part is not legal, no run holds it.
    Runs(const Members& order, std::size_t longest, const Units& units, const Connections& connections,
         const Closed& closed);

    /// The parts of all runs; some may be the same.
    [[nodiscard]] const std::vector<NodeSet>& parts() const { return parts_; }
    /// The parts of those runs that hold each unit of the order once at the least sum of costs, by number; ties go to
    /// the longest last run. `costs`: by part; they may be infinite. Empty: every cover costs infinitely much.
    [[nodiscard]] std::vector<std::size_t> best(const std::vector<double>& costs) const;

private:
    struct Run {
        std::size_t start = 0;
        std::vector<std::size_t> parts;
    };
    std::vector<NodeSet> parts_;
    std::vector<std::vector<Run>> ending_;  ///< by the place behind the last call, the shortest first
};

}  // namespace kasc
