#pragma once
// Pieces that the text and the JSON explanation share.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driver/compilation.hpp"

namespace kasc {

/// Every graph of a plan, outer before inner, with the path of loops that leads there ("program", "loop n").
struct GraphInPlan {
    std::string name;
    const PlannedGraph* planned = nullptr;
    double runs = 1;  ///< in a run of the program, estimated
};
[[nodiscard]] std::vector<GraphInPlan> graphs_of(const Compilation& compilation, const PlannedGraph& planned);

/// "loop n" in the program, "loop n, loop m" in that.
[[nodiscard]] std::string path_of_loop(const std::string& outer, const Program& program, LoopId loop);
/// The part of a prediction that takes the most time: "memory", "arithmetic" …
[[nodiscard]] std::string binding_part(const Prediction& prediction);
/// "92.0 us".
[[nodiscard]] std::string time_text(double ns);

/// Chosen candidates of a graph, in launch order.
[[nodiscard]] std::vector<const Candidate*> chosen(const PlannedGraph& planned);

/// What emitted code calls the kernel of each chosen candidate: they are numbered as they are launched, a loop's where
/// the loop stands. "transform" where the library makes one and computes nothing besides.
[[nodiscard]] std::map<const Candidate*, std::string> kernel_names(const Compilation& compilation,
                                                                   const PlannedGraph& planned);

/// "v = mvmul33(M1, c); s = venorm3(v)".
[[nodiscard]] std::string calls_text(const Compilation& compilation, const Graph& graph,
                                     const std::vector<NodeId>& calls);

/// Calls of one text behind each other, as the words of a cell that one statement assigns: "f = g + c (19 times)".
struct RepeatedCall {
    NodeId first;
    std::string text;
};
[[nodiscard]] std::vector<RepeatedCall> repeated_calls(const Compilation& compilation, const Graph& graph,
                                                       const std::vector<NodeId>& calls);

/// The sizes that plans are made for: "2097152 elements", "x = 256, y = 256".
[[nodiscard]] std::string problem_text(const Compilation& compilation);

struct RefusalGroup {
    std::string reason;
    std::vector<std::string> calls;  ///< at most 3 examples, each with what is special to it
    std::size_t count = 0;
};
/// Most frequent reason first, at most 12 groups; `left_out` counts the refusals of the rest.
struct RefusalSummary {
    std::vector<RefusalGroup> groups;
    std::size_t left_out = 0;
};
[[nodiscard]] RefusalSummary summarise_refusals(const Compilation& compilation, const PlannedGraph& planned);

}  // namespace kasc
