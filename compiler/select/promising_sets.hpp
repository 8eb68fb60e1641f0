#pragma once
// The search for sets of calls that are worth more than they cost, where linear programming has said what each call is
// worth: branch and bound over connected, convex, legal sets, without naming them all.

#include <boost/container_hash/hash.hpp>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/least_time.hpp"
#include "search/set_rules.hpp"
#include "search/units.hpp"
#include "select/set_cuts.hpp"

namespace kasc {

/// What is left of a search that ended.
struct Unlooked {
    double ratio = 0;       ///< no set that was not shown is worth more than so many times its least time
    std::size_t steps = 0;  ///< branches that were looked at
};

/// How much a search may do: branches, and visits() of the cuts that bound them at its end.
struct SearchWork {
    std::size_t steps = 0, visits = 0;
};

class PromisingSets {
public:
    /// `units`: sets are made of whole ones. `apart`: calls that no set takes in. The references must outlive it.
    PromisingSets(const Graph& graph, const SetRules& rules, const LeastTimes& least, const Units& units,
                  NodeSet apart);

    /// Shown are legal sets of two units or more; false ends the search.
    using Show = std::function<bool(const NodeSet& set, double worth, double least_ns)>;
    /// Shows all sets that are worth more than `above` times their least time, in an order that finds good ones early,
    /// for so much work. `worth`: by node.
    [[nodiscard]] Unlooked find(const std::vector<double>& worth, double above, const SearchWork& most,
                                const Show& show);
    [[nodiscard]] double least_ns(const NodeSet& set);
    /// From here on bounds are made for kernels of about so much memory and arithmetic.
    void bound_near(double memory_ns, double arithmetic_ns);
    /// Times of the set's memory and its arithmetic.
    [[nodiscard]] std::pair<double, double> times_of(const NodeSet& set);
    /// The share that each of its calls has in what a kernel costs, in their order: of what several read each has a
    /// part.
    [[nodiscard]] std::vector<double> shares(const NodeSet& set);
    /// Edges that cuts went over, in all searches so far.
    [[nodiscard]] std::size_t visits() const { return cuts_->visits(); }
    /// The least legal set that holds these calls and is of whole units; empty: there is none.
    [[nodiscard]] NodeSet closed(const NodeSet& set) const;

private:
    struct Part {
        NodeSet set, open;       ///< what it holds, what may still join
        NodeSet best;            ///< worth most of its time, as far as cuts say
        double ratio = 0;        ///< no set that it may become is worth more than so many times its least time
        std::size_t branch = 0;  ///< the call that is decided next
        bool leaf = true;        ///< nothing may join
        std::size_t number = 0;
    };

    void find_pairs();
    [[nodiscard]] NodeSet closure(const NodeSet& set) const;
    /// Leaves units of which not all calls may join.
    void keep_whole(NodeSet& open) const;
    void bound(Part& part, const std::vector<double>& worth, double above);
    void find_branch(Part& part, const std::vector<double>& worth) const;
    /// Counts the set itself, for `inside`: what may be in the kernel at last.
    void count_set(const NodeSet& set, const NodeSet& inside);
    [[nodiscard]] bool is_written(ValueId value, const NodeSet& inside) const;
    [[nodiscard]] bool is_made_inside(ValueId value, const NodeSet& inside) const;
    [[nodiscard]] bool is_legal(const NodeSet& closure) const;
    [[nodiscard]] bool is_connected(const NodeSet& set) const;
    [[nodiscard]] NodeSet reached_from(const NodeSet& set, std::size_t call) const;
    [[nodiscard]] double line_ns(const NodeSet& set);
    [[nodiscard]] bool join(Part& part) const;
    [[nodiscard]] bool narrow(Part& part) const;

    const SetRules& rules_;
    const LeastTimes& least_;
    const Units& units_;
    const bool several_;  ///< some units have several calls
    mutable std::unordered_map<NodeSet, bool, boost::hash<NodeSet>> legal_;
    NodeSet may_join_;                    ///< calls that may stand in a kernel with others
    NodeSet waiting_;                     ///< calls that wait for memory
    std::vector<NodeSet> together_;       ///< by call: those that may stand in one with it, whole units
    std::vector<NodeSet> readers_;        ///< by value
    std::vector<std::size_t> producers_;  ///< by value; npos: none
    std::vector<bool> handed_on_;
    // State of the part at hand.
    double memory_ns_ = 0, arithmetic_ns_ = 0, own_ns_ = 0;
    std::vector<double> read_ns_, shared_by_;  ///< by value
    std::unique_ptr<SetCuts> cuts_;
    std::size_t steps_ = 0;  ///< of the search at hand
    LeastLine line_;
};

}  // namespace kasc
