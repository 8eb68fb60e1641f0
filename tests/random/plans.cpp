#include "random/plans.hpp"

#include <fmt/format.h>

#include "graph/expand.hpp"
#include "kernel/check_shared.hpp"
#include "random/cover.hpp"

namespace kasc::random {

namespace {

constexpr int most_threads = 1024, shared_bytes_of_block = 232448;  // an H100's

/// Implementations, elements, rounds and transfer of a fusion of calls on streams.
class StreamDrawing {
public:
    StreamDrawing(const Program& program, Enumerations& enumerations, Draw& draw)
        : program_(program), enumerations_(enumerations), draw_(draw) {}

    std::optional<KernelSchedule> operator()(const Graph& expanded, const Fusion& fusion) const {
        StreamChoice choice;
        for (const NodeId call : functions_of(expanded, fusion.calls)) {
            const FunctionId callee = std::get<StreamCall>(expanded.nodes[call].what).callee;
            const auto& all = enumerations_.library().functions[callee].implementations;
            choice.implementations.push_back(draw_.between(0, static_cast<int>(all.size()) - 1));
        }
        choice.elements = draw_.of<int>({8, 8, 8, 16, 16, 32, 12, 4});
        choice.batch = draw_.of<int>({1, 1, 1, 2, 3});
        choice.transfer = draw_.percent(50) ? TileTransfer::author : TileTransfer::staged;
        auto made =
            schedule_stream(program_, expanded, enumerations_, fusion, choice, most_threads, shared_bytes_of_block);
        if (!made.value) return std::nullopt;
        return std::move(*made.value);
    }

private:
    const Program& program_;
    Enumerations& enumerations_;
    Draw& draw_;
};

void collect_schedules(const PlannedGraph& planned, std::vector<StreamSchedule>& schedules) {
    for (const Launch& launch : planned.launches)
        if (const auto* candidate = std::get_if<std::size_t>(&launch.what))
            schedules.push_back(std::get<StreamSchedule>(planned.costed->candidates[*candidate].schedule));
    for (const auto& loop : planned.loops) collect_schedules(*loop.second, schedules);
}

/// In the order in which a host plan names its kernels.
void collect_kernels(const PlannedGraph& planned, const std::string& prefix,
                     std::map<std::string, PlannedStream>& kernels) {
    for (const Launch& launch : planned.launches) {
        if (const auto* loop = std::get_if<NodeId>(&launch.what))
            collect_kernels(*planned.loops.at(*loop), prefix, kernels);
        else
            kernels.emplace(fmt::format("{}_k{}", prefix, kernels.size()),
                            PlannedStream{planned.costed, std::get<std::size_t>(launch.what)});
    }
}

}  // namespace

TestedPlans covering_plans(const Program& program, const Graph& graph, Enumerations& enumerations,
                           const std::string& prefix, Draw& draw) {
    TestedPlans result;
    const Library& library = enumerations.library();
    Cover plans(program, graph, library, draw, StreamDrawing(program, enumerations, draw));
    for (bool fuse = false; !fuse || !plans.covered(); fuse = true) {
        const PlannedGraph planned = plans.next(fuse);
        const std::string name = fmt::format("{}_{}", prefix, result.plans.size());
        TestedPlan plan{build_host_plan(program, library, planned, name), {}};
        collect_schedules(planned, plan.schedules);
        collect_kernels(planned, name, plan.kernels);
        for (const kernel::Lowered& lowered : plan.host.kernels)
            for (const kernel::Kernel& k : lowered.alternatives)
                if (const std::string fault = kernel::verify(k); !fault.empty())
                    result.faults.push_back("kernel: " + fault);
                else
                    for (const std::string& found : kernel::check_shared(k))
                        result.faults.push_back("shared: " + found);
        result.plans.push_back(std::move(plan));
    }
    result.fusions = plans.feasible(), result.refused = plans.refused();
    return result;
}

}  // namespace kasc::random
