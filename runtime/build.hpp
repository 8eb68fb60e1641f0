#pragma once
// Emitted sources into a shared library, by the machine's own compiler.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/process.hpp"

namespace kasc::runtime {

enum class BuildTarget { cpu, cuda };

/// What the code is for: to be run for long, or once, when the time to build it counts.
enum class BuildPurpose { long_runs, one_look };

struct BuildRequest {
    BuildTarget target = BuildTarget::cpu;
    std::vector<std::string> sources;     ///< paths; their folders are searched for headers as #include "…" does
    std::string library;                  ///< path of the library to make
    int compute_capability = 0;           ///< cuda: 90 stands for sm_90
    std::vector<std::string> link_names;  ///< "cufft" for -lcufft
    ProcessWatch watch;                   ///< of the compiler
    BuildPurpose purpose = BuildPurpose::long_runs;
};

/// The compiler's call without sources and output: floating point as the emitted code promises, that is without
/// contraction and reordering, so that fused equals unfused to the bit.
[[nodiscard]] std::vector<std::string> compiler_flags(const BuildRequest& request);

/// cpu: $CXX, then g++, clang++, c++ on PATH. cuda: $CUDACXX, then nvcc on PATH, then /usr/local/cuda/bin.
/// Empty: there is none. $CXX and $CUDACXX may hold words before or after ("ccache g++").
[[nodiscard]] std::vector<std::string> find_compiler(BuildTarget target);

/// What the compiler says of its version: "12.9.0" of g++, "V13.0.88" of nvcc. Empty: there is none.
[[nodiscard]] std::string compiler_version(BuildTarget target);

/// The library's path. K0801 no compiler, K0802 the compiler refuses (with its first errors) or takes longer than the
/// watch allows, warning K0803 where the
/// compiler has no OpenMP and the library runs on one core.
[[nodiscard]] Outcome<std::string> build_shared_library(const BuildRequest& request);

}  // namespace kasc::runtime
