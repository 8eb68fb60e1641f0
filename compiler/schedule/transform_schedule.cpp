#include "schedule/transform_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc {

namespace {

void insert(std::vector<ValueId>& values, ValueId value) {
    values.insert(std::upper_bound(values.begin(), values.end(), value), value);
}

/// The calls behind the transform as a fusion of their own: the transform's result enters it.
Fusion calls_behind(const Graph& graph, const Fusion& fusion, NodeId transform) {
    Fusion behind = fusion;
    std::erase(behind.calls, transform);
    const ValueId source = graph.nodes[transform].reads.front(), result = graph.nodes[transform].writes.front();
    std::erase(behind.inputs, source);
    std::erase(behind.inner, result);
    insert(behind.inputs, result);
    return behind;
}

}  // namespace

TransformScheduleResult schedule_transform(const Program& program, const Graph& graph, const Fusion& fusion) {
    const auto transform = std::find_if(fusion.calls.begin(), fusion.calls.end(), [&](NodeId call) {
        return std::holds_alternative<Transform>(graph.nodes[call].what);
    });
    TransformSchedule schedule{fusion, {}, *transform, {}};
    if (fusion.calls.size() == 1) return {std::move(schedule), {}};
    const ValueId result = graph.nodes[*transform].writes.front();
    if (std::find(fusion.inner.begin(), fusion.inner.end(), result) == fusion.inner.end())
        return {std::nullopt, fmt::format("{} is needed in memory too", value_name(graph, program, result))};
    FieldChoice choice;
    choice.walk = Walk::stored;
    choice.threads_x = choice.threads_y = 1;
    FieldScheduleResult stored = schedule_field(program, graph, calls_behind(graph, fusion, *transform), choice);
    if (!stored.value) return {std::nullopt, stored.reason};
    stored.value->parts = StoredParts{result};
    schedule.choice.call = TransformCall::storing;
    schedule.stored = std::move(stored.value);
    return {std::move(schedule), {}};
}

std::string print(const TransformSchedule& schedule, const Program& program, const Graph& graph) {
    const Direction direction = std::get<Transform>(graph.nodes[schedule.transform].what).statement.direction;
    if (!transforms(direction)) {
        const ValueId made = graph.nodes[schedule.transform].writes.front();
        return fmt::format("{}  {}\n", name_of(direction), value_name(graph, program, made));
    }
    std::string text = fmt::format("transform  {}\n", node_text(graph, program, schedule.transform));
    if (schedule.stored) text += print(*schedule.stored, program, graph);
    return text;
}

}  // namespace kasc
