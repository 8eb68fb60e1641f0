#pragma once
// The functions of libcuda that kasc uses. Names and numbers are those of cuda.h; they are binary-stable. A device's
// address is an integer of 64 bits there, and the same number as the pointer that kernels take.

#include <cstddef>
#include <string>

#include "runtime/processes/shared_library.hpp"

namespace kasc::runtime {

using DeviceAddress = unsigned long long;

struct CudaDriver {
    int (*initialise)(unsigned) = nullptr;
    int (*get_device)(int*, int) = nullptr;
    int (*retain_context)(void**, int) = nullptr;
    int (*release_context)(int) = nullptr;
    int (*set_context)(void*) = nullptr;
    int (*push_context)(void*) = nullptr;
    int (*pop_context)(void**) = nullptr;
    int (*await_context)() = nullptr;
    int (*load_module)(void**, const void*) = nullptr;
    int (*unload_module)(void*) = nullptr;
    int (*get_function)(void**, void*, const char*) = nullptr;
    int (*set_function)(void*, int, int) = nullptr;
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                  void**) = nullptr;
    int (*allocate)(DeviceAddress*, std::size_t) = nullptr;
    int (*release)(DeviceAddress) = nullptr;
    int (*within)(DeviceAddress, DeviceAddress, std::size_t, void*) = nullptr;
    int (*to_device)(DeviceAddress, const void*, std::size_t, void*) = nullptr;
    int (*to_host)(void*, DeviceAddress, std::size_t, void*) = nullptr;
    int (*set_bytes)(DeviceAddress, unsigned char, std::size_t, void*) = nullptr;
    int (*make_stream)(void**, unsigned) = nullptr;
    int (*destroy_stream)(void*) = nullptr;
    int (*await_stream)(void*) = nullptr;
    int (*is_capturing)(void*, int*) = nullptr;
    int (*make_event)(void**, unsigned) = nullptr;
    int (*destroy_event)(void*) = nullptr;
    int (*record_event)(void*, void*) = nullptr;
    int (*await_event)(void*) = nullptr;
    int (*elapsed)(float*, void*, void*) = nullptr;
    int (*begin_capture)(void*, int) = nullptr;
    int (*end_capture)(void*, void**) = nullptr;
    int (*instantiate)(void**, void*, unsigned long long) = nullptr;
    int (*launch_graph)(void*, void*) = nullptr;
    int (*destroy_graph)(void*) = nullptr;
    int (*destroy_graph_code)(void*) = nullptr;
    int (*error_text)(int, const char**) = nullptr;

    /// False: there is no driver. It is never closed: it starts threads and exit handlers that need its code.
    [[nodiscard]] bool load();
    [[nodiscard]] std::string text(int error) const;
};

}  // namespace kasc::runtime
