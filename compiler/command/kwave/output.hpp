#pragma once
// The output file of k-Wave's commands, as its tools read it.

#include "command/kwave/input.hpp"
#include "command/kwave/options.hpp"
#include "command/run/front.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// What the file says of the run beside its arrays.
struct KwaveRecord {
    RunFigures figures;
    double seconds_before = 0;  ///< of simulation in calls before a checkpoint
};

/// Series (1, Nt - s + 1, N), statistics (1, 1, N), fields (Nz, Ny, Nx); by boxes a group each of p/1 (Nt - s + 1, nz,
/// ny, nx), p_max/1 (nz, ny, nx), … `record` is asked at the end, and outlives it.
[[nodiscard]] runtime::OutputForm kwave_form(const KwaveOptions& options, const KwaveInput& input,
                                             const std::vector<std::int32_t>& sensor,
                                             const runtime::ProgramInterface& program,
                                             const std::vector<long long>& extents, const KwaveRecord& record);

/// Seconds of simulation that an output file tells of; 0: it tells none.
[[nodiscard]] double told_seconds(const std::string& path);

}  // namespace kasc::command
