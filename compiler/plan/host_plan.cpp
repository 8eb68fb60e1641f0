// Lays out arrays and steps. A worked example, heat in a time loop with T kept at its rim:
//
//   copy   T_in → T                     the loop's own array: the caller's input stays as it is
//   copy   T_in → T_next                the rim that no kernel writes
//   loop n = 0 .. steps
//     launch heat_k0 (T, beta → T_next)
//     swap   T, T_next
//   deliver T → output 0
#include "plan/host_plan.hpp"

#include <algorithm>

#include "plan/layout.hpp"
#include "plan/padded_rows.hpp"

namespace kasc {

namespace laying_out {

namespace {

std::vector<NodeId> calls_of(const PlannedGraph& planned, std::size_t launch) {
    const auto& what = planned.launches[launch].what;
    if (const auto* loop = std::get_if<NodeId>(&what)) return {*loop};
    return fusion_of(planned.costed->candidates[std::get<std::size_t>(what)].schedule).calls;
}

/// A former value that was overwritten by launch `at` is gone; its slot is not free, and is ours if it was before.
void pass_slots_on(Level& level, const Fusion& fusion, const std::set<ValueId>& in_place) {
    for (const ValueId v : fusion.outputs) {
        const auto gone = std::erase_if(level.mine, [&](ValueId u) { return level.slots.at(u) == level.slots.at(v); });
        if (gone > 0 || !in_place.contains(v)) level.mine.insert(v);
    }
}

void free_dead_slots(const Layout& layout, Level& level, std::size_t at) {
    for (auto it = level.mine.begin(); it != level.mine.end();) {
        const bool dead = level.dead_after(*it, at);
        const SlotId slot = level.slots.at(*it);
        if (dead && !layout.reserved.contains(slot)) level.free.push_back(slot);
        it = dead ? level.mine.erase(it) : std::next(it);
    }
}

/// Slots whose arrays change places with each other, by any loop: of each the first of all.
std::map<SlotId, SlotId> changing_places(const std::vector<HostStep>& steps) {
    std::map<SlotId, SlotId> first;
    const auto find = [&](SlotId slot) {
        const auto known = first.find(slot);
        return known == first.end() ? slot : known->second;
    };
    const auto join = [&](SlotId a, SlotId b) {
        const SlotId kept = std::min(find(a), find(b)), gone = std::max(find(a), find(b));
        first[a] = first[b] = kept;
        for (auto& entry : first) {
            if (entry.second == gone) entry.second = kept;
        }
    };
    for (const HostStep& step : steps) {
        const auto* loop = std::get_if<LoopStep>(&step.what);
        if (loop == nullptr) continue;
        for (const auto& [slot, kept] : changing_places(loop->body)) join(slot, kept);
        for (const auto& [a, b] : loop->swaps) join(a, b);
    }
    return first;
}

/// Delivers outputs. One of several slots that change places may lie in an output's array, where any of them may be in
/// the end: the others are delivered before it.
void deliver(Layout& layout, Level& level) {
    const std::map<SlotId, SlotId> places = changing_places(level.steps);
    std::set<SlotId> claimed;
    std::vector<HostStep> last;
    for (std::size_t j = 0; j < layout.program.outputs.size(); ++j) {
        const SlotId slot = level.slots.at(level.planned.graph->outputs.at(j));
        const auto place = places.find(slot);
        auto& storage = layout.plan.slots[slot].storage;
        const bool own = std::holds_alternative<TemporaryStorage>(storage) &&
                         claimed.insert(place == places.end() ? slot : place->second).second;
        if (own) storage = OutputStorage{j};
        (own ? last : level.steps).push_back({DeliverStep{slot, j}});
    }
    for (HostStep& step : last) level.steps.push_back(std::move(step));
}

}  // namespace

std::vector<std::size_t> last_reads(const PlannedGraph& planned) {
    const Graph& graph = *planned.graph;
    std::vector<std::size_t> last(graph.values.size(), 0);
    for (std::size_t k = 0; k < planned.launches.size(); ++k) {
        for (const NodeId call : calls_of(planned, k)) {
            for (const ValueId value : graph.nodes[call].reads) last[value.index] = k + 1;
        }
    }
    for (const ValueId value : graph.outputs) last[value.index] = planned.launches.size() + 1;
    return last;
}

void place(Layout& layout, Level& level) {
    level.padded.merge(padded_values(level.planned, layout.program));
    for (std::size_t k = 0; k < level.planned.launches.size(); ++k) {
        const auto& what = level.planned.launches[k].what;
        if (const auto* loop = std::get_if<NodeId>(&what)) {
            place_loop(layout, level, *loop, k);
            continue;
        }
        const auto& schedule = level.planned.costed->candidates[std::get<std::size_t>(what)].schedule;
        const auto* transform = std::get_if<TransformSchedule>(&schedule);
        const std::set<ValueId> in_place =
            transform != nullptr ? place_transform(layout, level, *transform, k) : place_launch(layout, level, k);
        pass_slots_on(level, fusion_of(schedule), in_place);
        free_dead_slots(layout, level, k);
    }
}

}  // namespace laying_out

HostPlan build_host_plan(const Program& program, const Library& library, const PlannedGraph& planned,
                         const std::string& prefix, Riding riding) {
    using namespace laying_out;
    if (planned.selection.strategy == "none") riding = Riding::never;
    Layout layout{program, library, prefix, riding};
    if (has_streams(program)) {
        for (const StreamType& type : library.types) layout.plan.stream_types.push_back(type.name);
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        layout.input_slots[program.inputs[i]] = new_slot(layout, program.inputs[i], InputStorage{i}, "_in");
    Level whole{planned, true, {}, {}, {}, {}};
    for (const ValueId v : planned.graph->inputs)
        whole.slots[v] = layout.input_slots.at(planned.graph->values[v].variable);
    place(layout, whole);
    deliver(layout, whole);
    layout.plan.steps = std::move(layout.prelude);
    std::move(whole.steps.begin(), whole.steps.end(), std::back_inserter(layout.plan.steps));
    remove_unused_kernels(layout.plan);
    return std::move(layout.plan);
}

std::map<AxisId, long long> lengths_of(const HostPlan& plan) {
    std::map<AxisId, long long> lengths;
    for (const kernel::Lowered& lowered : plan.kernels)
        for (const auto& [axis, cells] : lowered.alternatives.back().lengths) lengths[axis] = cells;
    return lengths;
}

}  // namespace kasc
