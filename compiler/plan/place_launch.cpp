// Launches of kernels, and transforms by a library, with what they compute as they store.
#include <fmt/format.h>

#include <algorithm>

#include "graph/field_target.hpp"
#include "lower/lower.hpp"
#include "plan/last_block.hpp"
#include "plan/layout.hpp"
#include "plan/padded_rows.hpp"

namespace kasc::laying_out {

namespace {

/// A library function that loads or saves four or more words a thread may do so 16 bytes at a time.
bool moves_vectors(const StreamSchedule& schedule) {
    const std::vector<block::Step>& steps = schedule.block.steps;
    return std::any_of(steps.begin(), steps.end(), [](const block::Step& step) {
        const bool transfers = step.kind == StepKind::copy || step.kind == StepKind::store;
        return transfers && !copies_together(step) && step.touches.front().words->offsets.size() >= 4;
    });
}

LaunchStep next_launch(const Layout& layout, const Fusion& fusion, const std::map<ValueId, SlotId>& slots) {
    LaunchStep launch;
    launch.kernel = layout.plan.kernels.size();
    for (const ValueId v : fusion.inputs) launch.arrays[v] = slots.at(v);
    for (const ValueId v : fusion.outputs) launch.arrays[v] = slots.at(v);
    return launch;
}

std::string next_name(const Layout& layout) { return fmt::format("{}_k{}", layout.prefix, layout.plan.kernels.size()); }

/// Where a call reads, at other cells, the array that it updates in place, it reads a copy. The copies of all calls of
/// the launch are alive together.
void read_apart(Layout& layout, Level& level, const std::vector<NodeId>& calls, LaunchStep& launch) {
    std::vector<SlotId> copies;
    for (const NodeId node : calls) {
        const Node& call = level.planned.graph->nodes[node];
        const auto* update = std::get_if<FieldUpdate>(&call.what);
        if (update == nullptr || !update->former || !reads_what_it_assigns(layout.program, update->statement)) continue;
        const auto former = launch.arrays.find(*update->former), result = launch.arrays.find(call.writes.front());
        if (former == launch.arrays.end() || result == launch.arrays.end() || former->second != result->second)
            continue;
        copies.push_back(whole_slot(layout, layout.plan.slots[result->second].variable, level.free));
        level.steps.push_back({CopyStep{former->second, copies.back()}});
        former->second = copies.back();
    }
    level.free.insert(level.free.end(), copies.begin(), copies.end());
}

/// Fields that a loop within a kernel goes through in memory, each in an array of its own.
void place_walked(Layout& layout, Level& level, const LoopWork& work, std::size_t at, std::set<ValueId>& in_place) {
    for (const WalkedField& field : work.walked) {
        const auto carried = std::find_if(work.loop.carried.begin(), work.loop.carried.end(),
                                          [&](const Carried& c) { return c.result == field.result; });
        if (!field.initial) {
            // In loops around this one, too, slices stay there from one iteration to the next.
            layout.slice_slots.push_back(prepared_slot(layout, field.variable));
            level.slots[field.result] = layout.slice_slots.back();
            continue;
        }
        const SlotId former = level.slots.at(*field.initial);
        const SlotId slot = entering_slot(layout, level, work.loop, *carried, at);
        if (slot == former) in_place.insert(field.result);
        level.slots[field.result] = slot;
    }
}

/// What a transform computes as it stores.
LaunchStep launch_of(Layout& layout, Level& level, std::size_t at, const FieldSchedule& stored,
                     std::set<ValueId>& in_place) {
    const auto over = place_outputs(layout, level, at, stored, in_place);
    LaunchStep launch = next_launch(layout, stored.fusion(), level.slots);
    layout.plan.kernels.push_back(lower_field({stored}, layout.program, *level.planned.graph, next_name(layout), over));
    layout.lowered_from.emplace_back();  // nothing rides on it
    return launch;
}

}  // namespace

std::set<ValueId> place_launch(Layout& layout, Level& level, std::size_t at) {
    const PlannedGraph& planned = level.planned;
    const Candidate& candidate = planned.costed->candidates[std::get<std::size_t>(planned.launches[at].what)];
    const Fusion& fusion = fusion_of(candidate.schedule);
    const auto* field = std::get_if<FieldSchedule>(&candidate.schedule);
    std::map<ValueId, ValueId> over;
    std::set<ValueId> in_place;
    const auto* loop = std::get_if<LoopSchedule>(&candidate.schedule);
    if (loop != nullptr) place_walked(layout, level, *loop->work, at, in_place);
    const bool completes = field != nullptr && field->choice.launch == KernelLaunch::last;
    Verdict goes_on = completes ? may_go_on(layout, level, *field) : Verdict::no("");
    std::set<SlotId> of_before;
    if (goes_on) of_before = touched_by(layout, std::get<LaunchStep>(level.steps.back().what));
    if (field != nullptr) {
        over = place_outputs(layout, level, at, *field, in_place, of_before);
    } else {
        // Any kernel may store the next version of a variable that keeps layers there: the rim stays.
        for (const ValueId v : fusion.outputs) {
            if (level.slots.contains(v)) continue;
            const VariableId variable = planned.graph->values[v].variable;
            level.slots[v] =
                keeps_rim(layout, variable)
                    ? prepared_slot(layout, variable)
                    : whole_slot(layout, variable, level.free, level.padded.contains(v) ? padded_row_multiple : 1);
        }
    }
    HostPlan& plan = layout.plan;
    LaunchStep launch = next_launch(layout, fusion, level.slots);
    if (goes_on) {
        for (const ValueId v : fusion.outputs)
            if (of_before.contains(level.slots.at(v)))
                goes_on = Verdict::no(fmt::format("the kernel before it touches the array of {}",
                                                  value_name(*planned.graph, layout.program, v)));
    }
    if (!goes_on) read_apart(layout, level, fusion.calls, launch);
    if (const auto* stream = std::get_if<StreamSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(
            lower_stream(*stream, layout.program, *planned.costed->expanded, layout.library, next_name(layout)));
        layout.lowered_from.emplace_back();
        plan.minimum_elements = std::max(plan.minimum_elements, stream->elements);
        if (moves_vectors(*stream)) plan.element_multiple = 4;
    } else if (loop != nullptr) {
        plan.kernels.push_back(lower_loop(*loop, layout.program, *planned.graph, next_name(layout)));
        layout.lowered_from.emplace_back();
    } else if (const auto* line = std::get_if<LineSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(lower_lines(*line, for_longer_lines(*line, layout.program, *planned.graph),
                                           layout.program, *planned.graph, next_name(layout)));
        layout.lowered_from.emplace_back();
    } else if (const auto* product = std::get_if<ProductSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(lower_product(*product, layout.program, *planned.graph, next_name(layout)));
        layout.lowered_from.emplace_back();
    } else if (const auto* fft = std::get_if<FftSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(lower_fft(*fft, layout.program, *planned.graph, next_name(layout), level.padded));
        layout.lowered_from.emplace_back();
    } else if (const auto* scan = std::get_if<ScanSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(lower_scan(*scan, layout.program, *planned.graph, next_name(layout)));
        layout.lowered_from.emplace_back();
    } else if (const auto* pipeline = std::get_if<PipelineSchedule>(&candidate.schedule)) {
        plan.kernels.push_back(lower_pipeline(*pipeline, layout.program, *planned.graph, next_name(layout)));
        layout.lowered_from.emplace_back();
    } else {
        FieldAlternatives all = field_alternatives(*field, layout.program, *planned.graph);
        all.registers = candidate.prediction.registers;
        all.padded = level.padded;
        const auto schedules = std::make_shared<const FieldAlternatives>(std::move(all));
        plan.kernels.push_back(lower_field(*schedules, layout.program, *planned.graph, next_name(layout), over));
        layout.lowered_from.push_back({schedules, planned.graph.get(), over, candidate.prediction.time_ns});
    }
    if (completes) plan.completions.push_back({plan.kernels.back().alternatives.front().name, goes_on});
    if (goes_on)
        go_on(layout, level, *field, over, launch);
    else
        level.steps.push_back({std::move(launch)});
    return in_place;
}

/// In the source's array where nothing else needs it, else in a copy.
std::set<ValueId> place_renewal(Layout& layout, Level& level, const TransformStatement& statement, ValueId source,
                                ValueId target, std::size_t at) {
    SlotId slot = level.slots.at(source);
    const bool in_place =
        level.mine.contains(source) && level.dead_after(source, at) && !layout.reserved.contains(slot);
    if (!in_place) {
        const SlotId copy = whole_slot(layout, statement.target, level.free);
        level.steps.push_back({CopyStep{slot, copy}});
        slot = copy;
    }
    level.slots[target] = slot;
    level.steps.push_back({TransformStep{statement, slot, slot}});
    return in_place ? std::set<ValueId>{target} : std::set<ValueId>{};
}

/// A complex source of a real target is lost: where its value is needed again, a copy is transformed.
std::set<ValueId> place_transform(Layout& layout, Level& level, const TransformSchedule& schedule, std::size_t at) {
    const Node& node = level.planned.graph->nodes[schedule.transform];
    const TransformStatement& statement = std::get<Transform>(node.what).statement;
    const ValueId source = node.reads.front(), target = node.writes.front();
    if (statement.direction == Direction::renew) return place_renewal(layout, level, statement, source, target, at);
    const bool destroys = is_complex(field_shape(layout.program, statement.source).type) &&
                          !is_complex(field_shape(layout.program, statement.target).type);
    auto& slots = level.slots;
    SlotId from = slots.at(source);
    const bool needed = !level.mine.contains(source) || !level.dead_after(source, at) || layout.reserved.contains(from);
    std::optional<SlotId> copied;
    if (destroys && needed) {
        copied = whole_slot(layout, statement.source, level.free);
        level.steps.push_back({CopyStep{from, *copied}});
        from = *copied;
    }
    slots[target] = whole_slot(layout, statement.target, level.free);
    TransformStep step{statement, from, slots[target]};
    std::set<ValueId> in_place;
    if (schedule.stored) {
        // The result is gone with the step: what is computed of it may lie over it, as the library stores there.
        level.mine.insert(target);
        step.stores = launch_of(layout, level, at, *schedule.stored, in_place);
        level.mine.erase(target);
        const auto& outputs = schedule.fusion.outputs;
        if (std::none_of(outputs.begin(), outputs.end(), [&](ValueId v) { return slots.at(v) == step.to; }))
            level.free.push_back(step.to);
        std::erase_if(in_place, [&](ValueId v) { return slots.at(v) == step.to; });
        slots.erase(target);
    }
    level.steps.push_back({std::move(step)});
    if (copied) level.free.push_back(*copied);
    return in_place;
}

}  // namespace kasc::laying_out
