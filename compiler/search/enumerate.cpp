// All connected, convex, legal sets of calls, size by size.
//
// Sets grow as in ESU (Wernicke 2006): a set is known by its least call, the root; it grows by calls after the root
// that are adjacent to it, and a call once passed over is not taken again in that branch. So each connected set is met
// once.
//
//   chain 0-1-2:   {0} grows to {0,1}, that to {0,1,2};   {1} to {1,2};   {2}
//
// A branch ends where no larger set can be legal: two calls may not stand together, recomputation is above its bound,
// or what stands between the members (which any convex set must take in) makes the set too large or illegal. A set that
// is not convex itself is kept to grow, since a larger one may be.
//
// Where there are more sets than max_fusions, every size gets an equal share of what is left, and within a size the
// sets whose calls stand nearest to each other in the program are kept: those share most values.

#include <fmt/format.h>

#include <algorithm>

#include "graph/expand.hpp"
#include "search/connections.hpp"
#include "search/fusion_space.hpp"
#include "search/legality.hpp"

namespace kasc {

namespace {

/// Sets that are held to grow for each fusion of a size that may be kept; the others of them are not convex.
constexpr std::size_t held_for_each_kept = 4;
/// Refusals are for people to read; a program of thousands of calls has millions.
constexpr std::size_t most_pair_refusals = 1000;
constexpr std::size_t most_set_refusals = 100;

struct GrowingSet {
    std::vector<std::uint32_t> members;  // sorted
    NodeSet extension, seen;             // calls that may join; calls that are members or adjacent to one
    bool convex = false;

    [[nodiscard]] std::uint32_t span() const { return members.back() - members.front(); }
};

bool nearer(const GrowingSet& a, const GrowingSet& b) {
    return a.span() != b.span() ? a.span() < b.span() : a.members < b.members;
}

std::vector<NodeId> node_ids(const std::vector<std::uint32_t>& members) {
    std::vector<NodeId> ids;
    for (std::uint32_t m : members) ids.push_back(NodeId{m});
    return ids;
}

class Enumeration {
public:
    Enumeration(const Program& program, const Graph& graph, const SearchBounds& bounds)
        : program_(program),
          graph_(graph),
          bounds_(bounds),
          connections_(find_connections(program, graph, bounds.storing_transforms)) {}

    void run() {
        refuse_pairs();
        std::vector<GrowingSet> level = single_calls();
        const auto largest = static_cast<std::size_t>(std::max(1, bounds_.max_calls));
        for (std::size_t size = 1; !level.empty(); ++size) {
            const std::size_t room = bounds_.max_fusions > sets.size() ? bounds_.max_fusions - sets.size() : 0;
            keep(level, size == 1 ? level.size() : room / (largest - size + 1), size);
            if (size == largest) {
                note_cut_sizes();
                if (grows(level)) leave_out(fmt::format("fusions of more than {} calls (--max-fusion)", largest));
                return;
            }
            level = grow(level, largest, room / (largest - size));
        }
        note_cut_sizes();
    }

    std::vector<std::vector<std::uint32_t>> sets;  // ordered by size, then by calls
    std::vector<Refusal> refusals;
    std::string cut;
    bool whole = true;

private:
    std::vector<GrowingSet> single_calls() const {
        std::vector<GrowingSet> singles;
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            if (!may_stand_in_a_kernel(NodeId{n})) continue;
            GrowingSet single{{n}, connections_.adjacent[n], connections_.adjacent[n], true};
            for (std::uint32_t before = 0; before <= n; ++before) single.extension.reset(before);
            single.seen.set(n);
            singles.push_back(std::move(single));
        }
        return singles;
    }

    /// A loop runs in a kernel where its calls could all stand in one, and fusion is asked for at all.
    [[nodiscard]] bool may_stand_in_a_kernel(NodeId node) const {
        const auto* loop = std::get_if<LoopNode>(&graph_.nodes[node].what);
        if (loop == nullptr) return true;
        return bounds_.max_calls > 1 && may_run_inside(graph_, node) &&
               calls_in(*loop->body) <= static_cast<std::size_t>(bounds_.max_calls);
    }

    static std::size_t calls_in(const Graph& body) {
        std::size_t count = 0;
        for (const Node& node : body.nodes) {
            const auto* loop = std::get_if<LoopNode>(&node.what);
            count += loop == nullptr ? 1 : calls_in(*loop->body);
        }
        return count;
    }

