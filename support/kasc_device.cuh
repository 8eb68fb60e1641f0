// What code emitted by kasc for CUDA needs: staged tiles and additions on the device; arrays, errors and times on the
// host. Compiled while a program runs (NVRTC), it is the device's part alone and includes nothing of others.
#pragma once

#ifndef __CUDACC_RTC__
#include <nvtx3/nvToolsExt.h>

#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <vector>
#else
// NVRTC has no <cmath>.
#define NAN __int_as_float(0x7fffffff)
#define INFINITY __int_as_float(0x7f800000)
#endif

#include "kasc_half.h"
#include "kasc_integers.hpp"
#include "kasc_quotients.hpp"
#include "kasc_random.hpp"
#include "kasc_vectors.cuh"

namespace {

// ---- device ------------------------------------------------------------------------------------------------------

// Any number of threads may add to one word. CUDA adds 64 bits without a sign alone, which is the same to the bit.
__device__ __forceinline__ void kasc_add(int* word, int number) { atomicAdd(word, number); }
__device__ __forceinline__ void kasc_add(long long* word, long long number) {
    atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(number));
}

// Whether the block is the last of the launch's to come here; `finished` is 0 then, for the next launch. By one thread
// of each block: what it stored before is there for all threads of the last block, once they have passed a barrier.
__device__ __forceinline__ int kasc_is_last(int* finished, long long blocks) {
    const unsigned others = (unsigned)blocks - 1;
    unsigned before;
#if __CUDA_ARCH__ >= 700
    // A fence of both kinds in every block would have other blocks read again what L1 holds for them.
    asm volatile("atom.release.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(finished), "r"(others) : "memory");
    if (before == others) asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
    __threadfence();
    before = atomicInc(reinterpret_cast<unsigned*>(finished), others);
    __threadfence();
#endif
    return before == others;
}

// In shared memory `padding` words follow each `element` of a tile's.
template <int element, int padding>
__device__ __forceinline__ constexpr int padded_word(int word) {
    return padding == 0 ? word : word + word / element * padding;
}

template <int words, int element, int padding>
__device__ __forceinline__ bool by_16_bytes(const float* global) {
    constexpr bool in_fours = words % 4 == 0 && (padding == 0 || (element % 4 == 0 && padding % 4 == 0));
    return in_fours && reinterpret_cast<unsigned long long>(global) % 16 == 0;
}

// From global to shared memory, 4, 8 or 16 bytes where the device can (sm_80) without waiting; fewer never can.
template <int bytes, class T>
__device__ __forceinline__ void copy_async(T* shared, const T* global) {
#if __CUDA_ARCH__ >= 800
    const unsigned to = (unsigned)__cvta_generic_to_shared(shared);
    if constexpr (bytes < 4)
        for (int k = 0; k < bytes / (int)sizeof(T); ++k) shared[k] = global[k];
    else if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(bytes) : "memory");
#else
    for (int k = 0; k < bytes / (int)sizeof(T); ++k) shared[k] = global[k];
#endif
}

// Words, which are there behind the next await_copies() and a barrier.
template <int words = 1, class T>
__device__ __forceinline__ void fetch(T* shared, const T* global) {
    constexpr int bytes = words * (int)sizeof(T), access = bytes < 16 ? bytes : 16;
    for (int k = 0; k < words; k += access / (int)sizeof(T)) copy_async<access>(shared + k, global + k);
}

// A word that is read later: on its way to L2 meanwhile.
template <class T>
__device__ __forceinline__ void prefetch(const T* global) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(global));
}

// Words one behind the other, in lines of 128 bytes.
template <int words, class T>
__device__ __forceinline__ void prefetch_row(const T* global) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(global), "n"(words * (int)sizeof(T)));
#else
    for (int k = 0; k < words; k += 128 / (int)sizeof(T)) prefetch(global + k);
#endif
}

