#include "schedule/field/alternatives.hpp"

namespace kasc {

FieldAlternatives field_alternatives(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const auto with = [&](FieldChoice choice, const char* suffix) {
        return FieldAlternatives{schedule, schedule_field(program, graph, schedule.fusion(), choice).value, suffix};
    };
    FieldChoice choice = schedule.choice;
    if (choice.vector > 1) {
        choice.vector = 1;
        return with(choice, "_v1");
    }
    if (choice.walk == Walk::flat) {
        choice.walk = Walk::grid;
        return with(choice, "_grid");
    }
    return {schedule};
}

FieldSchedule schedule_rider(const Program& program, const Graph& graph, const Fusion& fusion) {
    FieldChoice cell_by_cell;
    cell_by_cell.threads_x = cell_by_cell.threads_y = 1;
    return *schedule_field(program, graph, fusion, cell_by_cell).value;
}

}  // namespace kasc
