#include "select/costing.hpp"

namespace kasc {

CostedSpace cost_space(const Program& program, const Graph& graph, const Library& library, const Device& device,
                       const Problem& problem, FusionSpace space, const CostOptions& options,
                       std::map<NodeId, double> loop_ns) {
    const std::size_t fusions = space.fusions.size();
    Costing costing(program, graph, library, device, problem, options, std::move(space), std::move(loop_ns), fusions);
    for (const FusionId id : costing.so_far().space.fusions.ids()) costing.price(id);
    return costing.finish();
}

}  // namespace kasc
