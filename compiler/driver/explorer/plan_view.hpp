#pragma once
// What the explorer page shows of a plan, numbered so that each part can name the others: graphs, kernels, statements.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/compilation.hpp"

namespace kasc::explorer {

/// Bytes of the program's text.
struct ViewedStatement {
    std::size_t begin = 0, end = 0;
    std::set<std::size_t> kernels{};  ///< that compute it, or some of the calls that it stands for
};

struct ViewedKernel {
    std::string name;       ///< as emitted code has it, or "transform"
    std::string anchor;     ///< "kernel-3" of heat3d_k3, "transform-0"
    std::size_t graph = 0;  ///< whose loop or program launches it
    std::size_t place = 0;  ///< among the graph's chosen candidates
    const Candidate* candidate = nullptr;
};

struct ViewedGraph {
    std::string name;                       ///< "program", "loop n", "loop n, loop m"
    const PlannedGraph* planned = nullptr;  ///< null: a kernel runs the loop
    const Graph* graph = nullptr;           ///< the program's own
    std::optional<LoopId> loop{};           ///< whose body it is
    std::optional<std::size_t> kernel{};    ///< that runs it
    double times = 1;                       ///< how often it runs in a run of the program, estimated
    std::vector<std::size_t> kernels{};     ///< in the order of launches
    std::map<NodeId, std::size_t> kernel_of{}, statement_of{};
    std::map<NodeId, std::size_t> body_of{};  ///< of loops: their graph
};

struct PlanView {
    std::vector<ViewedStatement> statements;  ///< by their begin; what holds others stands before them
    std::vector<ViewedGraph> graphs;          ///< outer before inner
    std::vector<ViewedKernel> kernels;        ///< in the order of launches, a loop's where the loop stands
};

/// `source`: the program's text as the user gave it; statements of other texts, which it imports, have no number.
[[nodiscard]] PlanView view_of(const Compilation& compilation, const PlannedGraph& plan, const SourceRef& source);

}  // namespace kasc::explorer
