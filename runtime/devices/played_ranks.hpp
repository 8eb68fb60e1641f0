#pragma once
// Several ranks on one device, for tests, or the one of a process among several: what is asked of a rank is done late,
// and in any order with what is asked of others that their marks allow. What a run forgets to wait for comes too soon.

#include <memory>

#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

/// `seed` draws the order.
[[nodiscard]] std::unique_ptr<ComputeDevice> play_ranks(std::unique_ptr<ComputeDevice> device, int ranks,
                                                        unsigned seed);

}  // namespace kasc::runtime
