#pragma once
// Plans built, checked and timed, a wave of them at a time: built together, then timed in turns by one process while
// nothing else runs.

#include <filesystem>
#include <functional>
#include <map>

#include "driver/compilation.hpp"
#include "engine/machine.hpp"
#include "runtime/building/cache.hpp"
#include "runtime/progress/phase_times.hpp"
#include "runtime/runs/measure.hpp"
#include "tune/measurement.hpp"

namespace kasc::command {

struct CandidateRequest {
    const Compilation& compilation;
    const CompileRequest& compile;
    const Machine& machine;
    runtime::MeasureJob job;       ///< all but its candidates
    std::filesystem::path folder;  ///< for sources and libraries
    int jobs = 1;                  ///< compilers at a time
    runtime::BuildCache cache;     ///< of what they build
    runtime::PhaseTimes& times;    ///< goes between building and computing
    std::filesystem::path turns;   ///< what processes that measure take turns by
    std::function<bool()> interrupted;
    /// Index of the plan, and what was learnt: invalidity, message, compilation_s, times_ns, copy_gb_s.
    std::function<void(std::size_t plan, const tune::Measurement& result)> learnt;
};

/// Tries the plans in their order, and tells of each as soon as it is known. An interruption ends it between two
/// results, and what was under way is not told. K0820 to K0822 of `learnt` are its own affair; K0830 the measuring
/// process cannot be started or fails before it begins.
[[nodiscard]] Diagnostics try_candidates(const CandidateRequest& request, const std::vector<std::size_t>& plans);

}  // namespace kasc::command
