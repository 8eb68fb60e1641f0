#pragma once
// Tells which sets of calls a kernel may compute, as the searches of them ask while a set grows.

#include <optional>
#include <string>
#include <vector>

#include "search/connections.hpp"
#include "search/fusion_space.hpp"
#include "search/recompute.hpp"

namespace kasc {

/// What a set of calls is.
struct SetState {
    /// Neither the set nor a larger one can be a fusion: then for the reason below, or that two calls may not stand
    /// together.
    bool ends = true;
    bool complete = false;   ///< convex, with all that its blocks need for whole lines; else a larger set may be
    bool too_large = false;  ///< it ends for its size, with all that lies between its calls
    std::string recomputes;  ///< it ends for what it would compute anew; empty: not for that
};

class SetRules {
public:
    /// The references must outlive it. Requires: the graph may_be_searched.
    SetRules(const Program& program, const Graph& graph, const SearchBounds& bounds);

    [[nodiscard]] const Connections& connections() const { return connections_; }
    /// A loop runs in a kernel where its calls could all stand in one, or it is marked so, and fusion is asked for at
    /// all.
    [[nodiscard]] bool may_stand_in_a_kernel(NodeId node) const;
    /// The state of a set that was legal before it took in some calls. `members` is sorted.
    [[nodiscard]] SetState state(const Members& members) const;
    /// The set, which is convex, is complete: no call folds parts of lines that another kernel joins, or joins what
    /// another folds.
    [[nodiscard]] bool is_complete(const Members& members) const;
    /// The set is connected, convex, complete and legal. `members` is sorted.
    [[nodiscard]] bool is_fusion(const Members& members) const;
    /// Pairs that are connected and may not share a kernel, with the reason; `more`: there are others.
    [[nodiscard]] std::vector<Refusal> refused_pairs(bool& more) const;

private:
    [[nodiscard]] Verdict convex_within_bound(std::uint32_t a, std::uint32_t b) const;

    const Program& program_;
    const Graph& graph_;
    const SearchBounds bounds_;
    const Connections connections_;
    const Recomputation recomputation_;
};

/// Refusals are for people to read; a program of thousands of calls has millions.
constexpr std::size_t most_pair_refusals = 1000;

/// The calls as a fusion: what it reads, writes and keeps.
class FusionMaker {
public:
    explicit FusionMaker(const Graph& graph);
    [[nodiscard]] Fusion of(const Members& members) const;

private:
    const Graph& graph_;
    std::vector<std::vector<NodeId>> readers_;  ///< by value
};

/// enumerate_fusions where there are at most so many sets to look at; none: there are more.
[[nodiscard]] std::optional<FusionSpace> enumerate_all(const Graph& graph, const SetRules& rules, SearchBounds bounds,
                                                       std::size_t most);
/// Every call by itself, of a graph that is too large to be searched.
[[nodiscard]] FusionSpace single_calls(const Graph& graph);

[[nodiscard]] std::vector<NodeId> node_ids(const Members& members);

}  // namespace kasc
