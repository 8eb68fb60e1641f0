// Lays out arrays and steps. A worked example, heat in a time loop with T kept at its rim:
//
//   copy   T_in → T                     the loop's own array: the caller's input stays as it is
//   copy   T_in → T_next                the rim that no kernel writes
//   loop n = 0 .. steps
//     launch heat_k0 (T, beta → T_next)
//     swap   T, T_next
//   deliver T → output 0
#include "plan/host_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/field_target.hpp"
#include "kernel/lower.hpp"
#include "model/prediction.hpp"
#include "plan/riders.hpp"
#include "plan/swaps.hpp"

namespace kasc {

namespace {

/// A library function that loads or saves four or more words a thread may do so 16 bytes at a time.
bool moves_vectors(const StreamSchedule& schedule) {
    const auto wide = [](const AddressSet& set) { return set.offsets.size() >= 4; };
    return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&](const Step& step) {
        const bool transfers = step.kind == StepKind::load || step.kind == StepKind::save;
        if (!transfers || step.transfer != TileTransfer::author) return false;
        return (step.write_set && wide(*step.write_set)) ||
               std::any_of(step.read_sets.begin(), step.read_sets.end(), wide);
    });
}

class Layout {
public:
    Layout(const Program& program, const Library& library, std::string prefix, Riding riding)
        : program_(program), library_(library), prefix_(std::move(prefix)), riding_(riding) {}

    HostPlan run(const PlannedGraph& planned) {
        if (program_.kind == ProgramKind::stream) {
            for (const StreamType& type : library_.types) plan_.stream_types.push_back(type.name);
        }
        std::map<ValueId, SlotId> slots;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const VariableId variable = program_.inputs[i];
            input_slots_[variable] = new_slot(variable, InputStorage{i}, "_in");
        }
        outermost_ = &planned;
        for (const ValueId v : planned.graph->inputs) slots[v] = input_slots_.at(planned.graph->values[v].variable);
        std::vector<HostStep> steps;
        place(planned, slots, steps, {}, {});
        deliver(planned, slots, steps);
        plan_.steps = std::move(prelude_);
        std::move(steps.begin(), steps.end(), std::back_inserter(plan_.steps));
        remove_unused_kernels();
        return std::move(plan_);
    }

