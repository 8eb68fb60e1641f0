// What kernels made by kasc bench need for CUDA: kasc's device functions, and one timed launch.
#pragma once

#include "kasc_device.cuh"

struct kasc_bench_call {
    int elements, phase, rounds, extra_shared_bytes, n;
    float* const* inputs;
    float* output;
    double seconds;
    int registers, threads, resident_blocks;
};

namespace {

// The compiler may assume nothing about memory across this.
__device__ __forceinline__ void kasc_keep(const float*) { asm volatile("" ::: "memory"); }

template <class... Parameters, class... Arguments>
int kasc_bench_launch(kasc_bench_call& call, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
    cudaFuncAttributes attributes;
    if (const int status = kasc_check(cudaFuncGetAttributes(&attributes, kernel), "attributes")) return status;
    call.threads = (int)(block.x * block.y * block.z);
    call.registers = attributes.numRegs;
    call.resident_blocks = 0;
    const int limit = 48 * 1024;  // static shared memory: what emitted kernels use
    if ((int)attributes.sharedSizeBytes + call.extra_shared_bytes > limit) return 0;
    if (const int status = kasc_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                          &call.resident_blocks, kernel, call.threads, call.extra_shared_bytes),
                                      "occupancy"))
        return status;
    if (call.resident_blocks == 0) return 0;
    kasc_memory memory(nullptr);
    memory.begin_timing();
    kernel<<<(call.n - 1) / call.elements + 1, block, call.extra_shared_bytes>>>(arguments...);
    call.seconds = memory.end_timing();
    return memory.status() != 0 ? memory.status() : kasc_check(cudaGetLastError(), "kernel");
}

}  // namespace
