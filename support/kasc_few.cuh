// A few words of several arrays in one launch, which takes no longer than one copy: for code emitted by kasc for CUDA.
#pragma once

#include <initializer_list>

namespace {

// Words between two arrays.
struct kasc_few {
    void* to;
    const void* from;
    long long words;  // of 4 bytes
};
struct kasc_some {
    static constexpr int most = 16;
    kasc_few of[most];
};

__global__ void __launch_bounds__(128) kasc_copy_some(const kasc_some some) {
    const kasc_few copy = some.of[blockIdx.x];
    for (long long k = threadIdx.x; k < copy.words; k += 128)
        static_cast<float*>(copy.to)[k] = static_cast<const float*>(copy.from)[k];
}

inline void kasc_copy_few(kasc_memory& memory, std::initializer_list<kasc_few> copies) {
    for (auto next = copies.begin(); next != copies.end() && memory.status() == 0;) {
        kasc_some some = {};
        unsigned count = 0;
        for (; next != copies.end() && count < kasc_some::most; ++next) some.of[count++] = *next;
        kasc_copy_some<<<count, 128, 0, memory.stream()>>>(some);
        if (const int status = kasc_check(cudaGetLastError(), "the elements at the end"); status != 0)
            memory.fail(status);
    }
}

}  // namespace
