#pragma once
// A set of candidates that covers every call of a graph exactly once, at the least predicted time.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "select/candidate.hpp"

namespace kasc {

struct Selection {
    std::vector<std::size_t> candidates;  ///< indices into CostedSpace::candidates, in an order the launches may have
    double time_ns = 0;                   ///< of all launches, the host's loops among them
    std::string strategy;
    std::string bound;  ///< what is known of the distance to the optimum ("optimal for the model", …)
};

/// A line a candidate in the order of launches, and the total.
[[nodiscard]] std::string print(const Selection& selection, const CostedSpace& costed, const Program& program,
                                const Graph& graph);

/// How to choose. Strategies see costs only through the costed space, which is the same for all of them. Adding one is
/// one source and one line of the list (strategy_list.hpp).
class Strategy {
public:
    virtual ~Strategy() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Best first, at most `count`; none where no set of candidates covers the calls. Every selection can be launched:
    /// contracting all its fusions together leaves the graph acyclic.
    [[nodiscard]] virtual std::vector<Selection> select(const Graph& graph, const CostedSpace& costed,
                                                        std::size_t count) const = 0;
};

/// A strategy of the list (strategy_list.hpp).
struct StrategyInfo {
    std::string name;
    std::string description;
    std::string seeded;  ///< what its seed decides; empty: it leaves nothing to one
};
[[nodiscard]] std::vector<StrategyInfo> strategies();
[[nodiscard]] std::vector<std::string> strategy_names();
/// A name of the list, or "NAME:SEED"; `seed` is another way to give that. K0902: no such strategy, a seed that is
/// none, two that differ, or one for a strategy that leaves nothing to it.
[[nodiscard]] Diagnostics strategy_faults(const std::string& name, std::optional<unsigned> seed = {});
/// Null where there are faults.
[[nodiscard]] std::unique_ptr<Strategy> find_strategy(const std::string& name, std::optional<unsigned> seed = {});

/// The launches of a selection in an order that respects the graph; loop nodes stand among them. Among launches that
/// are ready, the one with the first call in the program. Empty where the fusions wait for each other.
struct Launch {
    std::variant<std::size_t, NodeId> what;  ///< a candidate, or a loop node
};
[[nodiscard]] std::vector<Launch> launch_order(const Graph& graph, const CostedSpace& costed,
                                               const Selection& selection);

}  // namespace kasc
