// What code emitted by kasc for CUDA needs: vector accesses and staged tiles on the device; arrays, errors and times on
// the host.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// ---- device ------------------------------------------------------------------------------------------------------

__device__ __forceinline__ void load4(float *to, const float *from)
{
    const float4 v = *reinterpret_cast<const float4 *>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}

__device__ __forceinline__ void load2(float *to, const float *from)
{
    const float2 v = *reinterpret_cast<const float2 *>(from);
    to[0] = v.x;
    to[1] = v.y;
}

__device__ __forceinline__ void store4(float *to, const float *from)
{
    *reinterpret_cast<float4 *>(to) = make_float4(from[0], from[1], from[2], from[3]);
}

__device__ __forceinline__ void store2(float *to, const float *from)
{
    *reinterpret_cast<float2 *>(to) = make_float2(from[0], from[1]);
}

// In shared memory `padding` words follow each `element` of a tile's.
template <int element, int padding>
__device__ __forceinline__ constexpr int padded_word(int word)
{
    return padding == 0 ? word : word + word / element * padding;
}

template <int words, int element, int padding>
__device__ __forceinline__ bool by_16_bytes(const float *global)
{
    constexpr bool in_fours = words % 4 == 0 && (padding == 0 || (element % 4 == 0 && padding % 4 == 0));
    return in_fours && reinterpret_cast<std::uintptr_t>(global) % 16 == 0;
}

// A tile of `words` contiguous words, copied by all `threads` threads of the block: 16 bytes a thread and round where
// the tile's address in global memory allows it (the last, shifted tile of a stream may not), else word by word. In shared
// memory `padding` words follow each `element` of them. Copies into shared memory are asynchronous: await_copies() and a
// barrier complete them.
template <int words, int threads, int element = 1, int padding = 0>
__device__ __forceinline__ void copy_tile_in(float *shared, const float *global, int thread)
{
    if (by_16_bytes<words, element, padding>(global)) {
#pragma unroll
        for (int i = 0; i < words; i += 4 * threads) {
            const int k = i + 4 * thread;
            if (i + 4 * threads <= words || k < words) {
                __pipeline_memcpy_async(shared + padded_word<element, padding>(k), global + k, 16);
            }
        }
    } else {
        for (int k = thread; k < words; k += threads) {
            __pipeline_memcpy_async(shared + padded_word<element, padding>(k), global + k, 4);
        }
    }
    __pipeline_commit();
}

__device__ __forceinline__ void await_copies()
{
    __pipeline_wait_prior(0);
}

template <int words, int threads, int element = 1, int padding = 0>
__device__ __forceinline__ void copy_tile_out(float *global, const float *shared, int thread)
{
    if (by_16_bytes<words, element, padding>(global)) {
#pragma unroll
        for (int i = 0; i < words; i += 4 * threads) {
            const int k = i + 4 * thread;
            if (i + 4 * threads <= words || k < words) {
                *reinterpret_cast<float4 *>(global + k) =
                    *reinterpret_cast<const float4 *>(shared + padded_word<element, padding>(k));
            }
        }
    } else {
        for (int k = thread; k < words; k += threads) global[k] = shared[padded_word<element, padding>(k)];
    }
}

// ---- host --------------------------------------------------------------------------------------------------------

thread_local char kasc_message[512] = "";

int kasc_fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(kasc_message, sizeof kasc_message, format, arguments);
    va_end(arguments);
    return status;
}

int kasc_check(cudaError_t error, const char *what)
{
    return error == cudaSuccess ? 0 : kasc_fail(2, "%s: %s", what, cudaGetErrorString(error));
}

// A named range in Nsight's time line.
struct kasc_range {
    explicit kasc_range(const char *name) { nvtxRangePushA(name); }
    ~kasc_range() { nvtxRangePop(); }
    kasc_range(const kasc_range &) = delete;
};

