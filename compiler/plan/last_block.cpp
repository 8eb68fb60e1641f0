#include "plan/last_block.hpp"

#include <fmt/format.h>

#include "lower/lower.hpp"
#include "schedule/field/last_block.hpp"
#include "search/prologue.hpp"

namespace kasc::laying_out {

Verdict may_go_on(const Layout& layout, const Level& level, const FieldSchedule& completed) {
    const Graph& graph = *level.planned.graph;
    Verdict completes =
        completes_parts(layout.program, graph, find_prologue_roles(layout.program, graph), completed.fusion().calls);
    if (!completes) return completes;
    const auto* before = level.steps.empty() ? nullptr : std::get_if<LaunchStep>(&level.steps.back().what);
    if (before == nullptr) return Verdict::no("it follows no kernel");
    const std::string& name = layout.plan.kernels[before->kernel].alternatives.front().name;
    const FieldAlternatives* from = layout.lowered_from[before->kernel].schedules.get();
    if (from == nullptr) return Verdict::no(name + ": it folds no sum over everything");
    std::string fault = going_on_fault(from->schedule);
    if (fault.empty() && from->otherwise) fault = going_on_fault(*from->otherwise);
    if (!fault.empty()) return Verdict::no(fmt::format("{}: {}", name, fault));
    const bool one = !fold_of(*from->schedule.work)->parts;
    return Verdict::yes(one ? fmt::format("by the block of {} itself", name) : "by the last block of " + name);
}

std::set<SlotId> touched_by(const Layout& layout, const LaunchStep& launch) {
    std::set<SlotId> slots;
    for (const kernel::Kernel& k : layout.plan.kernels[launch.kernel].alternatives) {
        for (const kernel::Parameter& p : k.parameters) {
            if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source)) slots.insert(launch.arrays.at(in->value));
            if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source)) slots.insert(launch.arrays.at(out->value));
        }
    }
    return slots;
}

void go_on(Layout& layout, Level& level, const FieldSchedule& completed, const std::map<ValueId, ValueId>& overwritten,
           const LaunchStep& launch) {
    auto& before = std::get<LaunchStep>(level.steps.back().what);
    LoweredFrom& from = layout.lowered_from[before.kernel];
    HostPlan& plan = layout.plan;
    const std::string name = plan.kernels[before.kernel].alternatives.front().name;
    from.completed.push_back({completed, overwritten, {}, std::nullopt});
    plan.kernels[before.kernel] =
        lower_field(*from.schedules, layout.program, *from.graph, name, from.overwritten, from.riders, from.completed);
    before.arrays.insert(launch.arrays.begin(), launch.arrays.end());
    before.completed.push_back(plan.kernels[launch.kernel].alternatives.front().name);
}

}  // namespace kasc::laying_out
