#pragma once
// What the last block of a kernel to finish goes on with.

#include <list>
#include <vector>

#include "lower/rider.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

/// Adds to the kernel's body what counts its blocks, where it has several, and behind it kernels of one block, in their
/// order, which the last block runs. `before`: whose names and parameters they go on with; `contexts` gets one of each.
/// Requires: `carrier`, of this kernel, may go on (going_on_fault), and what is completed may be run so
/// (last_block_fault).
void add_last_block(Kernel& kernel, const FieldContext& before, const Walked& carrier,
                    const std::vector<Rider>& completed, std::list<FieldContext>& contexts);

}  // namespace kasc::kernel
