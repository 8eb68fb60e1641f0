#pragma once
// What a run in pieces needs to know of the program and its plan.

#include "command/run/file_parts.hpp"
#include "command/run/memory.hpp"
#include "driver/compilation.hpp"
#include "runtime/runs/checkpoint.hpp"
#include "runtime/runs/inputs.hpp"
#include "runtime/runs/series_windows.hpp"

namespace kasc::command {

/// The outermost loops that the host runs, in the plan's order.
struct OutermostLoop {
    LoopId loop;
    runtime::RowRange range;
};
[[nodiscard]] std::vector<OutermostLoop> outermost_loops(const Program& program, const HostPlan& plan,
                                                         const std::vector<double>& parameters,
                                                         const std::vector<long long>& extents);

/// The series with a window, `rows` by series. None for one whose loop the host does not run.
[[nodiscard]] std::vector<runtime::WindowedSeries> windowed_series(const Program& program, const Library& library,
                                                                   const std::vector<Series>& series,
                                                                   const std::vector<OutermostLoop>& loops,
                                                                   const std::vector<long long>& extents,
                                                                   const std::vector<long long>& rows);

/// Shapes of the state's arrays as datasets: the variable's, or flat where it is longer.
[[nodiscard]] std::vector<runtime::Shape> state_shapes(const Program& program, const Library& library,
                                                       const std::vector<runtime::StateArray>& state,
                                                       const std::vector<long long>& extents);

/// What a checkpoint belongs to: kasc's version, the program's text, the functions that it calls, extents, parameters,
/// and the inputs: all of their data, of a series those of some rows. By all processes: the same on any number. K0703.
[[nodiscard]] Outcome<runtime::Identity> identity_of(
    const CheckedProgram& checked, const CompileRequest& request, const std::vector<double>& parameters,
    const std::vector<long long>& extents, const runtime::SurveyedInputs& surveyed, const runtime::LoadedArrays& inputs,
    const std::vector<Series>& series, const FileParts& parts, runtime::Communicator* processes);

}  // namespace kasc::command
