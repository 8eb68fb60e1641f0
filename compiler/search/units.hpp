#pragma once
// Finds the calls that are searched as one, in a graph that has too many to be searched call by call. The words of a
// cell that a statement assigns read the same cells and compute alike, iterations of an unrolled loop hand on all they
// compute: a kernel with some of them is hardly ever better than one with all.

#include <utility>
#include <vector>

#include "search/set_rules.hpp"

namespace kasc {

struct Units {
    std::vector<NodeSet> of;  ///< by node: the calls that stand in its kernel, itself included

    [[nodiscard]] bool is_first(std::size_t node) const { return of[node].find_first() == node; }
    /// With all calls of each unit that it has a call of.
    [[nodiscard]] NodeSet whole(const NodeSet& set) const;
    /// The calls of the set that are the first of their units.
    [[nodiscard]] NodeSet firsts(const NodeSet& set) const;
    [[nodiscard]] std::size_t count() const;
    /// Some have several calls.
    [[nodiscard]] bool are_several() const { return count() < of.size(); }
    /// Makes these calls a unit from here on. They were whole units before, or a part of one that is taken apart.
    void put(const NodeSet& unit);
};

/// Each call is a unit.
[[nodiscard]] Units single_units(const Graph& graph);
/// As few calls a unit as leave no more than some dozens of units, and as the statements have words. `apart`: calls
/// that stay by themselves.
[[nodiscard]] Units words_in_units(const Program& program, const Graph& graph, const SetRules& rules,
                                   const NodeSet& apart);
/// Joins each copy of a whole field, `u = new_u`, with the call that makes the field where nobody else wants it: in
/// another kernel the copy only moves words that are at hand there. `apart`: as above.
void join_copies(Units& units, const Graph& graph, const SetRules& rules, const NodeSet& apart);
/// Joins the words of a statement that a loop in a kernel alone reads, and those of one that reads what it leaves.
/// `apart`: as above.
void join_words_of_loops(Units& units, const Graph& graph, const SetRules& rules, const NodeSet& apart);
/// In the order of calls. Requires: it has several.
[[nodiscard]] std::pair<NodeSet, NodeSet> halves_of(const NodeSet& unit);

}  // namespace kasc
