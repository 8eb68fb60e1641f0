// Transforms that compute, as they store their result, what stands behind them: for code emitted by kasc for CUDA.
// cuFFT links a function into the last of its kernels (link-time callbacks, cuFFT 11.3 of CUDA 12.6 and later); it is
// compiled when a run is prepared, so that it fits the device. Where cuFFT or the compiler refuse, a kernel of its own
// calls the same function behind the transform.
#pragma once

#include <cufftXt.h>
#include <nvrtc.h>

#include <climits>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "kasc_transforms.cuh"

// Structs and functions, as they are and as text.
#define KASC_AT_STORE(name, ...) \
    __VA_ARGS__                  \
    static const char name##_text[] = #__VA_ARGS__;
// How many cells an axis has: in the text a constant, so that no cell's place costs a division by a variable. A thread
// computes its cells one after the other, and waits for each step of each.
#define KASC_EXTENT(axis, value) value

namespace {

// The functions of a program for cuFFT's linker.
class kasc_store_code {
public:
    // `extents`: by the number of the axis.
    void compile(const std::string& text, std::initializer_list<long long> extents) {
        int device = 0, major = 0, minor = 0;
        if (cudaGetDevice(&device) != cudaSuccess) return;
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) return;
        if (cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) return;
        char architecture[64];
        std::snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", 10 * major + minor);
        // As emitted code is compiled: contraction is written out.
        const char* const options[] = {architecture, "--std=c++17", "--relocatable-device-code=true",
                                       "--dlink-time-opt", "--fmad=false"};
        std::string all = "#define KASC_EXTENT(axis, value) KASC_EXTENT_##axis\n";
        int axis = 0;
        for (const long long extent : extents) {
            char line[64];
            std::snprintf(line, sizeof line, "#define KASC_EXTENT_%d %lld\n", axis++, extent);
            all += line;
        }
        all += text;
        nvrtcProgram program = nullptr;
        std::size_t size = 0;
        if (nvrtcCreateProgram(&program, all.c_str(), "at_store.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return;
        if (nvrtcCompileProgram(program, 5, options) == NVRTC_SUCCESS &&
            nvrtcGetLTOIRSize(program, &size) == NVRTC_SUCCESS) {
            code_.resize(size);
            if (nvrtcGetLTOIR(program, code_.data()) != NVRTC_SUCCESS) code_.clear();
        }
        if (nvrtcDestroyProgram(&program) != NVRTC_SUCCESS) code_.clear();
    }
    // Empty: it could not be compiled.
    const std::string& code() const { return code_; }

private:
    std::string code_;
};

template <class Word>
using kasc_store_function = void (*)(void*, unsigned long long, Word, void*, void*);

template <class Arguments>
__global__ void kasc_write_arguments(Arguments* to, const Arguments from) {
    *to = from;
}

template <class Word, kasc_store_function<Word> function>
__global__ void __launch_bounds__(256) kasc_behind_transform(Word* words, int cells, void* arguments) {
    const int at = (int)(blockIdx.x * 256 + threadIdx.x);
    if (at < cells) function(words, (unsigned long long)at, words[at], arguments, nullptr);
}

// One transform along all axes, with the function that it calls for each cell in place of storing it.
template <class From, class To, class Arguments, kasc_store_function<To> function>
class kasc_storing {
public:
    void prepare(kasc_memory& memory, kasc_transforms& transforms, const kasc_store_code& code, const char* name,
                 const kasc_lengths& lengths, long long inner, long long outer) {
        arguments_ = memory.take<Arguments>(name, 1);
        if (memory.status() != 0) return;
        constexpr bool half = kasc_cufft_type<From, To>() == CUFFT_R2C || kasc_cufft_type<From, To>() == CUFFT_D2Z;
        kasc_lengths stored = lengths;
        if (half) stored.of[stored.count - 1] = stored.of[stored.count - 1] / 2 + 1;
        cells_ = stored.product();
        if (cells_ > INT_MAX - 256) {
            memory.fail(kasc_fail(1, "%s counts cells in 31 bits, the arrays have %lld", name, cells_));
            return;
        }
#if CUFFT_VERSION >= 11300
        constexpr bool real = std::is_same_v<To, float> || std::is_same_v<To, double>,
                       dual = std::is_same_v<To, double> || std::is_same_v<To, double2>;
        constexpr cufftXtCallbackType kind = real ? (dual ? CUFFT_CB_ST_REAL_DOUBLE : CUFFT_CB_ST_REAL)
                                                  : (dual ? CUFFT_CB_ST_COMPLEX_DOUBLE : CUFFT_CB_ST_COMPLEX);
        void* given[1] = {arguments_};
        if (!code.code().empty())
            number_ = transforms.add_if_possible<From, To>(memory, lengths, inner, outer, [&](cufftHandle plan) {
                return cufftXtSetJITCallback(plan, name, code.code().data(), code.code().size(), kind, given);
            });
#endif
        linked_ = number_ >= 0;
        if (!linked_) number_ = transforms.add<From, To>(memory, lengths, inner, outer);
        memory.load({reinterpret_cast<const void*>(&kasc_write_arguments<Arguments>),
                     reinterpret_cast<const void*>(&kasc_behind_transform<To, function>)});
    }
    // `to`: the transform's to use; nothing that `function` does not store there remains.
    int run(kasc_memory& memory, kasc_transforms& transforms, To* to, From* from, bool forward,
            const Arguments& arguments) {
        if (memory.status() != 0) return memory.status();
        kasc_write_arguments<<<1, 1, 0, memory.stream()>>>(arguments_, arguments);
        transforms.run<From, To>(memory, number_, to, from, forward);
        if (!linked_)
            kasc_behind_transform<To, function>
                <<<(unsigned)((cells_ + 255) / 256), 256, 0, memory.stream()>>>(to, (int)cells_, arguments_);
        if (memory.status() == 0) memory.fail(kasc_check(cudaGetLastError(), "a transform and what stands behind it"));
        return memory.status();
    }

private:
    Arguments* arguments_ = nullptr;
    long long cells_ = 0;
    int number_ = -1;
    bool linked_ = false;
};

}  // namespace