private:
    const Program& program_;
    const Library& library_;
    std::string prefix_;
    Riding riding_;
    HostPlan plan_;
    std::vector<LoweredFrom> lowered_from_;  ///< by kernel
    const PlannedGraph* outermost_ = nullptr;
    kernel::Names names_;
    std::vector<HostStep> prelude_;
    std::map<VariableId, SlotId> input_slots_;
    std::set<SlotId> reserved_;        ///< slots that hold a rim or a series: never reused for other values
    std::vector<SlotId> slice_slots_;  ///< that keep, from one iteration to the next, what slices were assigned before

    SlotId new_slot(VariableId variable, decltype(Slot::storage) storage, const std::string& suffix = "") {
        return plan_.slots.add({names_.fresh(program_.variables[variable].name + suffix), variable, storage});
    }
    [[nodiscard]] bool keeps_rim(VariableId variable) const {
        const auto* field = std::get_if<FieldShape>(&program_.variables[variable].shape);
        return field != nullptr && field->keeps_layers();
    }

    /// A slot that starts as a copy of the variable's input (rim of keep, earlier content of a series), or as zeros.
    SlotId prepared_slot(VariableId variable) {
        const SlotId slot = new_slot(variable, TemporaryStorage{});
        const auto input = input_slots_.find(variable);
        if (input != input_slots_.end()) {
            prelude_.push_back({CopyStep{input->second, slot}});
        } else {
            prelude_.push_back({ZeroStep{slot}});
        }
        reserved_.insert(slot);
        return slot;
    }

    [[nodiscard]] bool same_shape(VariableId a, VariableId b) const {
        const auto &sa = program_.variables[a].shape, &sb = program_.variables[b].shape;
        if (const auto* stream = std::get_if<StreamShape>(&sa)) {
            const auto* other = std::get_if<StreamShape>(&sb);
            return other != nullptr && library_.types[stream->type].words == library_.types[other->type].words;
        }
        const auto* other = std::get_if<FieldShape>(&sb);
        if (other == nullptr) return false;
        const auto& field = std::get<FieldShape>(sa);
        return field.axes == other->axes && field.type == other->type;
    }

    /// Where a field value goes whose kernel does not store all of it: the rest must be there already.
    [[nodiscard]] std::optional<SlotId> partial_slot(const Graph& graph, ValueId value, const FieldSchedule& schedule,
                                                     const std::map<ValueId, SlotId>& slots) {
        const VariableId variable = graph.values[value].variable;
        const auto& update = std::get<FieldUpdate>(graph.nodes[*graph.values[value].producer].what);
        const auto store = std::find_if(schedule.stores.begin(), schedule.stores.end(),
                                        [&](const FieldStore& s) { return s.value == value; });
        // What is stored in place of a value in memory finds the rim there, and all else that it leaves out.
        const bool in_place =
            updates_in_place(update.statement) && store != schedule.stores.end() && store->former == update.former;
        if (keeps_rim(variable) && !in_place) return prepared_slot(variable);
        if (store != schedule.stores.end() && store->former) {
            const SlotId former = slots.at(*store->former);
            // A slice is written in place; the caller's input is not ours to write.
            return std::holds_alternative<InputStorage>(plan_.slots[former].storage) ? prepared_slot(variable) : former;
        }
        if (!assigns_slice(update.statement) || update.former) return std::nullopt;
        slice_slots_.push_back(prepared_slot(variable));
        return slice_slots_.back();
    }

    /// Where a value goes whose kernel stores all of it. `free` are slots whose values are dead.
    SlotId whole_slot(VariableId variable, std::vector<SlotId>& free) {
        const auto fits = std::find_if(free.begin(), free.end(),
                                       [&](SlotId s) { return same_shape(plan_.slots[s].variable, variable); });
        if (fits == free.end()) return new_slot(variable, TemporaryStorage{});
        const SlotId slot = *fits;
        free.erase(fits);
        return slot;
    }

    /// True when nothing after launch `at` reads the value and it need not outlive the graph.
    [[nodiscard]] bool dead_after(const PlannedGraph& planned, ValueId value, std::size_t at) const {
        const Graph& graph = *planned.graph;
        if (std::find(graph.outputs.begin(), graph.outputs.end(), value) != graph.outputs.end()) return false;
        for (std::size_t k = at + 1; k < planned.launches.size(); ++k) {
            for (const NodeId call : calls_of(planned, k)) {
                const auto& reads = graph.nodes[call].reads;
                if (std::find(reads.begin(), reads.end(), value) != reads.end()) return false;
            }
        }
        return true;
    }
    [[nodiscard]] static std::vector<NodeId> calls_of(const PlannedGraph& planned, std::size_t launch) {
        const auto& what = planned.launches[launch].what;
        if (const auto* loop = std::get_if<NodeId>(&what)) return {*loop};
        return fusion_of(planned.costed->candidates[std::get<std::size_t>(what)].schedule).calls;
    }

    /// `free`: slots of the graphs around this one whose values are dead. `mine`: values in slots of their own, which
    /// may be freed; more are made here. All that are free at the end.
    std::vector<SlotId> place(const PlannedGraph& planned, std::map<ValueId, SlotId>& slots,
                              std::vector<HostStep>& steps, std::vector<SlotId> free, std::set<ValueId> mine) {
        for (std::size_t k = 0; k < planned.launches.size(); ++k) {
            if (const auto* loop = std::get_if<NodeId>(&planned.launches[k].what)) {
                place_loop(planned, *loop, k, slots, mine, free, steps);
                continue;
            }
            const Candidate& candidate = planned.costed->candidates[std::get<std::size_t>(planned.launches[k].what)];
            std::set<ValueId> in_place;
            if (const auto* transform = std::get_if<TransformSchedule>(&candidate.schedule))
                in_place = place_transform(planned, *transform, k, mine, slots, free, steps);
            else
                in_place = place_launch(planned, k, mine, slots, free, steps);
            for (const ValueId v : fusion_of(candidate.schedule).outputs) {
                // A former value that was overwritten is gone; its slot is not free, and is ours if it was before.
                const auto gone = std::erase_if(mine, [&](ValueId u) { return slots.at(u) == slots.at(v); });
                if (gone > 0 || !in_place.contains(v)) mine.insert(v);
            }
            for (auto it = mine.begin(); it != mine.end();) {
                const bool dead = dead_after(planned, *it, k);
                if (dead && !reserved_.contains(slots.at(*it))) free.push_back(slots.at(*it));
                it = dead ? mine.erase(it) : std::next(it);
            }
        }
        return free;
    }

    /// A complex source of a real target is lost: where its value is needed again, a copy is transformed. The values
    /// that are stored in the slot of their former value.
    std::set<ValueId> place_transform(const PlannedGraph& planned, const TransformSchedule& schedule, std::size_t at,
                                      const std::set<ValueId>& mine, std::map<ValueId, SlotId>& slots,
                                      std::vector<SlotId>& free, std::vector<HostStep>& steps) {
        const Node& node = planned.graph->nodes[schedule.transform];
        const TransformStatement& statement = std::get<Transform>(node.what).statement;
        const ValueId source = node.reads.front(), target = node.writes.front();
        const bool destroys = is_complex(field_shape(program_, statement.source).type) &&
                              !is_complex(field_shape(program_, statement.target).type);
        SlotId from = slots.at(source);
        const bool needed = !mine.contains(source) || !dead_after(planned, source, at) || reserved_.contains(from);
        std::optional<SlotId> copied;
        if (destroys && needed) {
            copied = whole_slot(statement.source, free);
            steps.push_back({CopyStep{from, *copied}});
            from = *copied;
        }
        slots[target] = whole_slot(statement.target, free);
        TransformStep step{statement, from, slots[target]};
        std::set<ValueId> in_place;
        if (schedule.stored) {
            // The result is gone with the step: what is computed of it may lie over it, as the library stores there.
            std::set<ValueId> with_result = mine;
            with_result.insert(target);
            step.stores = launch_of(planned, at, *schedule.stored, with_result, slots, free, in_place);
            const auto& outputs = schedule.fusion.outputs;
            if (std::none_of(outputs.begin(), outputs.end(), [&](ValueId v) { return slots.at(v) == step.to; }))
                free.push_back(step.to);
            std::erase_if(in_place, [&](ValueId v) { return slots.at(v) == step.to; });
            slots.erase(target);
        }
        steps.push_back({std::move(step)});
        if (copied) free.push_back(*copied);
        return in_place;
    }

    /// Former versions that launch `at` may store over, by the version that it stores: nothing needs them any more, and
    /// their array is ours.
    [[nodiscard]] std::map<ValueId, ValueId> overwritten(const PlannedGraph& planned, std::size_t at,
                                                         const FieldSchedule& schedule,
                                                         const std::map<ValueId, SlotId>& slots) const {
        std::map<ValueId, ValueId> over;
        std::set<ValueId> taken;
        for (const Overwrite& o : schedule.overwrites) {
            const bool ours = !std::holds_alternative<InputStorage>(plan_.slots[slots.at(o.former)].storage);
            if (!o.verdict || !ours || over.contains(o.value) || !dead_after(planned, o.former, at)) continue;
            if (taken.insert(o.former).second) over[o.value] = o.former;
        }
        return over;
    }

    /// A value that dies at launch `at`, over which the kernel may store another of its shape: cells read no word of it
    /// but their own.
    [[nodiscard]] std::optional<ValueId> dying_under(const PlannedGraph& planned, std::size_t at,
                                                     const FieldSchedule& schedule, ValueId value,
                                                     const std::set<ValueId>& mine,
                                                     const std::map<ValueId, ValueId>& over,
                                                     const std::map<ValueId, SlotId>& slots) const {
        const auto& whole = schedule.stored_at_cell;
        if (std::find(whole.begin(), whole.end(), value) == whole.end()) return std::nullopt;
        const VariableId variable = planned.graph->values[value].variable;
        for (const ValueId dying : schedule.read_at_cell) {
            const auto holds = [&](const auto& entry) { return slots.at(entry) == slots.at(dying); };
            const auto& inputs = schedule.fusion.inputs;
            const bool taken = std::any_of(over.begin(), over.end(), [&](const auto& o) { return o.second == dying; });
            if (!taken && mine.contains(dying) && !reserved_.contains(slots.at(dying)) &&
                same_shape(planned.graph->values[dying].variable, variable) && dead_after(planned, dying, at) &&
                std::count_if(inputs.begin(), inputs.end(), holds) == 1)
                return dying;
        }
        return std::nullopt;
    }

    /// Slots for what a kernel on fields stores, and the former values in them. `in_place`: those that lie over one.
    std::map<ValueId, ValueId> place_outputs(const PlannedGraph& planned, std::size_t at, const FieldSchedule& field,
                                             const std::set<ValueId>& mine, std::map<ValueId, SlotId>& slots,
                                             std::vector<SlotId>& free, std::set<ValueId>& in_place) {
        auto over = overwritten(planned, at, field, slots);
        for (const ValueId v : field.fusion.outputs) {
            std::optional<SlotId> slot;
            if (const auto former = over.find(v); former != over.end())
                slot = slots.at(former->second);
            else
                slot = partial_slot(*planned.graph, v, field, slots);
            if (!slot) {
                if (const auto dying = dying_under(planned, at, field, v, mine, over, slots)) {
                    over[v] = *dying;
                    slot = slots.at(*dying);
                }
            }
            const bool taken = std::any_of(slots.begin(), slots.end(), [&](const auto& s) { return s.second == slot; });
            if (taken) in_place.insert(v);
            slots[v] = slot ? *slot : whole_slot(planned.graph->values[v].variable, free);
        }
        return over;
    }

    [[nodiscard]] LaunchStep next_launch(const Fusion& fusion, const std::map<ValueId, SlotId>& slots) const {
        LaunchStep launch;
        launch.kernel = plan_.kernels.size();
        for (const ValueId v : fusion.inputs) launch.arrays[v] = slots.at(v);
        for (const ValueId v : fusion.outputs) launch.arrays[v] = slots.at(v);
        return launch;
    }
    [[nodiscard]] std::string next_name() const { return fmt::format("{}_k{}", prefix_, plan_.kernels.size()); }

    /// What a transform computes as it stores.
    LaunchStep launch_of(const PlannedGraph& planned, std::size_t at, const FieldSchedule& stored,
                         const std::set<ValueId>& mine, std::map<ValueId, SlotId>& slots, std::vector<SlotId>& free,
                         std::set<ValueId>& in_place) {
        const auto over = place_outputs(planned, at, stored, mine, slots, free, in_place);
        LaunchStep launch = next_launch(stored.fusion, slots);
        plan_.kernels.push_back(lower_field(stored, program_, *planned.graph, next_name(), over));
        lowered_from_.emplace_back();  // nothing rides on it
        return launch;
    }

    /// The values that are stored in the slot of their former value.
    std::set<ValueId> place_launch(const PlannedGraph& planned, std::size_t at, const std::set<ValueId>& mine,
                                   std::map<ValueId, SlotId>& slots, std::vector<SlotId>& free,
                                   std::vector<HostStep>& steps) {
        const Candidate& candidate = planned.costed->candidates[std::get<std::size_t>(planned.launches[at].what)];
        const Fusion& fusion = fusion_of(candidate.schedule);
        const auto* field = std::get_if<FieldSchedule>(&candidate.schedule);
        std::map<ValueId, ValueId> over;
        std::set<ValueId> in_place;
        if (field != nullptr) {
            over = place_outputs(planned, at, *field, mine, slots, free, in_place);
        } else {
            for (const ValueId v : fusion.outputs) slots[v] = whole_slot(planned.graph->values[v].variable, free);
        }
        LaunchStep launch = next_launch(fusion, slots);
        for (const NodeId call : fusion.calls) read_apart(planned.graph->nodes[call], launch, free, steps);
        if (const auto* stream = std::get_if<StreamSchedule>(&candidate.schedule)) {
            plan_.kernels.push_back(lower_stream(*stream, program_, *planned.costed->expanded, library_, next_name()));
            lowered_from_.emplace_back();
            plan_.minimum_elements = std::max(plan_.minimum_elements, stream->elements);
            if (moves_vectors(*stream)) plan_.element_multiple = 4;
        } else {
            plan_.kernels.push_back(lower_field(*field, program_, *planned.graph, next_name(), over));
            lowered_from_.push_back({field, planned.graph.get(), over, candidate.prediction.time_ns});
        }
        steps.push_back({std::move(launch)});
        return in_place;
    }

    /// Where a call reads, at other cells, the array that it updates in place, it reads a copy.
    void read_apart(const Node& call, LaunchStep& launch, std::vector<SlotId>& free, std::vector<HostStep>& steps) {
        const auto* update = std::get_if<FieldUpdate>(&call.what);
        if (update == nullptr || !update->former || !reads_what_it_assigns(program_, update->statement)) return;
        const auto former = launch.arrays.find(*update->former), result = launch.arrays.find(call.writes.front());
        if (former == launch.arrays.end() || result == launch.arrays.end() || former->second != result->second) return;
        const SlotId copy = whole_slot(plan_.slots[result->second].variable, free);
        steps.push_back({CopyStep{former->second, copy}});
        former->second = copy;
        free.push_back(copy);
    }

    /// `mine`: values of this graph in slots of their own. A slot that the loop goes on with passes from the initial
    /// value to the result: the initial value's end is not the slot's.
    void place_loop(const PlannedGraph& planned, NodeId node, std::size_t at, std::map<ValueId, SlotId>& slots,
                    std::set<ValueId>& mine, std::vector<SlotId>& free, std::vector<HostStep>& steps) {
        const auto& loop = std::get<LoopNode>(planned.graph->nodes[node].what);
        const PlannedGraph& body = *planned.loops.at(node);
        std::map<ValueId, SlotId> inner;
        for (const Captured& c : loop.captured) inner[c.inner] = slots.at(c.outer);
        std::vector<std::optional<SlotId>> current;
        for (const Carried& c : loop.carried) {
            current.push_back(c.initial ? std::optional(entering_slot(planned, c, at, slots, steps)) : std::nullopt);
            if (c.entering) inner[*c.entering] = *current.back();
        }
        const std::size_t rides_before = plan_.rides.size();
        LoopStep step{loop.loop, loop.from, loop.to, {}, {}, {}, {}, {}};
        const std::size_t slices_before = slice_slots_.size();
        // What is dead before the loop is dead in it, and its own temporaries are dead after it; but for the results
        // that no value enters.
        for (const SlotId slot : place(body, inner, step.body, free, entering_values(loop, inner))) {
            if (std::find(free.begin(), free.end(), slot) == free.end()) free.push_back(slot);
        }
        step.swaps = swaps(loop, current, inner);
        for (std::size_t i = 0; i < loop.carried.size(); ++i) {
            const Carried& c = loop.carried[i];
            slots[c.result] = current[i] ? *current[i] : after_swaps(inner.at(c.leaving), step.swaps);
            std::erase(free, inner.at(c.leaving));
            std::erase(free, slots[c.result]);
            const bool goes_on = current[i] && *current[i] == slots.at(*c.initial);
            if (goes_on && mine.erase(*c.initial) > 0) mine.insert(c.result);
        }
        const double iterations = estimated_iterations(loop.from, loop.to, program_);
        for (std::size_t k = rides_before; k < plan_.rides.size(); ++k) plan_.rides[k].saved_ns *= iterations;
        if (riding_ == Riding::where_possible) let_ride(step, plan_, lowered_from_, program_);
        if (&planned == outermost_) {
            step.state = state(planned, loop, at, slots);
            for (std::size_t i = slices_before; i < slice_slots_.size(); ++i)
                add_state(step.state, program_.variables[plan_.slots[slice_slots_[i]].variable].name, slice_slots_[i]);
        }
        steps.push_back({std::move(step)});
    }

    /// What leaves an iteration goes where it enters the next one. One variable's result may lie in the array that
    /// another one entered in: each swap follows the arrays through those before it.
    [[nodiscard]] static std::vector<std::pair<SlotId, SlotId>> swaps(const LoopNode& loop,
                                                                      const std::vector<std::optional<SlotId>>& current,
                                                                      const std::map<ValueId, SlotId>& slots) {
        std::vector<std::pair<SlotId, SlotId>> all;
        for (std::size_t i = 0; i < loop.carried.size(); ++i) {
            if (!current[i]) continue;
            const SlotId leaving = after_swaps(slots.at(loop.carried[i].leaving), all);
            if (*current[i] != leaving) all.emplace_back(*current[i], leaving);
        }
        return all;
    }

    /// Values that enter an iteration in slots of their own: once they are read for the last time, their arrays serve
    /// for what the iteration makes.
    [[nodiscard]] static std::set<ValueId> entering_values(const LoopNode& loop,
                                                           const std::map<ValueId, SlotId>& slots) {
        std::set<ValueId> mine;
        for (const Carried& c : loop.carried) {
            if (!c.entering) continue;
            const SlotId slot = slots.at(*c.entering);
            const auto others =
                std::count_if(slots.begin(), slots.end(), [&](const auto& s) { return s.second == slot; });
            if (others == 1) mine.insert(*c.entering);
        }
        return mine;
    }

    /// What an iteration of the loop finds in memory and needs, slices aside: what enters it, what it captures, and
    /// what is needed after it. `slots` are those after the loop.
    [[nodiscard]] std::vector<StateArray> state(const PlannedGraph& planned, const LoopNode& loop, std::size_t at,
                                                const std::map<ValueId, SlotId>& slots) const {
        std::vector<StateArray> all;
        std::set<ValueId> results;
        const auto add = [&](ValueId value) {
            add_state(all, value_name(*planned.graph, program_, value), slots.at(value));
        };
        for (const Carried& c : loop.carried) {
            results.insert(c.result);
            if (c.entering) add(c.result);
        }
        for (const Captured& c : loop.captured) add(c.outer);
        for (const auto& entry : slots) {
            if (!results.contains(entry.first) && !dead_after(planned, entry.first, at)) add(entry.first);
        }
        return all;
    }
    void add_state(std::vector<StateArray>& all, const std::string& name, SlotId slot) const {
        const bool known = std::any_of(all.begin(), all.end(), [&](const StateArray& a) { return a.slot == slot; });
        if (!known && !std::holds_alternative<InputStorage>(plan_.slots[slot].storage)) all.push_back({name, slot});
    }

    /// The array that a carried variable has when the loop starts: the initial value's own where nothing else needs
    /// it, else a copy.
    SlotId entering_slot(const PlannedGraph& planned, const Carried& carried, std::size_t at,
                         const std::map<ValueId, SlotId>& slots, std::vector<HostStep>& steps) {
        const SlotId initial = slots.at(*carried.initial);
        const bool ours = !std::holds_alternative<InputStorage>(plan_.slots[initial].storage);
        const auto& graph = *planned.graph;
        const bool entering_again = !graph.values[*carried.initial].producer;  // an outer loop's own array: must stay
        const bool read_inside_too = std::any_of(
            std::get<LoopNode>(graph.nodes[std::get<NodeId>(planned.launches[at].what)].what).captured.begin(),
            std::get<LoopNode>(graph.nodes[std::get<NodeId>(planned.launches[at].what)].what).captured.end(),
            [&](const Captured& c) { return c.outer == *carried.initial; });
        if (ours && !read_inside_too && dead_after(planned, *carried.initial, at) &&
            (!entering_again || is_carried_here(planned, *carried.initial))) {
            return initial;
        }
        const SlotId slot = new_slot(carried.variable, TemporaryStorage{});
        reserved_.insert(slot);
        steps.push_back({CopyStep{initial, slot}});
        return slot;
    }
    /// A graph input in a slot of ours is an outer loop's carried or captured array; a captured one must stay.
    [[nodiscard]] bool is_carried_here(const PlannedGraph& planned, ValueId value) const {
        const VariableId variable = planned.graph->values[value].variable;
        return std::any_of(planned.graph->nodes.begin(), planned.graph->nodes.end(), [&](const Node& n) {
            return std::any_of(n.writes.begin(), n.writes.end(),
                               [&](ValueId w) { return planned.graph->values[w].variable == variable; });
        });
    }

    /// Those that are launched as part of others alone.
    void remove_unused_kernels() {
        std::vector<std::optional<std::size_t>> number(plan_.kernels.size());
        std::vector<kernel::Lowered> used;
        const auto keep = [&](auto&& self, std::vector<HostStep>& steps) -> void {
            for (HostStep& s : steps) {
                if (const LaunchStep* launch = launch_in(s)) number[launch->kernel] = 0;
                if (auto* loop = std::get_if<LoopStep>(&s.what)) self(self, loop->body), self(self, loop->after);
            }
        };
        const auto renumber = [&](auto&& self, std::vector<HostStep>& steps) -> void {
            for (HostStep& s : steps) {
                if (LaunchStep* launch = launch_in(s)) launch->kernel = *number[launch->kernel];
                if (auto* loop = std::get_if<LoopStep>(&s.what)) self(self, loop->body), self(self, loop->after);
            }
        };
        keep(keep, plan_.steps);
        for (std::size_t k = 0; k < number.size(); ++k) {
            if (!number[k]) continue;
            number[k] = used.size();
            used.push_back(std::move(plan_.kernels[k]));
        }
        renumber(renumber, plan_.steps);
        plan_.kernels = std::move(used);
    }

    void deliver(const PlannedGraph& planned, const std::map<ValueId, SlotId>& slots, std::vector<HostStep>& steps) {
        std::set<SlotId> claimed;
        for (std::size_t j = 0; j < program_.outputs.size(); ++j) {
            const SlotId slot = slots.at(planned.graph->outputs.at(j));
            if (std::holds_alternative<TemporaryStorage>(plan_.slots[slot].storage) && claimed.insert(slot).second) {
                plan_.slots[slot].storage = OutputStorage{j};
            }
            steps.push_back({DeliverStep{slot, j}});
        }
    }
};

void collect_stored(const std::vector<HostStep>& steps, std::vector<std::size_t>& kernels) {
    for (const HostStep& step : steps) {
        if (const auto* transform = std::get_if<TransformStep>(&step.what); transform && transform->stores)
            kernels.push_back(transform->stores->kernel);
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) collect_stored(loop->body, kernels);
    }
}

}  // namespace

LaunchStep* launch_in(HostStep& step) {
    if (auto* transform = std::get_if<TransformStep>(&step.what))
        return transform->stores ? &*transform->stores : nullptr;
    return std::get_if<LaunchStep>(&step.what);
}

const LaunchStep* launch_in(const HostStep& step) { return launch_in(const_cast<HostStep&>(step)); }

std::vector<std::size_t> stored_kernels(const HostPlan& plan) {
    std::vector<std::size_t> kernels;
    collect_stored(plan.steps, kernels);
    return kernels;
}

HostPlan build_host_plan(const Program& program, const Library& library, const PlannedGraph& planned,
                         const std::string& prefix, Riding riding) {
    if (planned.selection.strategy == "none") riding = Riding::never;
    return Layout(program, library, prefix, riding).run(planned);
}

}  // namespace kasc
