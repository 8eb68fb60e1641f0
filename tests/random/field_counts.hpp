#pragma once
// What the model counts of a kernel over fields beside what the kernel did when it was interpreted.

#include <string>

#include "random/field_plans.hpp"
#include "support/field_values.hpp"
#include "support/ir_memory.hpp"

namespace kasc::random {

/// Kernels whose counts were compared, and those of which the compulsory bytes must have been the same to the byte:
/// nothing but the extents decides what they touch.
struct CountTally {
    std::size_t kernels = 0, to_the_byte = 0, accesses = 0;
    void add(const CountTally& other);
};

/// Empty, or which count of the model does not fit the launch:
///   bytes     model and launch lie between what the calls must touch, every cell that a store assigns with all that is
///             read for it, and what they may touch. Both are the same where the statements decide nothing by data,
///             keep no layers and read each field at the cell itself.
///   barriers  the same; of a column, whose last chunk may have fewer planes, at most the model's.
///   accesses  words through L1, of kernels that compute cell by cell, each value at one cell, from what stands at the
///             cell or near it: between what each cell takes by itself, and that without fields that lack an axis of
///             the kernel, of which many cells may share a load.
[[nodiscard]] std::string count_fault(const Program& program, const PlannedKernel& planned,
                                      const kernel::Kernel& kernel, const test::Problem& problem,
                                      const test::Traffic& run, CountTally& tally);

}  // namespace kasc::random
