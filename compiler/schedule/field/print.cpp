// A field schedule as text, for `--emit plan`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/field/schedule.hpp"

namespace kasc {

namespace {

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
    std::vector<std::string> axes;
    for (const AxisId axis : schedule.axes()) axes.push_back(program.axes[axis].name);
    std::string text =
        fmt::format("field kernel over [{}]: {}\n", fmt::join(axes, ", "), print(Choice{schedule.choice}));
    for (const SharedTile& tile : schedule.tiles) {
        text += fmt::format("  share {}: {} words, halo {} below, {} above\n", value_name(graph, program, tile.value),
                            fmt::join(tile.cells, " x "), cells(tile.low), cells(tile.high));
    }
    for (const PrologueCall& call : schedule.work->prologue)
        text +=
            fmt::format("  prologue {}: each block {}{}\n", value_name(graph, program, call.call().value),
                        call.join ? "folds its parts" : "computes it", call.stored ? ", the first one stores it" : "");
    if (schedule.prologue)
        for (const BarrierDecision& b : schedule.prologue->barriers)
            text += fmt::format("  {} before step {} of the prologue: {}\n", b.needed ? "barrier" : "no barrier",
                                b.before, b.reason);
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    const auto* given = schedule.kept<StoredParts>();
    for (const ValueAt& load : schedule.work->loads) {
        text += fmt::format("  {} {} {}\n", given != nullptr && given->given == load.value ? "given" : "load",
                            value_name(graph, program, load.value), offset_text(load.offset));
    }
    for (const Evaluation& e : schedule.work->evaluations) {
        text += fmt::format("  evaluate {} {}\n", offset_text(e.offset), node_text(graph, program, e.call));
    }
    for (const FieldStore& store : schedule.work->stores) {
        text += fmt::format("  store {}", value_name(graph, program, store.value));
        for (const auto& [axis, position] : store.fixed) {
            text += fmt::format(" where {} = {}", program.axes[axis].name, to_text(*position, program, {}));
        }
        text += kept_text(store.kept);
        text += "\n";
    }
    for (const Overwrite& o : schedule.work->overwrites) {
        text += fmt::format("  {} {} {}: {}\n", value_name(graph, program, o.value), o.verdict ? "over" : "beside",
                            value_name(graph, program, o.former), o.verdict.reason());
    }
    const RowEnds ends = row_ends(*schedule.work, schedule.choice);
    text += fmt::format("  reach {} below, {} above; interior from {} to extent - {}; margin {}; {}\n",
                        cells(schedule.work->reach_low), cells(schedule.work->reach_high),
                        cells(schedule.work->interior_low), cells(schedule.work->interior_high), schedule.work->margin,
                        !schedule.work->edges        ? "no edge path"
                        : ends == RowEnds::hidden    ? "with an edge path, groups compute the rim along the first axis"
                        : ends != RowEnds::edge_path ? "with an edge path, groups map what lies beyond the first axis"
                                                     : "with an edge path");
    return text;
}

}  // namespace kasc
