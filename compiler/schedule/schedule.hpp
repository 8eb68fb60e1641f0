#pragma once

#include <variant>

#include "schedule/fft/schedule.hpp"
#include "schedule/field/schedule.hpp"
#include "schedule/line/schedule.hpp"
#include "schedule/loop/schedule.hpp"
#include "schedule/pipeline/schedule.hpp"
#include "schedule/product/schedule.hpp"
#include "schedule/scan/schedule.hpp"
#include "schedule/stream/schedule.hpp"
#include "schedule/transform_schedule.hpp"

namespace kasc {

using KernelSchedule = std::variant<StreamSchedule, FieldSchedule, TransformSchedule, LineSchedule, PipelineSchedule,
                                    LoopSchedule, ProductSchedule, FftSchedule, ScanSchedule>;

[[nodiscard]] const Fusion& fusion_of(const KernelSchedule& schedule);
[[nodiscard]] Choice choice_of(const KernelSchedule& schedule);

/// What runs, step by step or walk by walk. `graph`: the one that was scheduled (streams: with its loops expanded).
[[nodiscard]] std::string print(const KernelSchedule& schedule, const Program& program, const Graph& graph,
                                const Library& library);

}  // namespace kasc
