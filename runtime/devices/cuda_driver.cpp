#include "runtime/devices/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>

namespace kasc::runtime {

namespace {

std::optional<CudaDriver> find_driver() {
    CudaDriver d;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    const auto find = [&](const char* name, auto& into) { return find_function(library, name, into); };
    const bool all =
        find("cuInit", d.initialise) && find("cuDeviceGet", d.get_device) &&
        find("cuDevicePrimaryCtxRetain", d.retain_context) && find("cuDevicePrimaryCtxRelease_v2", d.release_context) &&
        find("cuCtxSetCurrent", d.set_context) && find("cuCtxPushCurrent_v2", d.push_context) &&
        find("cuCtxPopCurrent_v2", d.pop_context) && find("cuCtxSynchronize", d.await_context) &&
        find("cuModuleLoadData", d.load_module) && find("cuModuleUnload", d.unload_module) &&
        find("cuModuleGetFunction", d.get_function) && find("cuFuncSetAttribute", d.set_function) &&
        find("cuLaunchKernel", d.launch) && find("cuMemAlloc_v2", d.allocate) && find("cuMemFree_v2", d.release) &&
        find("cuMemcpyDtoDAsync_v2", d.within) && find("cuMemcpyHtoDAsync_v2", d.to_device) &&
        find("cuMemcpyDtoHAsync_v2", d.to_host) && find("cuMemsetD8Async", d.set_bytes) &&
        find("cuStreamCreate", d.make_stream) && find("cuStreamDestroy_v2", d.destroy_stream) &&
        find("cuStreamSynchronize", d.await_stream) && find("cuStreamIsCapturing", d.is_capturing) &&
        find("cuEventCreate", d.make_event) && find("cuEventDestroy_v2", d.destroy_event) &&
        find("cuEventRecord", d.record_event) && find("cuEventSynchronize", d.await_event) &&
        find("cuEventElapsedTime", d.elapsed) && find("cuStreamBeginCapture_v2", d.begin_capture) &&
        find("cuStreamEndCapture", d.end_capture) && find("cuGraphInstantiateWithFlags", d.instantiate) &&
        find("cuGraphLaunch", d.launch_graph) && find("cuGraphDestroy", d.destroy_graph) &&
        find("cuGraphExecDestroy", d.destroy_graph_code) && find("cuGetErrorString", d.error_text);
    return all ? std::optional(d) : std::nullopt;
}

}  // namespace

bool CudaDriver::load() {
    static const std::optional<CudaDriver> found = find_driver();  // each call of a program may ask for it
    if (found) *this = *found;
    return found.has_value();
}

std::string CudaDriver::text(int error) const {
    const char* words = nullptr;
    if (error_text(error, &words) == 0 && words != nullptr) return words;
    return fmt::format("CUDA's error {}", error);
}

}  // namespace kasc::runtime
