#pragma once
// The search for sets of calls that are worth more than they cost, where linear programming has said what each call is
// worth: branch and bound over connected, convex, legal sets, without naming them all.

#include <functional>
#include <vector>

#include "model/least_time.hpp"
#include "search/set_rules.hpp"

namespace kasc {

/// What is left of a search that ended.
struct Unlooked {
    double ratio = 0;       ///< no set that was not shown is worth more than so many times its least time
    std::size_t steps = 0;  ///< branches that were looked at
};

class PromisingSets {
public:
    /// `apart`: calls that no set takes in. The references must outlive it.
    PromisingSets(const Graph& graph, const SetRules& rules, const LeastTimes& least, NodeSet apart);

    /// Shown are legal sets of two calls or more; false ends the search.
    using Show = std::function<bool(const NodeSet& set, double worth, double least_ns)>;
    /// Shows all sets that are worth more than `above` times their least time, in an order that finds good ones early,
    /// for so many steps. `worth`: by node.
    [[nodiscard]] Unlooked find(const std::vector<double>& worth, double above, std::size_t most_steps,
                                const Show& show);
    [[nodiscard]] double least_ns(const NodeSet& set);
    /// Of what a kernel costs, the share of each of its calls, in their order: of what several read each has a part.
    [[nodiscard]] std::vector<double> shares(const NodeSet& set);
    /// The least legal set that holds these calls; empty: there is none.
    [[nodiscard]] NodeSet closed(const NodeSet& set) const;

private:
    struct Part {
        NodeSet set, open, touching;  ///< what it holds, what may still join, what is adjacent to what it holds
        double ratio = 0;             ///< no set that it may become is worth more than so many times its least time
        std::size_t branch = 0;       ///< the call that is decided next
        bool leaf = true;             ///< nothing that may join is adjacent
        std::size_t number = 0;
    };
    struct Gain {
        double worth = 0, memory_ns = 0, arithmetic_ns = 0;
        std::size_t call = 0;
    };

    void find_pairs();
    void bound(Part& part, const std::vector<double>& worth);
    /// Of the set itself, for `inside`: what may be in the kernel at last.
    void count_set(const NodeSet& set, const NodeSet& inside);
    void count_joining(const Part& part, const NodeSet& inside, const std::vector<double>& worth);
    [[nodiscard]] bool is_written(ValueId value, const NodeSet& inside) const;
    [[nodiscard]] bool is_made_inside(ValueId value, const NodeSet& inside) const;
    [[nodiscard]] bool join(Part& part) const;

    const Graph& graph_;
    const SetRules& rules_;
    const LeastTimes& least_;
    NodeSet may_join_;               ///< calls that may stand in a kernel with others
    std::vector<NodeSet> together_;  ///< by call: those that may stand in one with it
    std::vector<NodeSet> readers_;
    std::vector<bool> handed_on_;
    // Of the part at hand.
    double memory_ns_ = 0, arithmetic_ns_ = 0, own_ns_ = 0;
    std::vector<double> read_ns_, shared_by_;  ///< by value
    std::vector<Gain> gains_;
};

}  // namespace kasc
