#pragma once
// What a warp's walk (lower/walk/warp.cpp) loads, exchanges and holds of one field.

#include "schedule/field/schedule.hpp"
#include "schedule/field/walk_parts.hpp"

namespace kasc::model {

/// What a thread loads, exchanges and holds at each row that it walks.
struct WarpTraffic {
    double loads = 0;      ///< accesses of memory, for the rows that the warp holds
    double exchanged = 0;  ///< cells that it takes from other threads, each with an instruction of its own
    double rows = 0;       ///< of its own cells, kept from one row to the next
    double beside = 0;     ///< cells of other threads that it holds
};
[[nodiscard]] WarpTraffic warp_traffic(const WarpParts& warp, ValueId value);
/// The warp holds the row that is read at these steps.
[[nodiscard]] bool holds(const WarpParts& warp, const FieldRead& read, const std::vector<int>& at);

/// Bytes of L2's sectors that a run of `bytes` touches, wherever it begins in steps of `step` bytes: on average.
[[nodiscard]] double sector_bytes(double bytes, double step);

}  // namespace kasc::model
