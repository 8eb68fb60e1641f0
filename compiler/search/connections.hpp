#pragma once
// The calls of a graph as the enumeration sees them: sets of bits by node.

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "search/fusion_space.hpp"
#include "search/prologue.hpp"

namespace kasc {

using NodeSet = boost::dynamic_bitset<>;
/// The same set as numbers in ascending order.
using Members = std::vector<std::uint32_t>;

[[nodiscard]] Members members_of(const NodeSet& set);
/// `nodes`: of the graph.
[[nodiscard]] NodeSet set_of(const Members& members, std::size_t nodes);
/// The sum over the nodes of the set of the number that each has.
[[nodiscard]] double sum_over(const NodeSet& set, const std::vector<double>& by_node);

/// Graphs of more statements are not searched, nor of more calls, of which statements about cells have one a word: the
/// sets below take n² bits each, and pairs are tested one by one.
constexpr std::size_t most_searched_statements = 1024, most_searched_calls = 4096;
[[nodiscard]] bool may_be_searched(const Graph& graph);

struct Connections {
    std::vector<NodeSet> before, after;  ///< by node: all that must run before and after it
    std::vector<NodeSet> adjacent;       ///< by node: calls joined by a value, by one that both read, or by being small
    std::vector<NodeSet> together;       ///< by node: calls that may stand in one kernel with it, apart from convexity
    CallRoles roles;

    /// The least set without a path that leaves and comes back: the members and all between them.
    [[nodiscard]] NodeSet closure(const Members& members) const;
    [[nodiscard]] NodeSet closure(const NodeSet& set) const;
};

/// By the bounds transforms are joined to the calls that read what they make, and to those that make what they read.
[[nodiscard]] Connections find_connections(const Program& program, const Graph& graph, const SearchBounds& bounds);

}  // namespace kasc
