#pragma once
// CUDA source to code of a device, by NVRTC: the compiler as a library, from CUDA's toolkit or its PyPI package.

#include <string>
#include <utility>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// "13.0"; empty: there is no NVRTC on this machine.
[[nodiscard]] std::string cuda_compiler_version();

/// Its version and its file: what tells two of one version apart, by path, size and time.
[[nodiscard]] std::string cuda_compiler_identity();

struct CudaSource {
    std::string name, text;
    std::vector<std::pair<std::string, std::string>> headers;  ///< name, text
    int compute_capability = 0;                                ///< 90 stands for sm_90
    /// What a linker optimises further (LTO-IR), in place of a device's own code.
    bool for_linker = false;
};

/// The options with which it is compiled, as emitted code promises: without contraction.
[[nodiscard]] std::vector<std::string> cuda_compiler_options(const CudaSource& source);

/// K0801 there is no NVRTC, K0802 it refuses (with its first errors).
[[nodiscard]] Outcome<std::string> compile_cuda(const CudaSource& source);

}  // namespace kasc::runtime
