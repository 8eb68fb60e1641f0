#pragma once
// What each block of a kernel may compute by itself before its cells: words of no cell. Parts of a sum over everything
// are few, so that folding them once more in each block takes less than a launch that folds them once:
//
//   pq_parts[part] = fold p*q over cells      another kernel
//   pq             = fold pq_parts            join     the prologue: each block has pq
//   alpha          = rr/pq                    number   the prologue; stored by the first block, where others read it
//   r[i, j, k]     = r - alpha*q              cells of the kernel

#include <optional>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"
#include "search/condition_calls.hpp"
#include "search/lines.hpp"

namespace kasc {

/// What a call may be in a prologue.
///   join    of all parts of a sum over everything, one word
///   number  a word that joins and other such words make
enum class PrologueRole { join, number };
/// By node; none: the call has cells, or is of a kind that kernels of its own compute.
using PrologueRoles = std::vector<std::optional<PrologueRole>>;
[[nodiscard]] PrologueRoles find_prologue_roles(const Program& program, const Graph& graph);

/// What calls are in kernels that are more than their cells: found once for all sets of them.
struct CallRoles {
    LineCalls lines;
    PrologueRoles prologues;
    ConditionCalls conditions;
};
[[nodiscard]] CallRoles find_call_roles(const Program& program, const Graph& graph);

/// Two calls that may stand in one kernel as one of them is of its prologue; none: the pair is no matter of prologues.
/// Requires: first < second.
[[nodiscard]] std::optional<Verdict> share_prologue(const Program& program, const Graph& graph, const CallRoles& roles,
                                                    NodeId first, NodeId second);

/// Calls of one kernel, each list in their order.
struct PrologueSplit {
    std::vector<NodeId> prologue;  ///< empty: the kernel has none
    std::vector<NodeId> others;
};
[[nodiscard]] PrologueSplit split_prologue(const Graph& graph, const PrologueRoles& roles,
                                           const std::vector<NodeId>& calls);
/// Whether a kernel can have these calls as they are; no, with the reason, where the prologue lacks cells that need it:
/// with more calls it may. Requires: every pair may stand together.
[[nodiscard]] Verdict prologue_complete(const Program& program, const Graph& graph, const PrologueRoles& roles,
                                        const std::vector<NodeId>& calls);

/// Whether the last block of a kernel that makes parts may go on with a kernel of these calls: joins, or numbers. What
/// else they are of is there before the parts.
[[nodiscard]] Verdict completes_parts(const Program& program, const Graph& graph, const PrologueRoles& roles,
                                      const std::vector<NodeId>& calls);

}  // namespace kasc
