#pragma once
// The C names of a program's parameters and loop variables where the host computes: constants of the emitted functions.
// A kernel's scalars have the same names, so that no constant hides another.

#include <string>
#include <vector>

#include "frontend/program.hpp"
#include "kernel/kernel.hpp"

namespace kasc::kernel {

struct HostNames {
    std::vector<std::string> parameters;  ///< by parameter
    std::vector<std::string> loops;       ///< by loop
    Names scope;                          ///< all of them and the emitted functions' own are taken
};

[[nodiscard]] HostNames host_names(const Program& program);

}  // namespace kasc::kernel
