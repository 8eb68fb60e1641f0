#include <fmt/format.h>

#include "select/costing.hpp"
#include "select/refine.hpp"

namespace kasc {

CostedSpace cost_space(const Program& program, const Graph& graph, const Library& library, const Device& device,
                       const Problem& problem, FusionSpace space, const CostOptions& options,
                       std::map<NodeId, double> loop_ns, const Strategy* strategy) {
    const std::size_t fusions = space.fusions.size();
    Costing costing(program, graph, library, device, problem, options, std::move(space), std::move(loop_ns), fusions);
    std::size_t priced = 0;
    for (const FusionId id : costing.so_far().space.fusions.ids()) {
        if (costing.out_of_budget() && costing.covers(costing.so_far().space.fusions[id])) continue;
        costing.price(id);
        ++priced;
    }
    std::string remark;
    if (priced < fusions) {
        remark = fmt::format("{} of {} fusions are priced", priced, fusions);
        costing.leave_out();
    }
    if (strategy != nullptr && costing.is_any_priced_in_part()) (void)refine(graph, costing, *strategy);
    return costing.finish(remark);
}

}  // namespace kasc
