#pragma once
// Libraries that are found when they are needed: kasc itself is linked with none of them.

#include <string>
#include <vector>

namespace kasc::runtime {

/// A library of CUDA's toolkit by its names, newest first ("libnvrtc.so.13", …): where the linker finds it, in the
/// folders of $CUDA_HOME or $CUDA_PATH, /usr/local/cuda, beside nvcc, or of the PyPI packages of NVIDIA (nvidia/*/lib
/// beside kasc's own package, of the user's, the machine's and an active virtual environment's). Null: it is nowhere.
/// Never closed.
[[nodiscard]] void* open_cuda_library(const std::vector<std::string>& names);

/// dlsym; false: it is not there.
[[nodiscard]] bool find_symbol(void* library, const char* name, void** into);
template <class Function>
[[nodiscard]] bool find_function(void* library, const char* name, Function& into) {
    return find_symbol(library, name, reinterpret_cast<void**>(&into));
}

}  // namespace kasc::runtime
