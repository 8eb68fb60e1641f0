#pragma once
// Proof that a field kernel's use of shared memory has no race, by code that knows nothing of what placed its barriers:
// the kernel is run for its integers, on a grid of at least three blocks along each axis with a part of a block at the
// end, in the first, a middle and the last block of each axis. Every access to a shared word is seen: each word read
// was written, none lies outside its array, and where two threads touch a word and one of them writes, a barrier stands
// between. Indices depend on threads, blocks and extents alone, so these blocks stand for all.

#include <string>
#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

/// Empty: proved, or there is no shared memory. Else what is wrong, capped at 10. Requires: verify() finds nothing, and
/// the kernel calls no functions (streams are proved by their schedules).
[[nodiscard]] std::vector<std::string> prove_shared(const Kernel& kernel);

}  // namespace kasc::kernel
