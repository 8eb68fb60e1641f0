// 259 cells a row, grid 32x8 vector 4: what runs is grid 32x8 vector 1.
#include "select/whole_vectors.hpp"

#include "model/parts.hpp"

namespace kasc {

long long cells_of_row(const FieldSchedule& schedule, const Problem& problem) {
    return schedule.axes().empty() ? 1 : model::extent_of(problem, schedule.axes().front());
}

Prediction price_of_run(const FieldScheduler& scheduler, const FieldSchedule& schedule, FieldPredictor& predictor,
                        const Problem& problem) {
    if (cells_of_row(schedule, problem) % schedule.choice.vector == 0) return predictor.of(schedule);
    FieldChoice choice = schedule.choice;
    choice.vector = 1;
    const FieldScheduleResult runs = scheduler.with(choice);
    return predictor.of(runs.value ? *runs.value : schedule);
}

}  // namespace kasc