    /// Keeps the convex sets of a level as fusions, at most `share`; drops from the level what is over the bound.
    void keep(std::vector<GrowingSet>& level, std::size_t share, std::size_t size) {
        std::sort(level.begin(), level.end(), nearer);
        std::vector<std::vector<std::uint32_t>> kept;
        std::size_t held = 0;
        while (held < level.size() && held < share * held_for_each_kept && kept.size() < share) {
            if (level[held].convex) kept.push_back(level[held].members);
            ++held;
        }
        if (held < level.size()) {
            cut_sizes_.emplace_back(size, kept.size());
            level.resize(held);
        }
        std::sort(kept.begin(), kept.end());
        sets.insert(sets.end(), kept.begin(), kept.end());
    }

    std::vector<GrowingSet> grow(const std::vector<GrowingSet>& level, std::size_t largest, std::size_t share) {
        std::vector<GrowingSet> next;
        const std::size_t most = std::max<std::size_t>(share, 1) * held_for_each_kept;
        for (const GrowingSet& set : level) {
            NodeSet extension = set.extension;
            for (auto w = extension.find_first(); w != NodeSet::npos; w = extension.find_first()) {
                extension.reset(w);
                const auto call = static_cast<std::uint32_t>(w);
                if (!may_stand_in_a_kernel(NodeId{call})) continue;
                std::vector<std::uint32_t> members = set.members;
                members.insert(std::upper_bound(members.begin(), members.end(), call), call);
                const auto convex = legal(members, call, largest);
                if (!convex) continue;
                NodeSet joined = connections_.adjacent[w] - set.seen;
                for (std::uint32_t before = 0; before <= set.members.front(); ++before) joined.reset(before);
                next.push_back({std::move(members), extension | joined, set.seen | connections_.adjacent[w], *convex});
            }
            if (next.size() > 4 * most) shrink(next, 2 * most);
        }
        return next;
    }

    /// Memory stays bounded while a level is made: `keep` would drop these too, and says so as `kept` sets remain above
    /// its bound.
    static void shrink(std::vector<GrowingSet>& level, std::size_t kept) {
        std::nth_element(level.begin(), level.begin() + static_cast<std::ptrdiff_t>(kept), level.end(), nearer);
        level.resize(kept);
    }

    /// Whether the set is convex; none: neither it nor a larger one can be a fusion.
    std::optional<bool> legal(const std::vector<std::uint32_t>& members, std::uint32_t added, std::size_t largest) {
        for (std::uint32_t m : members) {
            if (m != added && !connections_.together[added].test(m)) return std::nullopt;
        }
        const NodeSet closure = connections_.closure(members);
        const std::size_t size = closure.count();
        if (size > largest) {
            too_large_ = true;
            return std::nullopt;
        }
        for (std::uint32_t m : members) {
            NodeSet others = closure;
            others.reset(m);
            if (!others.is_subset_of(connections_.together[m])) return std::nullopt;
        }
        if (program_.kind == ProgramKind::field) {
            Verdict work = bounded_recomputation(program_, graph_, node_ids(members));
            if (!work) {
                if (refusals.size() < most_pair_refusals + most_set_refusals)
                    refusals.push_back({node_ids(members), work.reason()});
                return std::nullopt;
            }
        }
        return size == members.size();
    }

    bool grows(const std::vector<GrowingSet>& level) const {
        return too_large_ || std::any_of(level.begin(), level.end(), [&](const GrowingSet& set) {
                   NodeSet joinable = set.extension;
                   for (std::uint32_t m : set.members) joinable &= connections_.together[m];
                   return joinable.any();
               });
    }

    void refuse_pairs() {
        for (std::uint32_t a = 0; a < graph_.nodes.size() && bounds_.max_calls > 1; ++a) {
            for (auto b = connections_.adjacent[a].find_next(a); b != NodeSet::npos;
                 b = connections_.adjacent[a].find_next(b)) {
                if (refusals.size() >= most_pair_refusals) {
                    note(fmt::format("the first {} refusals of pairs are listed", most_pair_refusals));
                    return;
                }
                const NodeId second{static_cast<std::uint32_t>(b)};
                Verdict verdict = may_stand_together(program_, graph_, NodeId{a}, second);
                if (verdict) verdict = convex_within_bound(a, static_cast<std::uint32_t>(b));
                if (!verdict) refusals.push_back({{NodeId{a}, second}, verdict.reason()});
            }
        }
    }

