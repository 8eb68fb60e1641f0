#pragma once
// A device whose kernels are interpreted, so that a host plan is walked as kasc run walks it. Its addresses are
// nobody's: only its own copies reach what is there. It objects to launches that touch other cells than their kernel
// says, and bytes of an array that is cut which its process does not hold.

#include <memory>

#include "random/field_machine.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::random {

/// What it is given outlives it. Requires: the program has no transforms and orders no lists.
[[nodiscard]] std::unique_ptr<runtime::ComputeDevice> interpreted_device(const TestedFieldPlan& plan,
                                                                         const test::Problem& problem);

}  // namespace kasc::random
