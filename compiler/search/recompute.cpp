// How often each call of a set is evaluated a cell, from the last call back to the first: a call is evaluated at every
// offset at which its readers want it.
//
//   a = f(x)                evaluated at -2, 0, 2
//   b = a[-1] + a[1]        evaluated at -1, 1
//   c = b[-1] + b[1]        evaluated at 0
//
// The recomputed work is the sum over the calls of (evaluations - 1) · operations.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "search/legality.hpp"

namespace kasc {

namespace {

using Offsets = std::map<AxisId, int>;  // axes at offset 0 are left out

Offsets moved(Offsets from, const Program& program, const Operand& operand) {
    const auto& axes = std::get<FieldShape>(program.variables[operand.variable].shape).axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto* offset = std::get_if<Offset>(&operand.indices.at(i));
        if (offset == nullptr || offset->cells == 0) continue;
        if ((from[axes[i]] += offset->cells) == 0) from.erase(axes[i]);
    }
    return from;
}

struct CallWork {
    std::set<Offsets> at;
    int depth = 0;  // near reads between here and the farthest store
};

}  // namespace

Verdict bounded_recomputation(const Program& program, const Graph& graph, const std::vector<NodeId>& calls) {
    std::map<NodeId, CallWork> work;
    long long recomputed = 0;
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        const auto* update = std::get_if<FieldUpdate>(&graph.nodes[*call].what);
        if (std::holds_alternative<Transform>(graph.nodes[*call].what)) continue;
        if (update == nullptr) return Verdict::yes("streams recompute nothing");
        CallWork& mine = work[*call];
        mine.at.insert(Offsets{});
        const auto again = static_cast<long long>(mine.at.size()) - 1;
        if (again > 0) recomputed += again * std::max(1, operation_count(*update->statement.value));
        if (recomputed > most_recomputed_operations || mine.depth > deepest_near_chain) break;
        for (std::size_t i = 0; i < graph.nodes[*call].reads.size(); ++i) {
            const auto producer = graph.values[graph.nodes[*call].reads[i]].producer;
            if (!producer || !std::binary_search(calls.begin(), calls.end(), *producer)) continue;
            CallWork& theirs = work[*producer];
            const bool operand = i < update->statement.operands.size();
            const bool near = operand && std::holds_alternative<NearAccess>(update->accesses[i]);
            theirs.depth = std::max(theirs.depth, mine.depth + (near ? 1 : 0));
            for (const Offsets& at : mine.at) {
                theirs.at.insert(operand ? moved(at, program, update->statement.operands[i]) : at);
            }
        }
    }
    const auto deepest = std::max_element(work.begin(), work.end(),
                                          [](const auto& a, const auto& b) { return a.second.depth < b.second.depth; });
    if (deepest != work.end() && deepest->second.depth > deepest_near_chain) {
        return Verdict::no(fmt::format("recomputation: {} near reads in a row, more than {}", deepest->second.depth,
                                       deepest_near_chain));
    }
    if (recomputed > most_recomputed_operations) {
        return Verdict::no(fmt::format("recomputation: {} operations a cell or more, above {}", recomputed,
                                       most_recomputed_operations));
    }
    return Verdict::yes(fmt::format("{} operations a cell are recomputed", recomputed));
}

}  // namespace kasc
