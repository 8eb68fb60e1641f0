#pragma once
// Shared arrays beyond what CUDA lays out when it compiles: their memory is asked for at the launch.

#include <map>
#include <string>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

/// CUDA's limit of shared memory that is laid out when a kernel is compiled.
constexpr int most_static_shared_bytes = 48 * 1024;

struct DynamicShared {
    std::map<std::string, int> first_byte;  ///< by array
    int bytes = 0;                          ///< 0: the kernel needs none of it
};
/// All arrays of a kernel that has more of them than CUDA lays out itself, but for those with an offset.
[[nodiscard]] DynamicShared dynamic_shared(const Kernel& kernel);

}  // namespace kasc::kernel
