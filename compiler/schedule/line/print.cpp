// A schedule of lines as text, for `--emit plan`.
#include <fmt/format.h>

#include "schedule/line/schedule.hpp"

namespace kasc {

namespace {

std::string calls(const FieldSchedule& part, const Program& program, const Graph& graph, const char* what) {
    std::string text;
    for (const NodeId call : part.fusion().calls)
        text += fmt::format("    evaluate [{}] {}\n", what, node_text(graph, program, call));
    return text;
}

}  // namespace

std::string print(const LineSchedule& schedule, const Program& program, const Graph& graph) {
    std::string along;
    for (const AxisId axis : schedule.work->line_axes()) along += (along.empty() ? "" : ", ") + program.axes[axis].name;
    std::string text = fmt::format("line kernel along {}: {}\n", along, print(Choice{schedule.choice}));
    for (std::size_t k = 0; k < schedule.work->passes.size(); ++k) {
        const LinePass& pass = schedule.work->passes[k];
        text += fmt::format("  pass {}\n", k);
        for (const ValueAt& load : pass.cells.work->loads)
            text += fmt::format("    load {}\n", value_name(graph, program, load.value));
        text += calls(pass.cells, program, graph, "cells");
        for (const FieldStore& store : pass.cells.work->stores)
            text += fmt::format("    {} {}\n",
                                pass.joins && field_update(graph, store.call).statement.fold ? "parts" : "store",
                                value_name(graph, program, store.value));
        if (pass.joins) text += calls(*pass.joins, program, graph, "join");
        if (pass.words) text += calls(*pass.words, program, graph, "word");
    }
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    return text;
}

}  // namespace kasc
