// The first of these that is known of two kernels is why they are apart:
//
//   1. a set of calls that the search refused, with calls of both and of no other kernel, the smallest
//   2. a value that may not pass from one to the other within a kernel (search/legality)
//   3. calls that may not stand in one kernel, as of different axes
//   4. a path that leaves both and comes back
//   5. both as one kernel were priced: what that takes by the model
//   6. no schedule was found for both
//   7. the search has not priced both together

#include "driver/explorer/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "driver/report_parts.hpp"
#include "search/fusion_space.hpp"
#include "search/legality.hpp"

namespace kasc::explorer {

namespace {

using Calls = std::vector<NodeId>;

Calls sorted(Calls calls) {
    std::sort(calls.begin(), calls.end());
    return calls;
}
bool holds(const Calls& sorted_calls, NodeId call) {
    return std::binary_search(sorted_calls.begin(), sorted_calls.end(), call);
}

class Finder {
public:
    Finder(const Compilation& c, const PlanView& view, std::size_t graph)
        : c_(c), view_(view), in_(view.graphs[graph]), graph_(*in_.graph), costed_(*in_.planned->costed) {
        for (const Candidate& candidate : costed_.candidates) {
            const Calls calls = sorted(costed_.space.fusions[candidate.fusion].calls);
            const auto [at, is_new] = best_.try_emplace(calls, candidate.prediction.time_ns);
            if (!is_new) at->second = std::min(at->second, candidate.prediction.time_ns);
        }
    }

    std::vector<KernelPair> run() {
        std::map<std::pair<std::size_t, std::size_t>, KernelPair> handed, sharing;
        for (const NodeId consumer : graph_.nodes.ids()) {
            for (const ValueId value : graph_.nodes[consumer].reads) {
                const auto producer = graph_.values[value].producer;
                if (producer) meet(handed, kernel_of(*producer), kernel_of(consumer), value, &KernelPair::values);
            }
        }
        const auto read = readers();
        for (const auto& [value, kernels] : read) {
            for (auto first = kernels.begin(); first != kernels.end(); ++first)
                for (auto second = std::next(first); second != kernels.end(); ++second)
                    if (!handed.contains({*first, *second}) && !handed.contains({*second, *first}))
                        meet(sharing, *first, *second, value, &KernelPair::shared);
        }
        std::vector<KernelPair> all;
        for (auto* found : {&handed, &sharing}) {
            for (auto& [pair, neighbours] : *found) {
                neighbours.reason = why_apart(neighbours);
                all.push_back(std::move(neighbours));
            }
        }
        return all;
    }

private:
    const Compilation& c_;
    const PlanView& view_;
    const ViewedGraph& in_;
    const Graph& graph_;
    const CostedSpace& costed_;
    std::map<Calls, double> best_;  ///< by sorted calls: the least predicted time as one kernel

    [[nodiscard]] std::optional<std::size_t> kernel_of(NodeId node) const {
        const auto found = in_.kernel_of.find(node);
        return found == in_.kernel_of.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] std::map<ValueId, std::set<std::size_t>> readers() const {
        std::map<ValueId, std::set<std::size_t>> read;
        for (const std::size_t kernel : in_.kernels)
            for (const ValueId value : fusion_of(view_.kernels[kernel].candidate->schedule).inputs)
                read[value].insert(kernel);
        return read;
    }
    void meet(std::map<std::pair<std::size_t, std::size_t>, KernelPair>& all, std::optional<std::size_t> first,
              std::optional<std::size_t> second, ValueId value, std::vector<std::string> KernelPair::*named) const {
        if (!first || !second || *first == *second) return;
        KernelPair& met = all[{*first, *second}];
        met.first = *first;
        met.second = *second;
        const std::string name = value_name(graph_, c_.program, value);
        if (std::find((met.*named).begin(), (met.*named).end(), name) == (met.*named).end())
            (met.*named).push_back(name);
    }

