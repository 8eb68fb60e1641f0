#include "driver/planned_transforms.hpp"

#include <algorithm>

#include "schedule/field/calls_functions.hpp"

namespace kasc {

bool some_transform_stores(const PlannedGraph& planned) {
    const auto stores = [&](const Launch& launch) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) return false;
        const auto* transform = std::get_if<TransformSchedule>(&planned.costed->candidates[*candidate].schedule);
        return transform != nullptr && transform->stored;
    };
    return std::any_of(planned.launches.begin(), planned.launches.end(), stores) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [](const auto& loop) { return some_transform_stores(*loop.second); });
}

bool some_kernel_transforms(const PlannedGraph& planned) {
    const auto transforms = [&](const Launch& launch) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        return candidate != nullptr &&
               std::holds_alternative<FftSchedule>(planned.costed->candidates[*candidate].schedule);
    };
    return std::any_of(planned.launches.begin(), planned.launches.end(), transforms) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [](const auto& loop) { return some_kernel_transforms(*loop.second); });
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
