#pragma once
// A graph with the launches chosen for it, loops with theirs.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.hpp"
#include "search/step_fusions.hpp"
#include "select/progress.hpp"
#include "select/selection.hpp"

namespace kasc {

struct PlannedGraph {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const CostedSpace> costed;
    Selection selection;
    std::vector<Launch> launches;
    std::map<NodeId, std::shared_ptr<const PlannedGraph>> loops;  ///< that the host runs
    std::map<NodeId, double> iterations;                          ///< estimated, by loop
    double time_ns = 0;                                           ///< loops weighted by their iterations
    double bytes = 0;                                             ///< compulsory global traffic, weighted likewise
    double unfused_bytes = 0;                                     ///< the same with a kernel a call
    std::vector<Progress> progress{};                             ///< of the graph's selection, where it is wanted
};

struct PlanOptions {
    SearchBounds bounds;
    std::string strategy = "exact";        ///< a name of the list, or NAME:SEED
    std::optional<unsigned> seed;          ///< of the strategy; requires: it takes one (strategy_faults)
    Budget budget;                         ///< shared out among the graphs of the program by their calls
    bool trace = false;                    ///< PlannedGraph::progress is wanted (explain)
    std::size_t count = 1;                 ///< how many plans, best first
    std::shared_ptr<const PlanWish> wish;  ///< null: all is open
    /// The kernels of one step each, of loops that several steps stand in (search/step_fusions.hpp).
    std::vector<StepKernels> steps{};
    /// The plan of a program that is this one but for what stands in its loops: its kernels outside of them are taken
    /// over, where they took a long search (plan/taken_over.hpp). Null: nothing is known.
    std::shared_ptr<const PlannedGraph> outside_loops{};
    bool keep_all = false;  ///< hold every candidate of a fusion in the costed space (explain), not the best alone
};

/// The best plans of a program, best first; fewer where fewer exist. Requires: the strategy exists.
[[nodiscard]] Outcome<std::vector<PlannedGraph>> plan_graph(const Program& program, const Graph& graph,
                                                            const Library& library, const Device& device,
                                                            const Problem& problem, const PlanOptions& options);

}  // namespace kasc
