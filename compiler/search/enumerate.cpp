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
// is not convex itself, or has lines in part (lines.hpp), is kept to grow, since a larger one may be complete.
//
// Where there are more sets than max_fusions, every size gets an equal share of what is left, and within a size the
// sets whose calls stand nearest to each other in the program are kept: those share most values.

#include <fmt/format.h>

#include <algorithm>

#include "search/set_rules.hpp"

namespace kasc {

namespace {

/// Sets that are held to grow for each fusion of a size that may be kept; the others of them are not complete.
constexpr std::size_t held_for_each_kept = 4;
constexpr std::size_t most_set_refusals = 100;

struct GrowingSet {
    Members members;          // sorted
    NodeSet extension, seen;  // calls that may join; calls that are members or adjacent to one
    bool complete = false;

    [[nodiscard]] std::uint32_t span() const { return members.back() - members.front(); }
};

bool nearer(const GrowingSet& a, const GrowingSet& b) {
    return a.span() != b.span() ? a.span() < b.span() : a.members < b.members;
}

/// What is done where there are more sets than max_fusions.
enum class TooMany { share_out, give_up };

class Enumeration {
public:
    Enumeration(const Graph& graph, const SetRules& rules, const SearchBounds& bounds, TooMany too_many)
        : graph_(graph), rules_(rules), connections_(rules.connections()), bounds_(bounds), too_many_(too_many) {}

    void run() {
        refuse_pairs();
        std::vector<GrowingSet> level = single_calls();
        const std::size_t largest =
            std::min(graph_.nodes.size(), static_cast<std::size_t>(std::max(1, bounds_.max_calls)));
        for (std::size_t size = 1; !level.empty(); ++size) {
            const std::size_t room = bounds_.max_fusions > sets.size() ? bounds_.max_fusions - sets.size() : 0;
            keep(level, size == 1 ? level.size() : share_of(room, largest - size + 1), size);
            if (gave_up()) return;
            if (size == largest) {
                note_cut_sizes();
                if (grows(level)) leave_out(fmt::format("fusions of more than {} calls (--max-fusion)", largest));
                return;
            }
            level = grow(level, share_of(room, largest - size));
            if (gave_up()) return;
        }
        note_cut_sizes();
    }
    [[nodiscard]] bool gave_up() const {
        return too_many_ == TooMany::give_up &&
               (grown_over_ || !cut_sizes_.empty() || sets.size() > bounds_.max_fusions);
    }

    std::vector<Members> sets;  // ordered by size, then by calls
    std::vector<Refusal> refusals;
    std::string cut;
    bool whole = true;

private:
    [[nodiscard]] std::size_t share_of(std::size_t room, std::size_t sizes) const {
        return too_many_ == TooMany::give_up ? room : room / sizes;
    }

    std::vector<GrowingSet> single_calls() const {
        std::vector<GrowingSet> singles;
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            if (!rules_.may_stand_in_a_kernel(NodeId{n})) continue;
            GrowingSet single{{n}, connections_.adjacent[n], connections_.adjacent[n], true};
            for (std::uint32_t before = 0; before <= n; ++before) single.extension.reset(before);
            single.seen.set(n);
            singles.push_back(std::move(single));
        }
        return singles;
    }

    /// Keeps the complete sets of a level as fusions, at most `share`; drops from the level what is over the bound.
    void keep(std::vector<GrowingSet>& level, std::size_t share, std::size_t size) {
        std::sort(level.begin(), level.end(), nearer);
        std::vector<Members> kept;
        std::size_t held = 0;
        while (held < level.size() && held < share * held_for_each_kept && kept.size() < share) {
            if (level[held].complete) kept.push_back(level[held].members);
            ++held;
        }
        if (held < level.size()) {
            cut_sizes_.emplace_back(size, kept.size());
            level.resize(held);
        }
        std::sort(kept.begin(), kept.end());
        sets.insert(sets.end(), kept.begin(), kept.end());
    }

