// Chooses the array that a value gets.
#include <algorithm>

#include "graph/field_target.hpp"
#include "plan/layout.hpp"

namespace kasc::laying_out {

namespace {

/// Where a field value goes whose kernel does not store all of it: the rest must be there already.
std::optional<SlotId> partial_slot(Layout& layout, const Level& level, ValueId value, const FieldSchedule& schedule) {
    const Graph& graph = *level.planned.graph;
    const VariableId variable = graph.values[value].variable;
    const auto& update = std::get<FieldUpdate>(graph.nodes[*graph.values[value].producer].what);
    const FieldStore* store = store_of(*schedule.work, value);
    // What is stored in place of a value in memory finds the rim there, and all else that it leaves out.
    const bool in_place = updates_in_place(update.statement) && store != nullptr && store->former == update.former;
    if (keeps_rim(layout, variable) && !in_place) return prepared_slot(layout, variable);
    if (store != nullptr && store->former) {
        // A slice is written in place.
        const SlotId former = level.slots.at(*store->former);
        return is_input(layout, former) ? prepared_slot(layout, variable) : former;
    }
    // Where one kernel stores several slices, the former value of the last is its own.
    const bool several = std::count_if(schedule.work->stores.begin(), schedule.work->stores.end(),
                                       [&](const FieldStore& s) { return s.value == value; }) > 1;
    if (!assigns_slice(update.statement) || (update.former && !several)) return std::nullopt;
    layout.slice_slots.push_back(prepared_slot(layout, variable));
    return layout.slice_slots.back();
}

/// Former versions that launch `at` may store over, by the version that it stores: nothing needs them any more, and
/// their array is ours.
std::map<ValueId, ValueId> overwritten(const Layout& layout, const Level& level, std::size_t at,
                                       const FieldSchedule& schedule) {
    std::map<ValueId, ValueId> over;
    std::set<ValueId> taken;
    for (const Overwrite& o : schedule.work->overwrites) {
        const bool ours = !is_input(layout, level.slots.at(o.former));
        if (!o.verdict || !ours || over.contains(o.value) || !level.dead_after(o.former, at)) continue;
        if (taken.insert(o.former).second) over[o.value] = o.former;
    }
    return over;
}

/// A value that dies at launch `at`, over which the kernel may store another of its shape: cells read no word of it but
/// their own.
std::optional<ValueId> dying_under(const Layout& layout, const Level& level, std::size_t at,
                                   const FieldSchedule& schedule, ValueId value,
                                   const std::map<ValueId, ValueId>& over) {
    const auto& whole = schedule.work->stored_at_cell;
    if (std::find(whole.begin(), whole.end(), value) == whole.end()) return std::nullopt;
    const auto& values = level.planned.graph->values;
    for (const ValueId dying : schedule.work->read_at_cell) {
        const SlotId slot = level.slots.at(dying);
        const auto holds = [&](ValueId entry) { return level.slots.at(entry) == slot; };
        const auto& inputs = schedule.fusion().inputs;
        const bool taken = std::any_of(over.begin(), over.end(), [&](const auto& o) { return o.second == dying; });
        if (!taken && level.mine.contains(dying) && !layout.reserved.contains(slot) &&
            same_shape(layout, values[dying].variable, values[value].variable) && level.dead_after(dying, at) &&
            std::count_if(inputs.begin(), inputs.end(), holds) == 1)
            return dying;
    }
    return std::nullopt;
}

}  // namespace

bool keeps_rim(const Layout& layout, VariableId variable) {
    const auto* field = std::get_if<FieldShape>(&layout.program.variables[variable].shape);
    return field != nullptr && field->keeps_layers();
}

SlotId new_slot(Layout& layout, VariableId variable, decltype(Slot::storage) storage, const std::string& suffix) {
    return layout.plan.slots.add(
        {layout.names.fresh(layout.program.variables[variable].name + suffix), variable, storage});
}

SlotId prepared_slot(Layout& layout, VariableId variable) {
    const SlotId slot = new_slot(layout, variable, TemporaryStorage{});
    const auto input = layout.input_slots.find(variable);
    if (input != layout.input_slots.end()) {
        layout.prelude.push_back({CopyStep{input->second, slot}});
    } else {
        layout.prelude.push_back({ZeroStep{slot}});
    }
    layout.reserved.insert(slot);
    return slot;
}

SlotId whole_slot(Layout& layout, VariableId variable, std::vector<SlotId>& free, int row_multiple) {
    const auto fits = std::find_if(free.begin(), free.end(), [&](SlotId s) {
        const Slot& slot = layout.plan.slots[s];
        return slot.row_multiple == row_multiple && same_shape(layout, slot.variable, variable);
    });
    if (fits == free.end()) {
        const SlotId slot = new_slot(layout, variable, TemporaryStorage{});
        layout.plan.slots[slot].row_multiple = row_multiple;
        return slot;
    }
    const SlotId slot = *fits;
    free.erase(fits);
    return slot;
}

bool is_input(const Layout& layout, SlotId slot) {
    return std::holds_alternative<InputStorage>(layout.plan.slots[slot].storage);
}

bool same_shape(const Layout& layout, VariableId a, VariableId b) {
    const auto &sa = layout.program.variables[a].shape, &sb = layout.program.variables[b].shape;
    if (const auto* stream = std::get_if<StreamShape>(&sa)) {
        const auto* other = std::get_if<StreamShape>(&sb);
        const auto& types = layout.library.types;
        return other != nullptr && types[stream->type].words == types[other->type].words;
    }
    const auto* other = std::get_if<FieldShape>(&sb);
    if (other == nullptr) return false;
    const auto& field = std::get<FieldShape>(sa);
    return field.axes == other->axes && field.type == other->type;
}

std::map<ValueId, ValueId> place_outputs(Layout& layout, Level& level, std::size_t at, const FieldSchedule& field,
                                         std::set<ValueId>& in_place, const std::set<SlotId>& apart) {
    auto& slots = level.slots;
    auto over = overwritten(layout, level, at, field);
    std::erase_if(over,
                  [&](const auto& o) { return level.padded.contains(o.first) || apart.contains(slots.at(o.second)); });
    const auto free =
        std::stable_partition(level.free.begin(), level.free.end(), [&](SlotId slot) { return !apart.contains(slot); });
    const std::vector<SlotId> held(free, level.free.end());
    level.free.erase(free, level.free.end());
    for (const ValueId v : field.fusion().outputs) {
        const VariableId variable = level.planned.graph->values[v].variable;
        std::optional<SlotId> slot;
        if (level.padded.contains(v))
            slot = whole_slot(layout, variable, level.free, padded_row_multiple);
        else if (const auto former = over.find(v); former != over.end())
            slot = slots.at(former->second);
        else
            slot = partial_slot(layout, level, v, field);
        if (!slot) {
            const auto dying = dying_under(layout, level, at, field, v, over);
            if (dying && !apart.contains(slots.at(*dying))) {
                over[v] = *dying;
                slot = slots.at(*dying);
            }
        }
        const bool taken = std::any_of(slots.begin(), slots.end(), [&](const auto& s) { return s.second == slot; });
        if (taken) in_place.insert(v);
        slots[v] = slot ? *slot : whole_slot(layout, variable, level.free);
    }
    level.free.insert(level.free.end(), held.begin(), held.end());
    return over;
}

}  // namespace kasc::laying_out
