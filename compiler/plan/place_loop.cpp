// Loops that the host runs: what enters an iteration and leaves it has one array, or two that change places.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "plan/layout.hpp"
#include "plan/swaps.hpp"

namespace kasc::laying_out {

namespace {

/// What leaves an iteration goes where it enters the next one. One variable's result may lie in the array that another
/// one entered in: each swap follows the arrays through those before it.
std::vector<std::pair<SlotId, SlotId>> swaps(const LoopNode& loop, const std::vector<std::optional<SlotId>>& current,
                                             const std::map<ValueId, SlotId>& slots) {
    std::vector<std::pair<SlotId, SlotId>> all;
    for (std::size_t i = 0; i < loop.carried.size(); ++i) {
        if (!current[i]) continue;
        const SlotId leaving = after_swaps(slots.at(loop.carried[i].leaving), all);
        if (*current[i] != leaving) all.emplace_back(*current[i], leaving);
    }
    return all;
}

/// Values that enter an iteration in slots of their own: once they are read for the last time, their arrays serve for
/// what the iteration makes.
std::set<ValueId> entering_values(const LoopNode& loop, const std::map<ValueId, SlotId>& slots) {
    std::set<ValueId> mine;
    for (const Carried& c : loop.carried) {
        if (!c.entering) continue;
        const SlotId slot = slots.at(*c.entering);
        const auto others = std::count_if(slots.begin(), slots.end(), [&](const auto& s) { return s.second == slot; });
        if (others == 1) mine.insert(*c.entering);
    }
    return mine;
}

/// As every plan of the program calls the value: what a loop of several iterations at a time leaves goes on in its
/// rest, and is no value of its own.
std::string state_name(const Graph& graph, const Program& program, ValueId value) {
    const Value& v = graph.values[value];
    const auto is_apart = [&](const Value& other) {
        const auto* loop = other.producer ? std::get_if<LoopNode>(&graph.nodes[*other.producer].what) : nullptr;
        return other.variable == v.variable && (loop == nullptr || !program.loops[loop->loop].rest);
    };
    int version = 0, versions = 0;
    for (const Value& other : graph.values) {
        if (!is_apart(other)) continue;
        ++versions;
        version += other.version < v.version ? 1 : 0;
    }
    const std::string& name = program.variables[v.variable].name;
    return versions > 1 ? fmt::format("{}.{}", name, version) : name;
}

void add_state(std::vector<StateArray>& all, const Layout& layout, const std::string& name, SlotId slot) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const StateArray& a) { return a.slot == slot; });
    if (!known && !is_input(layout, slot)) all.push_back({name, slot});
}

/// What an iteration of the loop finds in memory and needs: what enters it, what it captures, what is needed after it,
/// and slices that keep what was assigned before, those from `first_slice` on. The level is as it is after the loop.
std::vector<StateArray> state(const Layout& layout, const Level& level, const LoopNode& loop, std::size_t at,
                              std::size_t first_slice) {
    std::vector<StateArray> all;
    std::set<ValueId> results;
    const auto add = [&](ValueId value) {
        add_state(all, layout, state_name(*level.planned.graph, layout.program, value), level.slots.at(value));
    };
    for (const Carried& c : loop.carried) {
        results.insert(c.result);
        if (c.entering) add(c.result);
    }
    for (const Captured& c : loop.captured) add(c.outer);
    for (const auto& entry : level.slots) {
        if (!results.contains(entry.first) && !level.dead_after(entry.first, at)) add(entry.first);
    }
    for (std::size_t i = first_slice; i < layout.slice_slots.size(); ++i) {
        const SlotId slot = layout.slice_slots[i];
        add_state(all, layout, layout.program.variables[layout.plan.slots[slot].variable].name, slot);
    }
    return all;
}

/// A graph input in a slot of ours is an outer loop's carried or captured array; a captured one must stay.
bool is_carried_here(const PlannedGraph& planned, ValueId value) {
    const Graph& graph = *planned.graph;
    const VariableId variable = graph.values[value].variable;
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) {
        return std::any_of(n.writes.begin(), n.writes.end(),
                           [&](ValueId w) { return graph.values[w].variable == variable; });
    });
}

bool keeps_slices(const Layout& layout, SlotId slot) {
    const auto& kept = layout.slice_slots;
    return std::find(kept.begin(), kept.end(), slot) != kept.end();
}

bool is_rest(const Program& program, LoopId loop) {
    return std::any_of(program.loops.begin(), program.loops.end(), [&](const Loop& l) { return l.rest == loop; });
}

/// Where a loop's steps begin: the rest of a loop goes on where that ends, and the two take turns, so that what the
/// rest alone needs is made ready before both.
std::vector<HostStep>::iterator beginning(Level& level, const Program& program, LoopId loop) {
    if (!level.outermost || !is_rest(program, loop)) return level.steps.end();
    if (level.steps.empty() || rest_of(level.steps.back(), program) != loop)
        throw std::logic_error("the rest of a loop does not go on where that ends");
    return level.steps.end() - 1;
}

/// Arrays that the loop before this rest, which takes turns with it, finds as they are in all its iterations.
std::set<SlotId> captured_before(const Level& level, const Program& program, LoopId rest) {
    std::set<SlotId> all;
    for (const Node& node : level.planned.graph->nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        if (loop == nullptr || program.loops[loop->loop].rest != rest) continue;
        for (const Captured& c : loop->captured) all.insert(level.slots.at(c.outer));
    }
    return all;
}

}  // namespace

