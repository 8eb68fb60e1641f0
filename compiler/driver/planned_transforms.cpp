#include "driver/planned_transforms.hpp"

#include <algorithm>

#include "schedule/field/calls_functions.hpp"

namespace kasc {

namespace {

/// Some kernel or transform of the plan is so, those of loops among them.
template <class Is>
bool some_schedule(const PlannedGraph& planned, const Is& is) {
    const auto of_launch = [&](const Launch& launch) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        return candidate != nullptr && is(planned.costed->candidates[*candidate].schedule);
    };
    return std::any_of(planned.launches.begin(), planned.launches.end(), of_launch) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [&](const auto& loop) { return some_schedule(*loop.second, is); });
}

}  // namespace

bool some_transform_stores(const PlannedGraph& planned) {
    return some_schedule(planned, [](const KernelSchedule& schedule) {
        const auto* transform = std::get_if<TransformSchedule>(&schedule);
        return transform != nullptr && transform->stored;
    });
}

bool some_kernel_transforms(const PlannedGraph& planned) {
    return some_schedule(planned,
                         [](const KernelSchedule& schedule) { return std::holds_alternative<FftSchedule>(schedule); });
}

double slow_calls_of_lines(const PlannedGraph& planned) {
    double calls = 0;
    for (const Launch& launch : planned.launches) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) continue;
        const KernelSchedule& schedule = planned.costed->candidates[*candidate].schedule;
        if (!std::holds_alternative<FftSchedule>(schedule)) continue;
        for (const NodeId node : fusion_of(schedule).calls) {
            const auto* update = std::get_if<FieldUpdate>(&planned.graph->nodes[node].what);
            if (update == nullptr) continue;
            const Expression& value = *update->statement.value;
            calls += has_slow_path(value) || calls_functions(value) ? 1 : 0;
        }
    }
    for (const auto& [node, body] : planned.loops) calls += planned.iterations.at(node) * slow_calls_of_lines(*body);
    return calls;
}

}  // namespace kasc
