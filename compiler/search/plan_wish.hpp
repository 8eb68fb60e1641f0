#pragma once
// A plan that the user writes (docs/plans.md): which calls are a kernel, and how each kernel runs. What it leaves open
// the search decides.
//
//   L+T: column 32x8 vector 4 rows 2; dose: grid 128x2       kernels by their calls, a call by the variable it assigns
//   T.2: neighbours shared                                   the second call of the program that assigns T
//   k1: chunk 16                                             a kernel of the plan that would be made without this one
//   grid 8x8x8 borders uniform                               every kernel that nothing else is said of

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "search/choice_text.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

/// One part of the text, up to a semicolon.
struct WrittenKernel {
    std::vector<Span> calls;            ///< names before the colon
    std::optional<std::size_t> number;  ///< k<number> in their place
    ChoiceWish choice;
    Span span;
};
/// K0920.
[[nodiscard]] Outcome<std::vector<WrittenKernel>> parse_plan(const SourceRef& source);

/// Every call and loop of a program by its name in plans: its variable, ".2" behind it for the second that assigns it
/// and so on, in source order over all loops; a loop is "loop." and its index.
struct NamedCall {
    std::string name;
    const Graph* graph = nullptr;
    NodeId node;
};
[[nodiscard]] std::vector<NamedCall> named_calls(const Program& program, const Graph& graph);

struct WishedFusion {
    std::vector<NodeId> calls;  ///< sorted
    ChoiceWish choice;
    Span span;
};
struct PlanWish {
    std::map<const Graph*, std::vector<WishedFusion>> fusions;
    std::optional<ChoiceWish> others;  ///< kernels that `fusions` does not name
    Span others_span;

    /// None: the graph's plan is open.
    [[nodiscard]] const std::vector<WishedFusion>& of(const Graph& graph) const;
};

/// A kernel of a finished plan: its graph and calls.
struct PlannedCalls {
    const Graph* graph = nullptr;
    std::vector<NodeId> calls;
};
/// K0921: a name that is no call's, a call in two kernels, calls of different loops in one. `planned`: what numbers
/// mean.
[[nodiscard]] Outcome<PlanWish> resolve_plan(const std::vector<WrittenKernel>& written, const Program& program,
                                             const Graph& graph, const std::vector<PlannedCalls>& planned);

/// Leaves out fusions that take apart what the plan keeps together, or add to it. K0922: the calls of a wished kernel
/// are no fusion of the space, with the reason.
[[nodiscard]] Diagnostics keep_wished(FusionSpace& space, const std::vector<WishedFusion>& wishes,
                                      const Program& program, const Graph& graph, const SearchBounds& bounds);
/// The wish for these calls; null: none.
[[nodiscard]] const WishedFusion* wish_for(const std::vector<WishedFusion>& wishes, std::vector<NodeId> calls);

}  // namespace kasc
