// What code emitted by kasc for the CPU needs: CUDA's words for library functions, vector accesses, staged tiles.
#pragma once

#include <math.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "kasc_crew.hpp"
#include "kasc_half.h"
#include "kasc_integers.hpp"
#include "kasc_planes.hpp"
#include "kasc_quotients.hpp"
#include "kasc_random.hpp"
#include "kasc_rooms.hpp"

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
struct alignas(16) double2 {
    double x, y;
};

namespace {

inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }

// Numbers of 16 bits become floats on the way into registers, and floats them on the way back.
template <int words, class To, class From>
void kasc_convert(To* to, const From* from) {
    for (int k = 0; k < words; ++k) to[k] = from[k];
}
template <class To, class From>
void load2(To* to, const From* from) {
    kasc_convert<2>(to, from);
}
template <class To, class From>
void load4(To* to, const From* from) {
    kasc_convert<4>(to, from);
}
template <class To, class From>
void load8(To* to, const From* from) {
    kasc_convert<8>(to, from);
}
template <class To, class From>
void store2(To* to, const From* from) {
    kasc_convert<2>(to, from);
}
template <class To, class From>
void store4(To* to, const From* from) {
    kasc_convert<4>(to, from);
}
template <class To, class From>
void store8(To* to, const From* from) {
    kasc_convert<8>(to, from);
}

// Any number of threads may add to one word.
template <class Integer>
void kasc_add(Integer* word, Integer number) {
    __atomic_fetch_add(word, number, __ATOMIC_RELAXED);
}
// Whether the block is the last of the launch's to come here, which sees what all others have stored; `finished` is 0
// then, for the next launch.
inline int kasc_is_last(int* finished, long long blocks) {
    const bool last = __atomic_add_fetch(finished, 1, __ATOMIC_ACQ_REL) == blocks;
    if (last) *finished = 0;
    return last;
}

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
template <int words = 1, class T>
void fetch(T* shared, const T* global) {
    for (int k = 0; k < words; ++k) shared[k] = global[k];
}
template <class T>
void prefetch(const T*) {}
template <int words, class T>
void prefetch_row(const T*) {}
inline void commit_copies() {}
template <int under_way = 0>
void await_copies() {}
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

// An array as a library sees it, which reads or writes all of it.
template <class T>
T* kasc_words(T* array, bool) {
    return array;
}
inline void kasc_lose(void*) {}

// Words between two arrays.
struct kasc_few {
    void* to;
    const void* from;
    long long words;  // of 4 bytes
};

// What a prepared program holds. The caller's arrays are used as they are; temporary ones are aligned to a cache line.
// After a failure every call does nothing and status() says why, until enter().
class kasc_memory {
public:
    template <class T>
    using array = T*;
    using handle = void*;  // of an array of whatever words

    explicit kasc_memory(void*) {}
    ~kasc_memory() { release(); }
    kasc_memory(const kasc_memory&) = delete;

