#pragma once
// A transform is a call of the device's library (cuFFT, FFTW). It may compute calls behind it as it stores its result,
// which is then not stored itself: cuFFT calls a function for each cell in place of its last store.

#include "schedule/field/schedule.hpp"
#include "search/choice.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

struct TransformSchedule {
    Fusion fusion;  ///< of the transform, and of what it computes as it stores
    TransformChoice choice;
    NodeId transform;
    std::optional<FieldSchedule>
        stored;  ///< walk `stored`: the fusion's other calls; the transform's result is an input
};

struct TransformScheduleResult {
    std::optional<TransformSchedule> value;
    std::string reason;
};
/// Requires: one call of the fusion is a transform. Infeasible, with the reason: its result is needed elsewhere too, or
/// at other cells.
[[nodiscard]] TransformScheduleResult schedule_transform(const Program& program, const Graph& graph,
                                                         const Fusion& fusion);

[[nodiscard]] std::string print(const TransformSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
