// How often each call of a set is evaluated a cell, from the last call back to the first: a call is evaluated at every
// offset at which its readers want it.
//
//   a = f(x)                evaluated at -2, 0, 2
//   b = a[-1] + a[1]        evaluated at -1, 1
//   c = b[-1] + b[1]        evaluated at 0
//
// The recomputed work is the sum over the calls of (evaluations - 1) · operations.

#include "search/recompute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/container/flat_set.hpp>
#include <functional>
#include <optional>

#include "search/legality.hpp"

namespace kasc {

namespace {

using Offsets = Recomputation::Offsets;

/// Both are sorted by axis.
Offsets moved(const Offsets& from, const Offsets& by) {
    Offsets sum;
    auto a = from.begin();
    for (const auto& [axis, cells] : by) {
        while (a != from.end() && a->first < axis) sum.push_back(*a++);
        const bool both = a != from.end() && a->first == axis;
        const int together = cells + (both ? (a++)->second : 0);
        if (together != 0) sum.emplace_back(axis, together);
    }
    sum.insert(sum.end(), a, from.end());
    return sum;
}

Offsets offsets_of(const Program& program, const Operand& operand) {
    const auto& axes = std::get<FieldShape>(program.variables[operand.variable].shape).axes;
    Offsets offsets;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto* offset = std::get_if<Offset>(&operand.indices.at(i));
        if (offset != nullptr && offset->cells != 0) offsets.emplace_back(axes[i], offset->cells);
    }
    std::sort(offsets.begin(), offsets.end());
    return offsets;
}

/// Most calls are evaluated at few places: thousands of sets are looked at, without a word of memory for these.
using Places = boost::container::flat_set<Offsets, std::less<Offsets>, boost::container::small_vector<Offsets, 2>>;

struct CallWork {
    Places at;
    int depth = 0;  // near reads between here and the farthest store
};

}  // namespace

Recomputation::Recomputation(const Program& program, const Graph& graph) {
    for (const Node& node : graph.nodes) {
        Call& call = calls_.emplace_back();
        call.is_transform = std::holds_alternative<Transform>(node.what);
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        if (update == nullptr) continue;
        call.is_update = true;
        call.operations = std::max(1, operation_count(*update->statement.value));
        for (std::size_t i = 0; i < node.reads.size(); ++i) {
            const auto producer = graph.values[node.reads[i]].producer;
            if (!producer) continue;
            const bool operand = i < update->statement.operands.size();
            const bool near = operand && std::holds_alternative<NearAccess>(update->accesses[i]);
            call.reads.push_back(
                {*producer, near, operand ? offsets_of(program, update->statement.operands[i]) : Offsets{}});
        }
    }
}

Verdict Recomputation::bounded(const std::vector<NodeId>& calls) const {
    std::vector<CallWork> work(calls.size());
    long long recomputed = 0;
    int deepest = 0;
    std::optional<AxisId> along;  // of near reads within the set, all of them
    int deepest_allowed = deepest_chain_along_one_axis;
    for (std::size_t k = calls.size(); k-- > 0;) {
        const Call& call = calls_[calls[k].index];
        if (call.is_transform) continue;
        if (!call.is_update) return Verdict::yes("streams recompute nothing");
        CallWork& mine = work[k];
        mine.at.insert(Offsets{});
        const auto again = static_cast<long long>(mine.at.size()) - 1;
        if (again > 0) recomputed += again * call.operations;
        if (recomputed > most_recomputed_operations || mine.depth > deepest_allowed) break;
        for (const Read& read : call.reads) {
            const auto producer = std::lower_bound(calls.begin(), calls.end(), read.producer);
            if (producer == calls.end() || *producer != read.producer) continue;
            CallWork& theirs = work[static_cast<std::size_t>(producer - calls.begin())];
            theirs.depth = std::max(theirs.depth, mine.depth + (read.near ? 1 : 0));
            for (const auto& [axis, cells] : read.by) {
                if (along.value_or(axis) != axis) deepest_allowed = deepest_near_chain;
                along = axis;
            }
            deepest = std::max(deepest, theirs.depth);
            for (const Offsets& at : mine.at) theirs.at.insert(moved(at, read.by));
        }
    }
    if (deepest > deepest_allowed) {
        return Verdict::no(
            fmt::format("recomputation: {} near reads in a row, more than {}", deepest, deepest_allowed));
    }
    if (recomputed > most_recomputed_operations) {
        return Verdict::no(fmt::format("recomputation: {} operations a cell or more, above {}", recomputed,
                                       most_recomputed_operations));
    }
    return Verdict::yes(fmt::format("{} operations a cell are recomputed", recomputed));
}

Verdict bounded_recomputation(const Program& program, const Graph& graph, const std::vector<NodeId>& calls) {
    return Recomputation(program, graph).bounded(calls);
}

}  // namespace kasc