    int status() const { return status_; }
    void fail(int status) { status_ = status; }
    // At the beginning of a call on what was prepared before.
    int enter() { return status_ = 0; }
    int release() {
        launches_.finish();
        rooms_.release();
        return 0;
    }
    // Kernels are launched by these: what they compute is there after synchronise(), and when memory is looked at here.
    kasc_launches& launches() { return launches_; }
    // The caller's arrays: on the host, in the target's memory.
    void present(const char* name, const void* array) {
        if (status_ == 0 && array == nullptr) status_ = kasc_fail(1, "%s is NULL", name);
    }
    void expect(const char* name, const void* array) { present(name, array); }
    template <class T>
    T* input(const char*, const T* values, long long) {
        return const_cast<T*>(values);
    }
    template <class T>
    T* output(const char*, T* values, long long) {
        return values;
    }
    template <class T>
    T* take(const char* name, long long words) {
        void* p = status_ == 0 ? rooms_.take(static_cast<std::size_t>(words) * sizeof(T)) : nullptr;
        if (p == nullptr && status_ == 0) status_ = kasc_fail(2, "%s: no memory for %lld words", name, words);
        return static_cast<T*>(p);
    }
    // In place of an array of the caller's: zeros.
    template <class T>
    T* room(const char* name, long long words) {
        T* p = take<T>(name, words);
        zero(p, words);
        return p;
    }
    template <class T>
    void copy(T* to, const T* from, long long words) {
        copy_bytes(to, from, words * static_cast<long long>(sizeof(T)));
    }
    template <class T>
    void zero(T* to, long long words) {
        if (status_ != 0) return;
        launches_.finish();
        const long long bytes = words * static_cast<long long>(sizeof(T));
        auto* first = reinterpret_cast<char*>(to);
#pragma omp parallel for schedule(static) if (bytes > page)
        for (long long k = 0; k < bytes; k += page) std::memset(first + k, 0, bytes_of_page(k, bytes));
    }
    template <class T>
    void deliver(T* to, const T* from, long long words) {
        copy(to, from, words);
    }
    // What kernels have left in a number's array.
    int look(int& value, const int* number) {
        launches_.finish();
        value = *number;
        return status_;
    }
    template <class T>
    const T* upload(const char*, const T* values, long long) {
        return values;
    }
    template <class T>
    T* result(const char*, T* values, long long) {
        return values;
    }
    template <class T>
    void download(T* values, const T* from, long long words) {
        copy(values, from, words);
    }
    // Between the host and an array of the run, `first` words into it.
    int write(handle to, const void* values, long long words, long long word_bytes) {
        copy_bytes(to, values, words * word_bytes);
        return status_;
    }
    int read(void* values, const void* from, long long first, long long words, long long word_bytes) {
        copy_bytes(values, static_cast<const char*>(from) + first * word_bytes, words * word_bytes);
        return status_;
    }
    // The array of which `rows` hold what stands `words` behind its start.
    template <class T>
    T* moved(T* rows, long long words) {
        return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(rows) -
                                    sizeof(T) * static_cast<std::size_t>(words));
    }
    void synchronise() { launches_.finish(); }
    void begin_timing() {
        launches_.finish();
        began_ = kasc_seconds();
    }
    double end_timing() {
        launches_.finish();
        return kasc_seconds() - began_;
    }

private:
    static constexpr long long page = 1 << 20;  // bytes that are copied at a time: enough that a loop's turn is nothing
    static std::size_t bytes_of_page(long long begin, long long bytes) {
        return static_cast<std::size_t>(kasc_min(page, bytes - begin));
    }
    // Each core copies a run of bytes of its own: one core moves a tenth of what a server's memory can, and pages come
    // to lie on the node of the core that writes them first.
    void copy_bytes(void* to, const void* from, long long bytes) {
        if (status_ != 0 || to == from) return;
        launches_.finish();
        auto* target = static_cast<char*>(to);
        const auto* source = static_cast<const char*>(from);
#pragma omp parallel for schedule(static) if (bytes > page)
        for (long long k = 0; k < bytes; k += page) std::memcpy(target + k, source + k, bytes_of_page(k, bytes));
    }

    int status_ = 0;
    kasc_rooms rooms_;
    kasc_launches launches_;
    double began_ = 0;
};

// At the end of a call what it has launched is computed, however it ends.
class kasc_whole_call {
public:
    explicit kasc_whole_call(kasc_memory& memory) : memory_(memory) {}
    kasc_whole_call(const kasc_whole_call&) = delete;
    ~kasc_whole_call() { memory_.synchronise(); }

private:
    kasc_memory& memory_;
};

inline void kasc_copy_few(kasc_memory& memory, std::initializer_list<kasc_few> copies) {
    memory.synchronise();
    for (const kasc_few& c : copies) std::memcpy(c.to, c.from, static_cast<std::size_t>(c.words) * 4);
}

}  // namespace
