#include "runtime/devices/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace kasc::runtime {

bool CudaDriver::load() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto find = [&](const char* name, auto& into) { return find_function(library, name, into); };
    return find("cuInit", initialise) && find("cuDeviceGet", get_device) &&
           find("cuDevicePrimaryCtxRetain", retain_context) && find("cuDevicePrimaryCtxRelease_v2", release_context) &&
           find("cuCtxSetCurrent", set_context) && find("cuModuleLoadData", load_module) &&
           find("cuModuleUnload", unload_module) && find("cuModuleGetFunction", get_function) &&
           find("cuFuncSetAttribute", set_function) && find("cuLaunchKernel", launch) &&
           find("cuMemAlloc_v2", allocate) && find("cuMemFree_v2", release) && find("cuMemcpyDtoDAsync_v2", within) &&
           find("cuMemcpyHtoDAsync_v2", to_device) && find("cuMemcpyDtoHAsync_v2", to_host) &&
           find("cuMemsetD8Async", set_bytes) && find("cuStreamCreate", make_stream) &&
           find("cuStreamDestroy_v2", destroy_stream) && find("cuStreamSynchronize", await_stream) &&
           find("cuEventCreate", make_event) && find("cuEventDestroy_v2", destroy_event) &&
           find("cuEventRecord", record_event) && find("cuEventSynchronize", await_event) &&
           find("cuEventElapsedTime", elapsed) && find("cuStreamBeginCapture_v2", begin_capture) &&
           find("cuStreamEndCapture", end_capture) && find("cuGraphInstantiateWithFlags", instantiate) &&
           find("cuGraphLaunch", launch_graph) && find("cuGraphDestroy", destroy_graph) &&
           find("cuGraphExecDestroy", destroy_graph_code) && find("cuGetErrorString", error_text);
}

std::string CudaDriver::text(int error) const {
    const char* words = nullptr;
    if (error_text(error, &words) == 0 && words != nullptr) return words;
    return fmt::format("CUDA's error {}", error);
}

}  // namespace kasc::runtime
