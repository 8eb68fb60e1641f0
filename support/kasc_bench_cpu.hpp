// What kernels made by kasc bench need for the CPU: CUDA's words, and one timed run over all blocks.
#pragma once

#include "kasc_cpu.hpp"

struct kasc_bench_call {
    int elements, phase, rounds, extra_shared_bytes, n;
    float* const* inputs;
    float* output;
    double seconds;
    int registers, threads, resident_blocks;
};

namespace {

// The compiler may assume nothing about what lies there across this.
inline void kasc_keep(const float* tile) { asm volatile("" : : "r"(tile) : "memory"); }

template <class Kernel>
int kasc_bench_run(kasc_bench_call& call, Kernel kernel) {
    const int blocks = (call.n - 1) / call.elements + 1;
    call.threads = call.resident_blocks = 1;
    call.registers = 0;
    kasc_memory memory(nullptr);
    memory.begin_timing();
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks; ++block) kernel(block);
    call.seconds = memory.end_timing();
    return 0;
}

}  // namespace