    /// What lies between two calls may stand in their kernel, too, unless that makes it too large.
    [[nodiscard]] Verdict convex_within_bound(std::uint32_t a, std::uint32_t b) const {
        Verdict verdict = convex(graph_, {NodeId{a}, NodeId{b}}, program_);
        if (verdict) return verdict;
        const std::size_t calls = connections_.closure({a, b}).count();
        return calls > static_cast<std::size_t>(bounds_.max_calls) ? within_bound(calls, bounds_) : verdict;
    }

    /// Sizes and how many of each are kept: one sentence for sizes in a row.
    void note_cut_sizes() {
        for (std::size_t k = 0; k < cut_sizes_.size();) {
            std::size_t last = k, most = cut_sizes_[k].second;
            while (last + 1 < cut_sizes_.size() && cut_sizes_[last + 1].first == cut_sizes_[last].first + 1)
                most = std::max(most, cut_sizes_[++last].second);
            const std::string sizes = last == k ? std::to_string(cut_sizes_[k].first)
                                                : fmt::format("{} to {}", cut_sizes_[k].first, cut_sizes_[last].first);
            leave_out(fmt::format("fusions of {} calls that stand far apart in the program: {}{} are kept, {} in all",
                                  sizes, most, last == k ? "" : " or fewer of each size", bounds_.max_fusions));
            k = last + 1;
        }
    }

    void note(const std::string& text) { cut += (cut.empty() ? "" : "; ") + text; }
    void leave_out(const std::string& what) {
        note("left out: " + what);
        whole = false;
    }

    const Program& program_;
    const Graph& graph_;
    const SearchBounds bounds_;
    const Connections connections_;
    std::vector<std::pair<std::size_t, std::size_t>> cut_sizes_;
    bool too_large_ = false;
};

std::vector<std::vector<NodeId>> all_readers(const Graph& graph) {
    std::vector<std::vector<NodeId>> readers(graph.values.size());
    for (NodeId n : graph.nodes.ids()) {
        for (ValueId v : graph.nodes[n].reads) readers[v.index].push_back(n);
    }
    return readers;
}

/// `readers` by value: outputs are what a node outside reads or the graph hands on.
Fusion make_fusion(const Graph& graph, const std::vector<NodeId>& calls,
                   const std::vector<std::vector<NodeId>>& readers) {
    Fusion fusion;
    fusion.calls = calls;
    const auto inside = [&](NodeId n) { return std::find(calls.begin(), calls.end(), n) != calls.end(); };
    for (NodeId call : calls) {
        for (ValueId v : values_read(graph, call)) {
            const auto producer = graph.values[v].producer;
            if (!producer || !inside(*producer)) fusion.inputs.push_back(v);
        }
        for (ValueId v : graph.nodes[call].writes) {
            const bool handed_on = std::find(graph.outputs.begin(), graph.outputs.end(), v) != graph.outputs.end();
            const bool read_outside = !std::all_of(readers[v.index].begin(), readers[v.index].end(), inside);
            (handed_on || read_outside ? fusion.outputs : fusion.inner).push_back(v);
        }
    }
    for (auto* list : {&fusion.inputs, &fusion.outputs, &fusion.inner}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return fusion;
}

}  // namespace

FusionSpace enumerate_fusions(const Program& program, const Graph& graph, const SearchBounds& bounds) {
    FusionSpace space;
    const auto readers = all_readers(graph);
    if (graph.nodes.size() > largest_searched_graph) {
        for (NodeId n : graph.nodes.ids()) {
            if (std::holds_alternative<LoopNode>(graph.nodes[n].what)) continue;
            space.fusions.add(make_fusion(graph, {n}, readers));
        }
        space.cut = fmt::format("{} calls in one graph, more than {}: only single calls are considered",
                                graph.nodes.size(), largest_searched_graph);
        space.whole = false;
        return space;
    }
    Enumeration enumeration(program, graph, bounds);
    enumeration.run();
    for (const auto& members : enumeration.sets) space.fusions.add(make_fusion(graph, node_ids(members), readers));
    space.refusals = std::move(enumeration.refusals);
    space.cut = std::move(enumeration.cut);
    space.whole = enumeration.whole;
    return space;
}

}  // namespace kasc