// The copies that the thread has begun since the last of these are a group.
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// A tile of `words` contiguous words, copied by all `threads` threads of the block: 16 bytes a thread and round where
// the tile's address in global memory allows it (the last, shifted tile of a stream may not), else word by word. In
// shared memory `padding` words follow each `element` of them. Copies into shared memory are asynchronous:
// await_copies() and a barrier complete them.
template <int words, int threads, int element = 1, int padding = 0>
__device__ __forceinline__ void copy_tile_in(float* shared, const float* global, int thread) {
    if (by_16_bytes<words, element, padding>(global)) {
#pragma unroll
        for (int i = 0; i < words; i += 4 * threads) {
            const int k = i + 4 * thread;
            if (i + 4 * threads <= words || k < words) {
                copy_async<16>(shared + padded_word<element, padding>(k), global + k);
            }
        }
    } else {
        for (int k = thread; k < words; k += threads) {
            copy_async<4>(shared + padded_word<element, padding>(k), global + k);
        }
    }
    commit_copies();
}

// All but those of the groups that were committed last, so many, are there.
template <int under_way = 0>
__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
    if constexpr (under_way > 0)
        asm volatile("cp.async.wait_group %0;" ::"n"(under_way) : "memory");
    else
        asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

template <int words, int threads, int element = 1, int padding = 0>
__device__ __forceinline__ void copy_tile_out(float* global, const float* shared, int thread) {
    if (by_16_bytes<words, element, padding>(global)) {
#pragma unroll
        for (int i = 0; i < words; i += 4 * threads) {
            const int k = i + 4 * thread;
            if (i + 4 * threads <= words || k < words) {
                *reinterpret_cast<float4*>(global + k) =
                    *reinterpret_cast<const float4*>(shared + padded_word<element, padding>(k));
            }
        }
    } else {
        for (int k = thread; k < words; k += threads) global[k] = shared[padded_word<element, padding>(k)];
    }
}

#ifndef __CUDACC_RTC__
// ---- host --------------------------------------------------------------------------------------------------------

thread_local char kasc_message[512] = "";

int kasc_fail(int status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(kasc_message, sizeof kasc_message, format, arguments);
    va_end(arguments);
    return status;
}

int kasc_check(cudaError_t error, const char* what) {
    return error == cudaSuccess ? 0 : kasc_fail(2, "%s: %s", what, cudaGetErrorString(error));
}

// A named range in Nsight's time line.
struct kasc_range {
    explicit kasc_range(const char* name) { nvtxRangePushA(name); }
    ~kasc_range() { nvtxRangePop(); }
    kasc_range(const kasc_range&) = delete;
};

// What a prepared program holds on its device, in the order of its stream. After a failure every call does nothing and
// status() says why, until enter().
class kasc_memory {
public:
    template <class T>
    using array = T*;
    using handle = void*;  // of an array of whatever words

    explicit kasc_memory(void* stream) : stream_(static_cast<cudaStream_t>(stream)) {
        status_ = kasc_check(cudaGetDevice(&device_), "the current device");
    }
    ~kasc_memory() { release(); }
    kasc_memory(const kasc_memory&) = delete;

