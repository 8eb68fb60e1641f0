#pragma once
// The sets of calls that a search over promising ones knows, as columns of the linear program: each at its price, or at
// its least time until it gets one.

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "search/units.hpp"
#include "select/costing.hpp"
#include "select/relaxation.hpp"

namespace kasc {

class Columns {
public:
    /// The references must outlive it.
    Columns(const Graph& graph, Costing& costing);

    /// From here on there are columns: the loops that the host can run, and sets of whole units that are priced. Units
    /// are to be covered, each as one.
    void begin(const Units& units);
    /// The price of the best schedule of these calls, infinite where there is none; such a set is no column.
    double price(const NodeSet& set);
    /// A column at its least time, unless the set is known: what it costs now, and whether it is new.
    std::pair<double, bool> take_in(const NodeSet& set, double least_ns);
    /// What is known of the set's cost: none, if it is no column.
    [[nodiscard]] std::optional<double> known_ns(const NodeSet& set) const;
    [[nodiscard]] bool is_priced(const NodeSet& set) const { return ids_.contains(members_of(set)); }
    /// The price of the dearest part of the set that has one; 0: none has.
    [[nodiscard]] double dearest_part_ns(const NodeSet& set) const;
    /// Requires: it is priced.
    [[nodiscard]] FusionId id_of(const NodeSet& set) const { return ids_.at(members_of(set)); }

    /// A column for each call that has none by itself, which no selection takes.
    void cover_all();
    /// Every call has a kernel in the solution.
    [[nodiscard]] bool cover() const { return covered_; }

    /// Solves the linear program over all columns.
    void relax();
    [[nodiscard]] double value_ns() const { return relaxation_.value / 1000; }
    /// By node: what covering it is worth.
    [[nodiscard]] std::vector<double> duals() const;
    /// What a column's calls are worth against its cost, at most, and at least 1. `worth`: by node.
    [[nodiscard]] double largest_ratio(const std::vector<double>& worth) const;
    /// Shows the sets that the solution takes: a set, which part of it, and that part of its cost.
    void for_each_taken(const std::function<void(const NodeSet&, double cost, double part)>& show) const;
    /// Prices what the solution takes and has no price yet: how many.
    std::size_t price_taken();
    /// Prices what has no price yet and may be in a selection of less than this, the likeliest first, until it is over.
    void price_below(double ns, const std::function<bool()>& is_over);

    [[nodiscard]] std::size_t size() const { return problem_.columns.size(); }
    /// Calls of all sets that were priced; one that reads much counts for more.
    [[nodiscard]] std::size_t priced_calls() const { return priced_calls_; }
    /// Columns of all linear programs that were solved, times calls.
    [[nodiscard]] std::size_t solver_work() const { return relaxed_columns_ * nodes_.size(); }

private:
    [[nodiscard]] NodeSet set_at(std::size_t column) const;
    [[nodiscard]] bool may_be_column(const NodeSet& set) const;
    void drop_worst();
    void add_column(const Members& members, double ns);

    const Graph& graph_;
    Costing& costing_;
    const FusionMaker maker_;
    const Units* units_ = nullptr;  ///< none before begin()
    std::map<NodeId, int> rows_;    ///< of first calls of units
    std::vector<NodeId> nodes_;     ///< by row
    PartitionProblem problem_;
    Relaxer relaxer_;
    Relaxation relaxation_;
    std::map<Members, double> costs_;
    std::map<Members, std::size_t> places_;  ///< of the columns
    std::map<Members, FusionId> ids_;
    std::vector<std::pair<double, NodeSet>> priced_;  ///< those that have a kernel
    std::vector<std::size_t> weights_;                ///< by node
    std::size_t priced_calls_ = 0, relaxed_columns_ = 0;
    std::pair<std::size_t, std::size_t> no_kernels_{};  ///< first and last column that no selection takes
    bool covered_ = true;
};

}  // namespace kasc
