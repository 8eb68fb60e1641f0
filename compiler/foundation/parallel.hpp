#pragma once
// Work in many pieces on all cores. What a piece finds it leaves in a place of its own, and the caller puts these
// together in their order: results never depend on how many threads there were.

#include <cstddef>
#include <functional>

namespace kasc {

/// Cores that this process may run on; at least 1.
[[nodiscard]] int usable_cores();

/// OMP_NUM_THREADS where it is set; else as many as there are usable cores, and no more than the control group's quota
/// pays for. From 1 to 64.
[[nodiscard]] std::size_t thread_count();

/// Calls `piece(i)` once for each i below `pieces`, on so many threads, this one among them; where the system
/// gives fewer, on those. Pieces are begun in ascending order. What a piece throws is thrown here, and pieces that were
/// not begun by then are left out.
void parallel_for(std::size_t pieces, const std::function<void(std::size_t)>& piece,
                  std::size_t threads = thread_count());

}  // namespace kasc
