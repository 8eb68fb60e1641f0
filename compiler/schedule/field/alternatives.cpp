#include "schedule/field/alternatives.hpp"

#include <stdexcept>

#include "schedule/field/walk/pieces.hpp"

namespace kasc {

FieldAlternatives field_alternatives(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const auto with = [&](FieldChoice choice, const char* suffix) {
        const FieldScheduler scheduler(program, graph, schedule.work);
        FieldScheduleResult other = scheduler.with(choice);
        if (!other.value && choice.neighbours == Neighbours::shared) {
            // Neighbours that groups read for the rim alone, cells of the interior do not.
            choice.neighbours = Neighbours::registers;
            other = scheduler.with(choice);
        }
        if (!other.value) throw std::logic_error("a kernel serves no other extents: " + other.reason);
        return FieldAlternatives{schedule, std::move(other.value), suffix};
    };
    FieldChoice choice = schedule.choice;
    if (choice.walk == Walk::histogram && !adds_in_pieces(schedule.plan())) {
        FieldChoice grid;
        grid.threads_x = choice.threads_x, grid.threads_y = 1;
        return with(grid, "_grid");
    }
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

FieldScheduleResult schedule_rider(const FieldSchedule& alone, const Program& program, const Graph& graph) {
    FieldChoice cell_by_cell;
    cell_by_cell.threads_x = cell_by_cell.threads_y = 1;
    return FieldScheduler(program, graph, alone.work).with(cell_by_cell);
}

}  // namespace kasc
