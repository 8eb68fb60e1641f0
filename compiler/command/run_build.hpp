#pragma once
// A compilation's first plan, emitted and built for the machine.

#include <filesystem>
#include <string>

#include "command/machine.hpp"
#include "driver/compilation.hpp"

namespace kasc::command {

struct RunBuild {
    std::filesystem::path folder;   ///< for the emitted files; made if missing
    std::filesystem::path library;  ///< to make
    bool with_reference = false;    ///< the unfused program as well
};

/// The library's path. K0720, K0721 and those of building.
[[nodiscard]] Outcome<std::string> build_run(const Compilation& compilation, const CompileRequest& request,
                                             const Machine& machine, const RunBuild& build);

}  // namespace kasc::command
