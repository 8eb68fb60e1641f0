#pragma once
// A good selection to begin with, and the fusions that were priced on the way to it.

#include <functional>
#include <optional>
#include <vector>

#include "select/columns.hpp"
#include "select/promising_sets.hpp"

namespace kasc {

/// Sets that hold every call once.
struct SetCover {
    std::vector<NodeSet> sets;
    double ns = 0;
};

/// All calls in an order in which those of a set stand together; empty: sets wait for each other. Requires: the sets
/// are convex and have no call in common.
[[nodiscard]] Members contracted_order(const Graph& graph, const std::vector<NodeSet>& sets);

class CoverSearch {
public:
    using IsOver = std::function<bool()>;
    /// `apart`: calls that stand in wished fusions. `most_calls`: of what is priced for one order. Requires:
    /// units and wished fusions are priced. The references must outlive it.
    CoverSearch(const Graph& graph, const SetRules& rules, const Units& units, PromisingSets& sets, Columns& columns,
                const NodeSet& apart, std::size_t most_calls, IsOver is_over);

    /// The best that one kernel, merging groups of calls and runs of some orders give. All its sets are priced.
    [[nodiscard]] SetCover find();
    /// The best by runs of an order in which calls of one set stand together, the first sets before others where not
    /// all can. No sets: nothing is found.
    [[nodiscard]] SetCover near(const std::vector<NodeSet>& sets);

private:
    [[nodiscard]] std::optional<SetCover> as_one(const std::vector<NodeSet>& singles);
    void keep_joining(Members& order) const;
    [[nodiscard]] SetCover best_runs(const Members& order);
    [[nodiscard]] std::vector<Members> orders() const;

    const Graph& graph_;
    const SetRules& rules_;
    const Units& units_;
    PromisingSets& sets_;
    Columns& columns_;
    const NodeSet& apart_;
    const std::size_t most_calls_;
    const IsOver is_over_;
};

}  // namespace kasc
