// A schedule of products as text, for `--emit plan`.
#include <fmt/format.h>

#include "schedule/product/schedule.hpp"

namespace kasc {

std::string print(const ProductSchedule& schedule, const Program& program, const Graph& graph) {
    const ProductWork& work = *schedule.work;
    std::string line;
    for (const AxisId axis : work.pass->line_axes()) line += (line.empty() ? "" : ", ") + program.axes[axis].name;
    std::string across = program.axes[work.across].name;
    for (const AxisId axis : work.rows) across += " through " + program.axes[axis].name;
    std::string text = fmt::format("product kernel along {}, {} × {} results over {}{}: {}\n", line, schedule.width(),
                                   schedule.height(), across, work.down ? ", " + program.axes[*work.down].name : "",
                                   print(Choice{schedule.choice}));
    for (const ProductRead& read : work.reads)
        text += fmt::format("    {} {}\n", read.is_staged() ? "copy" : "load", value_name(graph, program, read.value));
    const auto calls = [&](const FieldSchedule& part, const char* what) {
        for (const NodeId call : part.fusion().calls)
            text += fmt::format("    {} {}\n", what, node_text(graph, program, call));
    };
    calls(work.of().cells, "fold");
    if (work.of().joins) calls(*work.of().joins, "join");
    if (work.of().words) calls(*work.of().words, "word");
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    return text;
}

}  // namespace kasc
