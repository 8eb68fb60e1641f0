#pragma once
// Settles which series lie in memory whole and which pass through it row by row.

#include <cstdint>
#include <string>
#include <vector>

#include "emit/target.hpp"
#include "engine/machine.hpp"
#include "plan/host_plan.hpp"
#include "plan/series.hpp"
#include "runtime/interface.hpp"

namespace kasc::command {

/// Bytes in one memory: what lies there for the whole run, and of each series a row, as often as it lies there.
struct MemoryNeed {
    std::uint64_t fixed = 0;
    std::vector<std::uint64_t> whole, row;  ///< by series: all of it, a row of its window
};
struct RunNeeds {
    MemoryNeed host, device;         ///< device: nothing where the host computes
    std::uint64_t work_area = 0;     ///< of the device's: what transforms work in
    std::vector<long long> extents;  ///< by series, its rows,
    std::vector<long long> at_once;  ///< and how many of them one iteration uses
};
struct Budget {
    std::uint64_t host = 0, device = 0;
};

/// What a plan's arrays need; of several ranks, which have near-equal parts of them, on the one that needs most.
/// `series` as series_of() gives them, `extents` as kasc_entry_call has them.
[[nodiscard]] RunNeeds run_needs(const Program& program, const Library& library, const HostPlan& plan,
                                 const std::vector<Series>& series, const std::vector<long long>& extents,
                                 emit::Target target, int ranks = 1);

/// Rows of each series' window, 0: the whole series. All are whole where that fits, but for `streamed` ones, whose
/// window is then all of it. K0723: it does not fit in windows of an iteration's rows either, and how much would.
[[nodiscard]] Outcome<std::vector<long long>> choose_windows(const RunNeeds& needs, const Budget& budget,
                                                             const std::vector<bool>& streamed);

/// What is free now of the machine's memory, and the device's, which all processes there share, or of either `limit`,
/// if it is not 0: of each process.
[[nodiscard]] Budget default_budget(const Machine& machine, std::uint64_t limit);

}  // namespace kasc::command
