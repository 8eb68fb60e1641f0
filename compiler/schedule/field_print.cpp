// A field schedule as text, for `--emit plan`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/field_schedule.hpp"

namespace kasc {

namespace {

const char* walk_name(Walk walk) {
    switch (walk) {
        case Walk::grid:
            return "grid";
        case Walk::column:
            return "column";
        case Walk::row:
            return "row";
    }
    return "?";
}

std::string offset_text(const std::vector<int>& offset) {
    std::string text;
    for (const int o : offset) text += (text.empty() ? "" : ", ") + (o == 0 ? "0" : fmt::format("{:+d}", o));
    return "[" + text + "]";
}

std::string cells(const std::vector<int>& by_axis) { return fmt::format("[{}]", fmt::join(by_axis, ", ")); }

std::string kept_text(const std::vector<KeptLayers>& kept) {
    if (std::all_of(kept.begin(), kept.end(), [](const KeptLayers& k) { return k == KeptLayers{}; })) return {};
    const int layers = kept.front().low;
    if (std::all_of(kept.begin(), kept.end(), [&](const KeptLayers& k) { return k == KeptLayers{layers, layers}; }))
        return fmt::format(", {} outermost layers kept", layers);
    std::vector<std::string> faces;
    for (const KeptLayers& k : kept) faces.push_back(fmt::format("{} / {}", k.low, k.high));
    return fmt::format(", layers kept: {}", fmt::join(faces, ", "));
}

}  // namespace

std::string print(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const FieldChoice& choice = schedule.choice;
    std::vector<std::string> axes;
    for (const AxisId axis : schedule.axes) axes.push_back(program.axes[axis].name);
    std::string text =
        fmt::format("field kernel over [{}], {} walk, {} x {} {}", fmt::join(axes, ", "), walk_name(choice.walk),
                    choice.threads_x, choice.threads_y, choice.walk == Walk::row ? "cells a block" : "threads");
    if (choice.vector > 1) text += fmt::format(", {} cells a thread", choice.vector);
    if (choice.walk == Walk::column) text += fmt::format(", {} planes a thread", choice.chunk);
    text += "\n";
    for (const ValueAt& load : schedule.loads) {
        text += fmt::format("  load {} {}\n", value_name(graph, program, load.value), offset_text(load.offset));
    }
    for (const Evaluation& e : schedule.evaluations) {
        text += fmt::format("  evaluate {} {}\n", offset_text(e.offset), node_text(graph, program, e.call));
    }
    for (const FieldStore& store : schedule.stores) {
        text += fmt::format("  store {}", value_name(graph, program, store.value));
        for (const auto& [axis, position] : store.fixed) {
            text += fmt::format(" where {} = {}", program.axes[axis].name, to_text(*position, program, {}));
        }
        text += kept_text(store.kept);
        text += "\n";
    }
    text += fmt::format("  reach {} below, {} above; interior from {} to extent - {}; margin {}; {}\n",
                        cells(schedule.reach_low), cells(schedule.reach_high), cells(schedule.interior_low),
                        cells(schedule.interior_high), schedule.margin,
                        schedule.edges ? "with an edge path" : "no edge path");
    return text;
}

}  // namespace kasc
