// What code emitted by kasc for the CPU needs: CUDA's words for library functions, vector accesses, staged tiles.
#pragma once

#include <math.h>

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define __device__
#define __forceinline__ inline
#define __global__

// The cells of a row do not depend on each other. clang 14 gives a loop under `omp simd` a 32-bit counter of its own
// and extends it to 64 bits for each address; under its own pragma it does not.
#ifdef __clang__
#define KASC_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define KASC_INDEPENDENT _Pragma("omp simd")
#endif

struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};

namespace {

inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }

template <class A, class B>
std::common_type_t<A, B> kasc_min(A a, B b) {
    return b < a ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> kasc_max(A a, B b) {
    return a < b ? b : a;
}

inline void load4(float* to, const float* from) { std::memcpy(to, from, 16); }
inline void load2(float* to, const float* from) { std::memcpy(to, from, 8); }
inline void store4(float* to, const float* from) { std::memcpy(to, from, 16); }
inline void store2(float* to, const float* from) { std::memcpy(to, from, 8); }

// In shared memory `padding` words follow each `element` of them.
template <int element, int padding>
constexpr int padded_word(int word) {
    return padding == 0 ? word : word + word / element * padding;
}

template <int words, int threads, int element = 1, int padding = 0>
void copy_tile_in(float* shared, const float* global, int thread) {
    for (int k = 4 * thread; k < words; k += 4 * threads) {
        for (int j = k; j < k + 4 && j < words; ++j) shared[padded_word<element, padding>(j)] = global[j];
    }
}
inline void await_copies() {}
template <int words, int threads, int element = 1, int padding = 0>
void copy_tile_out(float* global, const float* shared, int thread) {
    for (int k = 4 * thread; k < words; k += 4 * threads) {
        for (int j = k; j < k + 4 && j < words; ++j) global[j] = shared[padded_word<element, padding>(j)];
    }
}

// ---- host --------------------------------------------------------------------------------------------------------

inline thread_local char kasc_message[512] = "";

inline int kasc_fail(int status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(kasc_message, sizeof kasc_message, format, arguments);
    va_end(arguments);
    return status;
}

struct kasc_range {
    explicit kasc_range(const char*) {}
};

// The arrays of one run. The caller's arrays are used as they are; temporary ones are aligned to a cache line.
class kasc_memory {
public:
    using array = float*;

    explicit kasc_memory(void*) {}
    ~kasc_memory() {
        for (float* p : taken_) std::free(p);
    }
    kasc_memory(const kasc_memory&) = delete;

    int status() const { return status_; }
    array input(const char*, const float* values, long long) { return const_cast<float*>(values); }
    array output(const char*, float* values, long long) { return values; }
    array take(const char* name, long long words) {
        const std::size_t bytes = (static_cast<std::size_t>(words) * sizeof(float) + 63) / 64 * 64;
        auto* p = status_ == 0 ? static_cast<float*>(std::aligned_alloc(64, bytes)) : nullptr;
        if (p != nullptr)
            taken_.push_back(p);
        else if (status_ == 0)
            status_ = kasc_fail(2, "%s: no memory for %lld words", name, words);
        return p;
    }
    // Each core copies a run of words of its own: one core moves a tenth of what a server's memory can, and pages come
    // to lie on the node of the core that writes them first.
    void copy(float* to, const float* from, long long words) {
        if (status_ != 0 || to == from) return;
#pragma omp parallel for schedule(static)
        for (long long k = 0; k < words; k += page) std::memcpy(to + k, from + k, bytes_of_page(k, words));
    }
    void zero(float* to, long long words) {
        if (status_ != 0) return;
#pragma omp parallel for schedule(static)
        for (long long k = 0; k < words; k += page) std::memset(to + k, 0, bytes_of_page(k, words));
    }
    void deliver(float* to, const float* from, long long words) { copy(to, from, words); }
    const float* upload(const char* name, const float* values, long long words, long long padded) {
        if (padded == words) return values;
        float* p = take(name, padded);
        zero(p, padded);
        copy(p, values, words);
        return p;
    }
    float* result(const char* name, float* values, long long words, long long padded) {
        return padded == words ? values : take(name, padded);
    }
    void download(float* values, const float* from, long long words) { copy(values, from, words); }
    // Between the host and an array of the run, `first` words into it.
    int write(float* to, const float* values, long long words) {
        copy(to, values, words);
        return status_;
    }
    int read(float* values, const float* from, long long first, long long words) {
        copy(values, from + first, words);
        return status_;
    }
    // The array of which `rows` hold what stands `words` behind its start.
    array moved(array rows, long long words) {
        return reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(rows) -
                                        sizeof(float) * static_cast<std::size_t>(words));
    }
    void synchronise() {}
    void begin_timing() { began_ = std::chrono::steady_clock::now(); }
    double end_timing() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

private:
    static constexpr long long page = 1 << 18;  // words that are copied at a time: enough that a loop's turn is nothing
    static std::size_t bytes_of_page(long long begin, long long words) {
        return sizeof(float) * static_cast<std::size_t>(kasc_min(page, words - begin));
    }

    int status_ = 0;
    std::vector<float*> taken_;
    std::chrono::steady_clock::time_point began_;
};

}  // namespace
