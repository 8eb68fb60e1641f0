#pragma once
// What a thread computes of a loop's kernel as one graph: the calls before the loop, its body, the calls behind it.
//
//   graph   h.0 = f(x)   h.1 = loop(h.0)   r = g(h.1)          body    h.1 = mix(h.0)
//   joined  h.2 = f(x)   h.1 = mix(h.0)    r.0 = g(h.3)        inside  {h.0: h.2, h.1: h.3, r: r.0, …}

#include <map>
#include <memory>

#include "graph/graph.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

struct JoinedBody {
    std::shared_ptr<const Graph> graph;  ///< values of the loop's body keep their ids
    std::size_t before = 0, end = 0;     ///< nodes [before, end) are those of the body
    /// By values of the outer graph that the loop captures, or calls beside it touch: what they are here.
    std::map<ValueId, ValueId> inside;
};

/// Requires: the fusion is of the loop and of calls that share_loop lets stand beside it, by id.
[[nodiscard]] JoinedBody join_body(const Graph& graph, const Fusion& fusion, NodeId loop);

}  // namespace kasc