    [[nodiscard]] Calls calls_of(std::size_t kernel) const {
        return sorted(fusion_of(view_.kernels[kernel].candidate->schedule).calls);
    }
    [[nodiscard]] double time_of(std::size_t kernel) const {
        return view_.kernels[kernel].candidate->prediction.time_ns;
    }

    /// The smallest set with calls of both and of no other; null: none was refused. That a path leaves some of the
    /// calls and comes back says nothing of all of them.
    [[nodiscard]] const Refusal* refusal(const std::vector<Refusal>& refusals, const Calls& a, const Calls& b) const {
        const Refusal* smallest = nullptr;
        for (const Refusal& r : refusals) {
            bool of_a = false, of_b = false, others = false;
            for (const NodeId call : r.calls) {
                const bool in_a = holds(a, call), in_b = holds(b, call);
                of_a = of_a || in_a;
                of_b = of_b || in_b;
                others = others || (!in_a && !in_b);
            }
            if (!of_a || !of_b || others || !convex(graph_, r.calls, c_.program)) continue;
            if (smallest == nullptr || r.calls.size() < smallest->calls.size()) smallest = &r;
        }
        return smallest;
    }
    [[nodiscard]] std::string said_of(const Refusal& r, const Calls& both) const {
        if (sorted(r.calls) == both) return r.reason;
        return fmt::format("{} ({})", r.reason, calls_text(c_, graph_, r.calls));
    }

    /// A value that may not pass; empty: all may.
    [[nodiscard]] std::string may_not_pass(const Calls& from, const Calls& to) const {
        for (const NodeId consumer : to) {
            for (const ValueId value : graph_.nodes[consumer].reads) {
                const auto producer = graph_.values[value].producer;
                if (!producer || !holds(from, *producer)) continue;
                const Verdict verdict = may_fuse(c_.program, graph_, *producer, consumer, value);
                const std::string name = value_name(graph_, c_.program, value);
                if (!verdict && verdict.reason().starts_with(name)) return verdict.reason();
                if (!verdict) return fmt::format("{}: {}", name, verdict.reason());
            }
        }
        return {};
    }

    /// Two calls that may not stand in one kernel, whatever passes between them; empty: all may.
    [[nodiscard]] std::string may_not_share(const Calls& a, const Calls& b) const {
        for (const NodeId first : a) {
            for (const NodeId second : b) {
                const Verdict verdict = may_share(c_.program, graph_, std::min(first, second), std::max(first, second));
                if (!verdict)
                    return fmt::format("{} ({})", verdict.reason(), calls_text(c_, graph_, sorted({first, second})));
            }
        }
        return {};
    }

    [[nodiscard]] std::string why_apart(const KernelPair& pair) const {
        const Calls a = calls_of(pair.first), b = calls_of(pair.second);
        Calls both = a;
        both.insert(both.end(), b.begin(), b.end());
        both = sorted(both);
        if (const Refusal* r = refusal(costed_.space.refusals, a, b)) return said_of(*r, both);
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
            if (std::string reason = may_not_pass(from, to); !reason.empty()) return reason;
        if (std::string reason = may_not_share(a, b); !reason.empty()) return reason;
        if (const Verdict verdict = convex(graph_, both, c_.program); !verdict) return verdict.reason();
        if (const auto priced = best_.find(both); priced != best_.end()) {
            const double apart = time_of(pair.first) + time_of(pair.second);
            const std::string times =
                fmt::format("one kernel for both was priced: {:.1f} us, apart they take {:.1f} us",
                            priced->second / 1e3, apart / 1e3);
            return priced->second > apart ? times : times + "; the best plan of all calls has them apart";
        }
        if (const Refusal* r = refusal(costed_.infeasible, a, b)) return said_of(*r, both);
        return "the search has not priced both together" + (costed_.space.cut.empty() ? "" : ": " + costed_.space.cut);
    }
};

}  // namespace

std::vector<KernelPair> neighbours_of(const Compilation& compilation, const PlanView& view, std::size_t graph) {
    return Finder(compilation, view, graph).run();
}

}  // namespace kasc::explorer
