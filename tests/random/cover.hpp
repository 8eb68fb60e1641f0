#pragma once
// Plans that together hold every feasible fusion of a program, with schedules drawn at random. A loop's body is a graph
// of its own.

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "library/library.hpp"
#include "plan/planned_graph.hpp"
#include "random/draw.hpp"

namespace kasc::random {

/// A schedule of a fusion by choices drawn at random; none: these are not feasible. The calls are of the expanded
/// graph.
using DrawSchedule = std::function<std::optional<KernelSchedule>(const Graph& expanded, const Fusion&)>;

/// One graph with its fusions and the candidates made of them so far.
class Cover {
public:
    /// `most`: so many fusions of more than one call are drawn where a graph has more.
    Cover(const Program& program, const Graph& graph, const Library& library, Draw& draw, DrawSchedule schedule,
          std::size_t most = std::numeric_limits<std::size_t>::max());

    [[nodiscard]] bool covered() const;
    /// Holds candidates that no plan has held yet, if there are any; `fuse` false: single calls only. The host runs the
    /// loops that no candidate holds.
    [[nodiscard]] PlannedGraph next(bool fuse);

    /// Fusions with a schedule, and those of which none of the choices tried was feasible; over all graphs.
    [[nodiscard]] std::size_t feasible() const;
    [[nodiscard]] std::size_t refused() const;

private:
    std::shared_ptr<const Graph> graph_;
    Draw& draw_;
    DrawSchedule schedule_;
    std::shared_ptr<CostedSpace> costed_;
    std::map<NodeId, FusionId> singles_;
    std::set<std::size_t> open_;  ///< candidates that no plan holds yet
    std::map<NodeId, Cover> loops_;
    std::size_t feasible_ = 0, refused_ = 0;

    [[nodiscard]] const std::vector<NodeId>& calls_of(std::size_t candidate) const;
    [[nodiscard]] bool is_single_call(std::size_t candidate) const;
    [[nodiscard]] std::vector<FusionId> drawn_fusions(std::size_t most);
    void find_candidates(FusionId id);
    std::optional<std::size_t> draw_until_feasible(FusionId id);
    /// Where its calls are free and the launches can still be ordered.
    void take(std::size_t candidate, std::vector<std::size_t>& chosen, std::set<NodeId>& taken);
};

}  // namespace kasc::random
