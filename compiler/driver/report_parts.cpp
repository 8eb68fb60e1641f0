#include "driver/report_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace kasc {

namespace {

constexpr std::size_t most_groups = 12, most_examples = 3;

void collect(const Compilation& c, const PlannedGraph& planned, const std::string& name, double runs,
             std::vector<GraphInPlan>& all) {
    all.push_back({name, &planned, runs});
    for (const auto& [node, body] : planned.loops) {
        const auto& loop = std::get<LoopNode>(planned.graph->nodes[node].what);
        collect(c, *body, path_of_loop(name, c.program, loop.loop), runs * planned.iterations.at(node), all);
    }
}

}  // namespace

std::string path_of_loop(const std::string& outer, const Program& program, LoopId loop) {
    const std::string inner = "loop " + program.loops[loop].name;
    return outer == "program" ? inner : outer + ", " + inner;
}

std::string binding_part(const Prediction& p) {
    const std::array<std::pair<double, const char*>, 6> parts{{{p.global_ns, "memory"},
                                                               {p.shared_ns, "shared memory"},
                                                               {p.arithmetic_ns, "arithmetic"},
                                                               {p.latency_ns, "latency"},
                                                               {p.dispatch_ns, "dispatch"},
                                                               {p.launch_ns, "the launch"}}};
    return std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; })
        ->second;
}

std::string time_text(double ns) {
    if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
    if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
    return fmt::format("{:.2f} ms", ns / 1e6);
}

std::vector<GraphInPlan> graphs_of(const Compilation& compilation, const PlannedGraph& planned) {
    std::vector<GraphInPlan> all;
    collect(compilation, planned, "program", 1, all);
    return all;
}

namespace {

/// "transform", or how a list is ordered.
std::string library_call(const PlannedGraph& planned, const TransformSchedule& transform) {
    const Direction direction = std::get<Transform>(planned.graph->nodes[transform.transform].what).statement.direction;
    return transforms(direction) ? "transform" : name_of(direction);
}

void name_kernels(const std::string& program, const PlannedGraph& planned, std::size_t& kernels,
                  std::map<const Candidate*, std::string>& names) {
    for (const Launch& launch : planned.launches) {
        if (const auto* loop = std::get_if<NodeId>(&launch.what)) {
            name_kernels(program, *planned.loops.at(*loop), kernels, names);
            continue;
        }
        const Candidate& candidate = planned.costed->candidates[std::get<std::size_t>(launch.what)];
        const auto* transform = std::get_if<TransformSchedule>(&candidate.schedule);
        const bool alone = transform != nullptr && !transform->stored;
        names[&candidate] = alone ? library_call(planned, *transform) : fmt::format("{}_k{}", program, kernels++);
    }
}

}  // namespace

std::map<const Candidate*, std::string> kernel_names(const Compilation& compilation, const PlannedGraph& planned) {
    std::map<const Candidate*, std::string> names;
    std::size_t kernels = 0;
    name_kernels(compilation.program.name, planned, kernels, names);
    return names;
}

std::vector<const Candidate*> chosen(const PlannedGraph& planned) {
    std::vector<const Candidate*> all;
    for (const Launch& launch : planned.launches) {
        if (const auto* index = std::get_if<std::size_t>(&launch.what))
            all.push_back(&planned.costed->candidates[*index]);
    }
    return all;
}

std::string calls_text(const Compilation& compilation, const Graph& graph, const std::vector<NodeId>& calls) {
    std::string text;
    for (const RepeatedCall& call : repeated_calls(compilation, graph, calls))
        text += (text.empty() ? "" : "; ") + call.text;
    return text;
}

std::vector<RepeatedCall> repeated_calls(const Compilation& compilation, const Graph& graph,
                                         const std::vector<NodeId>& calls) {
    std::vector<RepeatedCall> all;
    std::size_t times = 0;
    std::string before;
    for (const NodeId call : calls) {
        std::string text = node_text(graph, compilation.program, call);
        const bool again = !all.empty() && text == before && !graph.inner.contains(call);
        times = again ? times + 1 : 1;
        before = text;
        if (!again) all.push_back({call, std::move(text)});
        if (again) all.back().text = fmt::format("{} ({} times)", before, times);
    }
    return all;
}

std::string problem_text(const Compilation& c) {
    if (has_streams(c.program)) return fmt::format("{} elements", c.problem.elements);
    std::string text;
    for (const AxisId axis : c.program.axes.ids()) {
        if (c.program.axes[axis].own) continue;
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", c.program.axes[axis].name,
                            c.problem.extents.at(axis.index));
    }
    return text;
}

RefusalSummary summarise_refusals(const Compilation& compilation, const PlannedGraph& planned) {
    std::map<std::string, RefusalGroup> by_reason;
    const auto add = [&](const Refusal& refusal) {
        // What stands before the first ": " is the same for all such refusals, the rest is of this one.
        const std::size_t colon = refusal.reason.find(": ");
        const std::string reason = refusal.reason.substr(0, colon);
        const std::string detail = colon == std::string::npos ? "" : "  (" + refusal.reason.substr(colon + 2) + ")";
        RefusalGroup& group = by_reason[reason];
        group.reason = reason;
        ++group.count;
        if (group.calls.size() < most_examples)
            group.calls.push_back(calls_text(compilation, *planned.graph, refusal.calls) + detail);
    };
    for (const Refusal& r : planned.costed->space.refusals) add(r);
    for (const Refusal& r : planned.costed->infeasible) add(r);
    RefusalSummary summary;
    for (auto& entry : by_reason) summary.groups.push_back(std::move(entry.second));
    std::stable_sort(summary.groups.begin(), summary.groups.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (std::size_t k = most_groups; k < summary.groups.size(); ++k) summary.left_out += summary.groups[k].count;
    if (summary.groups.size() > most_groups) summary.groups.resize(most_groups);
    return summary;
}

}  // namespace kasc