    std::vector<GrowingSet> grow(const std::vector<GrowingSet>& level, std::size_t share) {
        std::vector<GrowingSet> next;
        const std::size_t most = std::max<std::size_t>(share, 1) * held_for_each_kept;
        for (const GrowingSet& set : level) {
            NodeSet extension = set.extension;
            if (too_many_ == TooMany::give_up && next.size() > most) {
                grown_over_ = true;
                return next;
            }
            for (auto w = extension.find_first(); w != NodeSet::npos; w = extension.find_first()) {
                extension.reset(w);
                const auto call = static_cast<std::uint32_t>(w);
                if (!rules_.may_stand_in_a_kernel(NodeId{call})) continue;
                Members members = set.members;
                members.insert(std::upper_bound(members.begin(), members.end(), call), call);
                const auto complete = legal(members);
                if (!complete) continue;
                NodeSet joined = connections_.adjacent[w] - set.seen;
                for (std::uint32_t before = 0; before <= set.members.front(); ++before) joined.reset(before);
                next.push_back(
                    {std::move(members), extension | joined, set.seen | connections_.adjacent[w], *complete});
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

    /// Whether the set is complete; none: neither it nor a larger one can be a fusion.
    std::optional<bool> legal(const Members& members) {
        SetState state = rules_.state(members);
        too_large_ = too_large_ || state.too_large;
        if (!state.recomputes.empty() && refusals.size() < most_pair_refusals + most_set_refusals)
            refusals.push_back({node_ids(members), std::move(state.recomputes)});
        return state.ends ? std::nullopt : std::make_optional(state.complete);
    }

    bool grows(const std::vector<GrowingSet>& level) const {
        return too_large_ || std::any_of(level.begin(), level.end(), [&](const GrowingSet& set) {
                   NodeSet joinable = set.extension;
                   for (std::uint32_t m : set.members) joinable &= connections_.together[m];
                   return joinable.any();
               });
    }

    void refuse_pairs() {
        bool more = false;
        refusals = rules_.refused_pairs(more);
        if (more) note(fmt::format("the first {} refusals of pairs are listed", most_pair_refusals));
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

    const Graph& graph_;
    const SetRules& rules_;
    const Connections& connections_;
    const SearchBounds bounds_;
    const TooMany too_many_;
    bool grown_over_ = false;
    std::vector<std::pair<std::size_t, std::size_t>> cut_sizes_;
    bool too_large_ = false;
};

FusionSpace space_of(const Graph& graph, Enumeration enumeration) {
    FusionSpace space;
    const FusionMaker maker(graph);
    for (const auto& members : enumeration.sets) space.fusions.add(maker.of(members));
    space.refusals = std::move(enumeration.refusals);
    space.cut = std::move(enumeration.cut);
    space.whole = enumeration.whole;
    return space;
}

}  // namespace

FusionSpace single_calls(const Graph& graph) {
    FusionSpace space;
    const FusionMaker maker(graph);
    for (NodeId n : graph.nodes.ids()) {
        if (!std::holds_alternative<LoopNode>(graph.nodes[n].what)) space.fusions.add(maker.of({n.index}));
    }
    space.cut = fmt::format(
        "{} calls in one graph, more than {}, or of more than {} statements: only single calls are considered",
        graph.nodes.size(), most_searched_calls, most_searched_statements);
    space.whole = false;
    return space;
}

FusionSpace enumerate_fusions(const Program& program, const Graph& graph, const SearchBounds& bounds) {
    if (!may_be_searched(graph)) return single_calls(graph);
    const SetRules rules(program, graph, bounds);
    Enumeration enumeration(graph, rules, bounds, TooMany::share_out);
    enumeration.run();
    return space_of(graph, std::move(enumeration));
}

std::optional<FusionSpace> enumerate_all(const Graph& graph, const SetRules& rules, SearchBounds bounds,
                                         std::size_t most) {
    bounds.max_fusions = most;
    Enumeration enumeration(graph, rules, bounds, TooMany::give_up);
    enumeration.run();
    if (enumeration.gave_up()) return std::nullopt;
    return space_of(graph, std::move(enumeration));
}

}  // namespace kasc