    cudaStream_t stream() const { return stream_; }
    int status() const { return status_; }
    void fail(int status) { status_ = status; }
    // At the beginning of a call on what was prepared before.
    int enter() {
        int device = 0;
        status_ = kasc_check(cudaGetDevice(&device), "the current device");
        if (status_ == 0 && device != device_)
            status_ = kasc_fail(1, "device %d is current, the program was prepared on device %d", device, device_);
        return status_;
    }
    // Frees all. The first failure.
    int release() {
        int status = 0;
        const auto checked = [&](cudaError_t error) {
            if (status == 0) status = kasc_check(error, "the release of memory");
        };
        for (const taken& t : taken_) checked(cudaFreeAsync(t.address, stream_));
        if (began_ != nullptr) checked(cudaEventDestroy(began_));
        if (ended_ != nullptr) checked(cudaEventDestroy(ended_));
        taken_.clear();
        began_ = ended_ = nullptr;
        return status;
    }
    // Kernels come to the device when they are first asked for, which must not be while a graph is captured.
    void load(std::initializer_list<const void*> kernels) {
        for (const void* kernel : kernels) {
            cudaFuncAttributes attributes;
            if (status_ == 0) status_ = kasc_check(cudaFuncGetAttributes(&attributes, kernel), "a kernel");
        }
    }
    // Whether launches are recorded in place of being run: by the caller, who captures a graph.
    bool is_captured() {
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        if (status_ == 0) status_ = kasc_check(cudaStreamIsCapturing(stream_, &capture), "the stream");
        return capture != cudaStreamCaptureStatusNone;
    }
    // The caller's arrays: on the host, on the device.
    void present(const char* name, const void* array) {
        if (status_ == 0 && array == nullptr) status_ = kasc_fail(1, "%s is NULL", name);
    }
    void expect(const char* name, const void* array) {
        present(name, array);
        if (status_ == 0 && reinterpret_cast<unsigned long long>(array) % 16 != 0)
            status_ = kasc_fail(1, "%s does not start at a multiple of 16 bytes", name);
    }
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
        void* p = nullptr;
        if (status_ == 0) status_ = kasc_check(cudaMallocAsync(&p, sizeof(T) * words, stream_), name);
        if (p != nullptr) taken_.push_back({p});
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
        if (status_ == 0 && to != from)
            status_ =
                kasc_check(cudaMemcpyAsync(to, from, sizeof(T) * words, cudaMemcpyDeviceToDevice, stream_), "copy");
    }
    template <class T>
    void zero(T* to, long long words) {
        if (status_ == 0) status_ = kasc_check(cudaMemsetAsync(to, 0, sizeof(T) * words, stream_), "zero");
    }
    template <class T>
    void deliver(T* to, const T* from, long long words) {
        copy(to, from, words);
    }
    template <class T>
    const T* upload(const char* name, const T* values, long long words) {
        T* p = take<T>(name, words);
        if (status_ == 0)
            status_ = kasc_check(cudaMemcpyAsync(p, values, sizeof(T) * words, cudaMemcpyHostToDevice, stream_), name);
        return p;
    }
    template <class T>
    T* result(const char* name, T*, long long words) {
        return take<T>(name, words);
    }
    template <class T>
    void download(T* values, const T* from, long long words) {
        if (status_ == 0)
            status_ = kasc_check(cudaMemcpyAsync(values, from, sizeof(T) * words, cudaMemcpyDeviceToHost, stream_),
                                 "download");
    }
    // What kernels have left in a number's array; waits for them.
    int look(int& value, const int* number) {
        if (is_captured()) return kasc_fail(1, "a loop that ends by what it computes cannot be captured into a graph");
        download(&value, number, 1);
        synchronise();
        return status_;
    }
    // Between the host and an array of the run, `first` words into it.
    int write(handle to, const void* values, long long words, long long word_bytes) {
        if (status_ == 0)
            status_ =
                kasc_check(cudaMemcpyAsync(to, values, word_bytes * words, cudaMemcpyHostToDevice, stream_), "upload");
        synchronise();
        return status_;
    }
    int read(void* values, const void* from, long long first, long long words, long long word_bytes) {
        const char* at = static_cast<const char*>(from) + first * word_bytes;
        if (status_ == 0)
            status_ = kasc_check(cudaMemcpyAsync(values, at, word_bytes * words, cudaMemcpyDeviceToHost, stream_),
                                 "download");
        synchronise();
        return status_;
    }
    // The array of which `rows` hold what stands `words` behind its start.
    template <class T>
    T* moved(T* rows, long long words) {
        return reinterpret_cast<T*>(reinterpret_cast<unsigned long long>(rows) - sizeof(T) * words);
    }
    void synchronise() {
        if (status_ == 0) status_ = kasc_check(cudaStreamSynchronize(stream_), "kernels");
    }
    void begin_timing() {
        if (status_ == 0 && began_ == nullptr) status_ = kasc_check(cudaEventCreate(&began_), "an event");
        if (status_ == 0 && ended_ == nullptr) status_ = kasc_check(cudaEventCreate(&ended_), "an event");
        if (status_ == 0) status_ = kasc_check(cudaEventRecord(began_, stream_), "the time of kernels");
    }
    // Seconds, once all is done.
    double end_timing() {
        float ms = 0;
        if (status_ == 0) status_ = kasc_check(cudaEventRecord(ended_, stream_), "the time of kernels");
        if (status_ == 0) status_ = kasc_check(cudaEventSynchronize(ended_), "kernels");
        if (status_ == 0) status_ = kasc_check(cudaEventElapsedTime(&ms, began_, ended_), "the time of kernels");
        return ms * 1e-3;
    }

private:
    struct taken {
        void* address;
    };
    cudaStream_t stream_;
    int device_ = 0;
    int status_ = 0;
    std::vector<taken> taken_;
    cudaEvent_t began_ = nullptr, ended_ = nullptr;
};
#endif

}  // namespace
