// The fusion space as text: a line a fusion, then the refusals, then what was left out.
//
//   f3  t = f(a) | u = g(t)  reads a  writes u  keeps t
//   refused  t = f(a) | w = h(t, u): a path leaves the fusion and comes back: …

#include <fmt/format.h>

#include <iterator>

#include "search/fusion_space.hpp"

namespace kasc {

namespace {

std::string calls_text(const std::vector<NodeId>& calls, const Program& program, const Graph& graph) {
    std::vector<std::string> texts;
    for (NodeId call : calls) texts.push_back(node_text(graph, program, call));
    return fmt::format("{}", fmt::join(texts, " | "));
}

void append_values(std::string& out, const char* label, const std::vector<ValueId>& values, const Program& program,
                   const Graph& graph) {
    if (values.empty()) return;
    std::vector<std::string> names;
    for (ValueId v : values) names.push_back(value_name(graph, program, v));
    fmt::format_to(std::back_inserter(out), "  {} {}", label, fmt::join(names, ", "));
}

}  // namespace

std::string print(const FusionSpace& space, const Program& program, const Graph& graph) {
    std::string out;
    for (FusionId id : space.fusions.ids()) {
        const Fusion& fusion = space.fusions[id];
        fmt::format_to(std::back_inserter(out), "f{}  {}", id.index, calls_text(fusion.calls, program, graph));
        append_values(out, "reads", fusion.inputs, program, graph);
        append_values(out, "writes", fusion.outputs, program, graph);
        append_values(out, "keeps", fusion.inner, program, graph);
        out += '\n';
    }
    for (const Refusal& refusal : space.refusals) {
        fmt::format_to(std::back_inserter(out), "refused  {}: {}\n", calls_text(refusal.calls, program, graph),
                       refusal.reason);
    }
    if (!space.cut.empty()) fmt::format_to(std::back_inserter(out), "cut  {}\n", space.cut);
    return out;
}

}  // namespace kasc
