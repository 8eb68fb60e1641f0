#pragma once
// How a CPU launches a kernel (support/kasc_crew.hpp): by itself, or together with those around it
// (support/kasc_planes.hpp), where what its blocks touch is known.

#include <array>
#include <functional>
#include <string>

#include "emit/writer.hpp"
#include "kernel/kernel.hpp"

namespace kasc::emit {

/// A launch: blocks along each dimension, the call for a block, and what stands for a kernel's array; all are text.
struct CpuLaunch {
    std::array<std::string, 3> grid;
    std::string call;
    std::function<std::string(const kernel::Parameter&)> array;
};

/// A launch by the kasc_launches of this name. Requires: the kernel's integer parameters have their own names.
void write_run(Writer& out, const kernel::Kernel& kernel, const std::string& launches, const CpuLaunch& launch);

/// <name>_launch(void *const *arguments, const long long *first, const long long *grid, void *launches): so many blocks
/// from the first on; of each argument its address. `launches`: by which it runs; null: at once.
void write_cpu_launch(Writer& out, const kernel::Kernel& kernel);
/// kasc_make_launches(), kasc_finish_launches(), kasc_release_launches(): what such a launch takes.
void write_cpu_launches(Writer& out);

}  // namespace kasc::emit
