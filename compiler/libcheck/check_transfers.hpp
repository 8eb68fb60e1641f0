#pragma once
// Loads and saves: they copy a tile as it lies, between global and shared memory.

#include "libcheck/part_run.hpp"

namespace kasc::libcheck {

/// The number of elements that a block serves, where its patterns do not tell: what its transfers move in global
/// memory. At least 1; disagreeing_numbers where they differ.
[[nodiscard]] int measured_elements(const FunctionTask& task, std::size_t implementation, std::size_t block,
                                    Findings& findings);

/// All loads and the save of an implementation at a block that serves `elements`.
void check_transfers(const FunctionTask& task, std::size_t implementation, std::size_t block, int elements,
                     Findings& findings);

}  // namespace kasc::libcheck