// The arrays of one run, in the order of its stream. After a failure every call does nothing and status() says why.
class kasc_memory {
public:
    using array = float *;

    explicit kasc_memory(void *stream) : stream_(static_cast<cudaStream_t>(stream)) {}
    ~kasc_memory()
    {
        for (float *p : taken_) cudaFreeAsync(p, stream_);
        if (began_ != nullptr) cudaEventDestroy(began_);
        if (ended_ != nullptr) cudaEventDestroy(ended_);
    }
    kasc_memory(const kasc_memory &) = delete;

    cudaStream_t stream() const { return stream_; }
    int status() const { return status_; }
    array input(const char *, const float *values, long long) { return const_cast<float *>(values); }
    array output(const char *, float *values, long long) { return values; }
    array take(const char *name, long long words)
    {
        void *p = nullptr;
        if (status_ == 0) status_ = kasc_check(cudaMallocAsync(&p, sizeof(float) * words, stream_), name);
        if (p != nullptr) taken_.push_back(static_cast<float *>(p));
        return static_cast<float *>(p);
    }
    void copy(float *to, const float *from, long long words)
    {
        if (status_ == 0 && to != from) status_ = kasc_check(cudaMemcpyAsync(to, from, sizeof(float) * words, cudaMemcpyDeviceToDevice, stream_), "copy");
    }
    void zero(float *to, long long words)
    {
        if (status_ == 0) status_ = kasc_check(cudaMemsetAsync(to, 0, sizeof(float) * words, stream_), "zero");
    }
    void deliver(float *to, const float *from, long long words) { copy(to, from, words); }
    // Host to device; words beyond those of the host are zero.
    const float *upload(const char *name, const float *values, long long words, long long padded)
    {
        float *p = take(name, padded);
        if (padded > words) zero(p, padded);
        if (status_ == 0) status_ = kasc_check(cudaMemcpyAsync(p, values, sizeof(float) * words, cudaMemcpyHostToDevice, stream_), name);
        return p;
    }
    float *result(const char *name, float *, long long, long long padded) { return take(name, padded); }
    void download(float *values, const float *from, long long words)
    {
        if (status_ == 0) status_ = kasc_check(cudaMemcpyAsync(values, from, sizeof(float) * words, cudaMemcpyDeviceToHost, stream_), "download");
    }
    // Between the host and an array of the run, `first` words into it.
    int write(float *to, const float *values, long long words)
    {
        if (status_ == 0) status_ = kasc_check(cudaMemcpyAsync(to, values, sizeof(float) * words, cudaMemcpyHostToDevice, stream_), "upload");
        synchronise();
        return status_;
    }
    int read(float *values, const float *from, long long first, long long words)
    {
        download(values, from + first, words);
        synchronise();
        return status_;
    }
    // The array of which `rows` hold what stands `words` behind its start.
    array moved(array rows, long long words)
    {
        return reinterpret_cast<float *>(reinterpret_cast<std::uintptr_t>(rows) - sizeof(float) * words);
    }
    void synchronise()
    {
        if (status_ == 0) status_ = kasc_check(cudaStreamSynchronize(stream_), "kernels");
    }
    void begin_timing()
    {
        if (status_ != 0) return;
        if (began_ == nullptr) cudaEventCreate(&began_);
        if (ended_ == nullptr) cudaEventCreate(&ended_);
        cudaEventRecord(began_, stream_);
    }
    double end_timing()
    {
        float ms = 0;
        if (status_ != 0 || began_ == nullptr) return 0;
        cudaEventRecord(ended_, stream_);
        status_ = kasc_check(cudaEventSynchronize(ended_), "kernels");
        cudaEventElapsedTime(&ms, began_, ended_);
        return ms * 1e-3;
    }

private:
    cudaStream_t stream_;
    int status_ = 0;
    std::vector<float *> taken_;
    cudaEvent_t began_ = nullptr, ended_ = nullptr;
};

}  // namespace
