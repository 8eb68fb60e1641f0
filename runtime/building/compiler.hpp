#pragma once
// The machine's own compilers.

#include <optional>
#include <string>
#include <vector>

namespace kasc::runtime {

enum class BuildTarget { cpu, cuda };

/// cpu: $CXX, then g++, clang++, c++ on PATH. cuda: $CUDACXX, then nvcc on PATH, then /usr/local/cuda/bin.
/// Empty: there is none. $CXX and $CUDACXX may hold words before or after ("ccache g++").
[[nodiscard]] std::vector<std::string> find_compiler(BuildTarget target);

/// What the compiler says of its version: "12.9.0" of g++, "V13.0.88" of nvcc. Empty: there is none.
[[nodiscard]] std::string compiler_version(BuildTarget target);

/// Identifies a compiler: which it is, and what in its surroundings decides what it makes, that is the files behind the
/// words of its call, its version in its own words, of nvcc also those of the C++ compiler that it calls, and the
/// variables of the environment that compilers read. None: it does not tell its version.
[[nodiscard]] std::optional<std::string> compiler_identity(BuildTarget target,
                                                           const std::vector<std::string>& compiler);

}  // namespace kasc::runtime
