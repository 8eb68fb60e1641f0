// Discrete Fourier transforms for code emitted by kasc for CUDA, by cuFFT: not scaled, complex numbers interleaved.
#pragma once

#include <cufft.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace {

template <class From, class To>
constexpr cufftType kasc_cufft_type() {
    if constexpr (std::is_same_v<From, float>)
        return CUFFT_R2C;
    else if constexpr (std::is_same_v<From, double>)
        return CUFFT_D2Z;
    else if constexpr (std::is_same_v<To, float>)
        return CUFFT_C2R;
    else if constexpr (std::is_same_v<To, double>)
        return CUFFT_Z2D;
    else
        return std::is_same_v<From, float2> ? CUFFT_C2C : CUFFT_Z2Z;
}

// Lengths of the axes of a transform, the slowest first: no more than a field has. A type of this file's, so that a
// library of it exports no code for it.
struct kasc_lengths {
    static constexpr int most = 8;
    long long of[most] = {};
    int count = 0;

    kasc_lengths(std::initializer_list<long long> lengths) {
        for (const long long length : lengths) of[count++] = length;
    }
    long long product() const {
        long long all = 1;
        for (int k = 0; k < count; ++k) all *= of[k];
        return all;
    }
};

// The transforms of one program. They take turns, so that one work area serves them all.
class kasc_transforms {
public:
    kasc_transforms() = default;
    ~kasc_transforms() { release(); }
    kasc_transforms(const kasc_transforms&) = delete;

    int release() {
        int status = 0;
        for (const plan& p : plans_) {
            if (p.handle >= 0 && cufftDestroy(p.handle) != CUFFT_SUCCESS)
                status = kasc_fail(2, "the release of a transform");
        }
        plans_.clear();
        return status;
    }

    // Along axes of these lengths, the slowest first (of a real side: its own). `inner` cells lie from one cell to the
    // next of the fastest of them, `outer` such arrays lie one after another. C2R loses its source. The plan's number.
    template <class From, class To>
    int add(kasc_memory& memory, const kasc_lengths& lengths, long long inner, long long outer) {
        check(memory, make<From, To>(memory, lengths, inner, outer, [](cufftHandle) { return CUFFT_SUCCESS; }));
        return (int)plans_.size() - 1;
    }
    // The same with what `before` asks of the plan before it is made; -1 where cuFFT refuses that.
    template <class From, class To, class Before>
    int add_if_possible(kasc_memory& memory, const kasc_lengths& lengths, long long inner, long long outer,
                        const Before& before) {
        if (memory.status() != 0) return -1;
        if (make<From, To>(memory, lengths, inner, outer, before) == CUFFT_SUCCESS) return (int)plans_.size() - 1;
        if (plans_.back().handle >= 0) check(memory, cufftDestroy(plans_.back().handle));
        plans_.pop_back();
        return -1;
    }
    // After the last add.
    void ready(kasc_memory& memory) {
        if (area_ == 0 || memory.status() != 0) return;
        char* area = memory.take<char>("the work area of the transforms", (long long)area_);
        for (const plan& p : plans_) check(memory, cufftSetWorkArea(p.handle, area));
    }
    template <class From, class To>
    void run(kasc_memory& memory, int number, To* to, From* from, bool forward) {
        constexpr cufftType type = kasc_cufft_type<From, To>();
        if (memory.status() != 0) return;
        const plan& p = plans_[(std::size_t)number];
        for (long long k = 0; k < p.outer; ++k, from += p.from_cells, to += p.to_cells) {
            [[maybe_unused]] const int direction = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
            if constexpr (type == CUFFT_R2C) check(memory, cufftExecR2C(p.handle, from, to));
            if constexpr (type == CUFFT_C2R) check(memory, cufftExecC2R(p.handle, from, to));
            if constexpr (type == CUFFT_C2C) check(memory, cufftExecC2C(p.handle, from, to, direction));
            if constexpr (type == CUFFT_D2Z) check(memory, cufftExecD2Z(p.handle, from, to));
            if constexpr (type == CUFFT_Z2D) check(memory, cufftExecZ2D(p.handle, from, to));
            if constexpr (type == CUFFT_Z2Z) check(memory, cufftExecZ2Z(p.handle, from, to, direction));
        }
    }

private:
    struct plan {
        cufftHandle handle;
        long long outer, from_cells, to_cells;
    };
    // The plan stands last, made or not.
    template <class From, class To, class Before>
    cufftResult make(kasc_memory& memory, const kasc_lengths& lengths, long long inner, long long outer,
                     const Before& before) {
        constexpr cufftType type = kasc_cufft_type<From, To>();
        kasc_lengths n = lengths, half = lengths;
        half.of[n.count - 1] = n.of[n.count - 1] / 2 + 1;
        const long long real_cells = n.product(), half_cells = half.product();
        constexpr bool from_half = type == CUFFT_C2R || type == CUFFT_Z2D;
        constexpr bool to_half = type == CUFFT_R2C || type == CUFFT_D2Z;
        const long long from_cells = from_half ? half_cells : real_cells, to_cells = to_half ? half_cells : real_cells;
        // cuFFT knows one distance between transforms: of neighbours where there are any, else of whole arrays.
        const bool neighbours = inner > 1;
        plan p{-1, neighbours ? outer : 1, inner * from_cells, inner * to_cells};
        std::size_t area = 0;
        plans_.push_back(p);
        if (memory.status() != 0) return CUFFT_SUCCESS;
        cufftHandle& handle = plans_.back().handle;
        cufftResult result = cufftCreate(&handle);
        if (result == CUFFT_SUCCESS) result = cufftSetAutoAllocation(handle, 0);
        if (result == CUFFT_SUCCESS) result = before(handle);
        if (result == CUFFT_SUCCESS)
            result = cufftMakePlanMany64(handle, n.count, n.of, (from_half ? half : n).of, inner,
                                         neighbours ? 1 : from_cells, (to_half ? half : n).of, inner,
                                         neighbours ? 1 : to_cells, type, neighbours ? inner : outer, &area);
        if (result == CUFFT_SUCCESS) result = cufftSetStream(handle, memory.stream());
        if (result == CUFFT_SUCCESS) area_ = std::max(area_, area);
        return result;
    }
    static void check(kasc_memory& memory, cufftResult result) {
        if (result != CUFFT_SUCCESS && memory.status() == 0)
            memory.fail(kasc_fail(2, "a transform: cuFFT's error %d", (int)result));
    }
    std::vector<plan> plans_;
    std::size_t area_ = 0;
};

}  // namespace