/// The array that a carried variable has when the loop starts: the initial value's own where nothing else needs it,
/// else a copy.
SlotId entering_slot(Layout& layout, Level& level, const LoopNode& loop, const Carried& carried, std::size_t at) {
    const ValueId value = *carried.initial;
    const SlotId initial = level.slots.at(value);
    const bool entering_again = !level.planned.graph->values[value].producer;  // an outer loop's own array: must stay
    const bool read_inside_too =
        std::any_of(loop.captured.begin(), loop.captured.end(), [&](const Captured& c) { return c.outer == value; });
    if (!is_input(layout, initial) && !read_inside_too && level.dead_after(value, at) &&
        (!entering_again || is_carried_here(level.planned, value))) {
        return initial;
    }
    // Slices of earlier iterations stay in their array: the loop goes on in it, and what reads the initial value later
    // reads a copy.
    const auto before = beginning(level, layout.program, loop.loop);
    if (keeps_slices(layout, initial)) {
        // What is free now the loop before a rest works in.
        std::vector<SlotId> none;
        const bool at_end = before == level.steps.end();
        const SlotId copy = whole_slot(layout, carried.variable, at_end ? level.free : none);
        level.steps.insert(before, {CopyStep{initial, copy}});
        level.slots[value] = copy;
        level.mine.insert(value);
        return initial;
    }
    const SlotId slot = new_slot(layout, carried.variable, TemporaryStorage{});
    layout.reserved.insert(slot);
    level.steps.insert(before, {CopyStep{initial, slot}});
    return slot;
}

void place_loop(Layout& layout, Level& level, NodeId node, std::size_t at) {
    const auto& loop = std::get<LoopNode>(level.planned.graph->nodes[node].what);
    auto& slots = level.slots;
    // What is dead before the loop is dead in it, and its own temporaries are dead after it; but for the results that
    // no value enters.
    Level body{*level.planned.loops.at(node), false, {}, {}, {}, {}};
    std::vector<std::optional<SlotId>> current;
    for (const Carried& c : loop.carried) {
        current.push_back(c.initial ? std::optional(entering_slot(layout, level, loop, c, at)) : std::nullopt);
        if (c.entering) body.slots[*c.entering] = *current.back();
    }
    for (const Captured& c : loop.captured) {
        body.slots[c.inner] = slots.at(c.outer);
        if (level.padded.contains(c.outer)) body.padded.insert(c.inner);
    }
    body.free = level.free;
    for (const SlotId slot : captured_before(level, layout.program, loop.loop)) std::erase(body.free, slot);
    body.mine = entering_values(loop, body.slots);
    // Who asks during the iteration whether it runs at all sees what was so before it.
    if (loop.going) body.mine.erase(*loop.going);
    const std::optional<SlotId> going = loop.going ? std::optional(body.slots.at(*loop.going)) : std::nullopt;
    const std::size_t first_slice = layout.slice_slots.size(), first_ride = layout.plan.rides.size();
    place(layout, body);
    for (const SlotId slot : body.free) {
        if (std::find(level.free.begin(), level.free.end(), slot) == level.free.end()) level.free.push_back(slot);
    }
    LoopStep step{loop.loop, loop.from, loop.to, std::move(body.steps), swaps(loop, current, body.slots), {},
                  {},        {},        going};
    for (std::size_t i = 0; i < loop.carried.size(); ++i) {
        const Carried& c = loop.carried[i];
        const SlotId leaving = body.slots.at(c.leaving);
        slots[c.result] = current[i] ? *current[i] : after_swaps(leaving, step.swaps);
        std::erase(level.free, leaving);
        std::erase(level.free, slots[c.result]);
        // A slot that the loop goes on with passes from the initial value to the result: the initial value's end is
        // not the slot's.
        const bool goes_on = current[i] && *current[i] == slots.at(*c.initial);
        if (goes_on && level.mine.erase(*c.initial) > 0) level.mine.insert(c.result);
    }
    const double iterations = level.planned.iterations.at(node);
    auto& rides = layout.plan.rides;
    for (std::size_t k = first_ride; k < rides.size(); ++k) rides[k].saved_ns *= iterations;
    // What rides on the next iteration would be left behind by one that does not run.
    if (layout.riding == Riding::where_possible && !loop.going)
        let_ride(step, iterations, layout.plan, layout.lowered_from, layout.program);
    // A rest needs what the loop before it needs, in the same arrays, and what its conditions alone assign. Either may
    // be next.
    if (level.outermost) step.state = state(layout, level, loop, at, first_slice);
    if (level.outermost && is_rest(layout.program, loop.loop)) {
        std::vector<StateArray>& both = std::get<LoopStep>((level.steps.end() - 1)->what).state;
        for (const StateArray& own : step.state) {
            const auto known =
                std::find_if(both.begin(), both.end(), [&](const StateArray& a) { return a.slot == own.slot; });
            if (known == both.end())
                both.push_back(own);
            else
                known->name = own.name;
        }
        step.state = both;
    }
    level.steps.push_back({std::move(step)});
}

}  // namespace kasc::laying_out
