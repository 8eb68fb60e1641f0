// Discrete Fourier transforms for code emitted by kasc for the CPU: not scaled, complex numbers interleaved. FFTW
// transforms lines, axis by axis; cores share out the lines here, so that no word depends on how many there are.
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <type_traits>
#include <vector>

#include "kasc_crew.hpp"

namespace {

// FFTW's names for float and double.
template <class Real>
struct kasc_fftw;
#define KASC_FFTW(Real, prefix)                                                                       \
    template <>                                                                                       \
    struct kasc_fftw<Real> {                                                                          \
        using complex = prefix##_complex;                                                             \
        using plan = prefix##_plan;                                                                   \
        using size = prefix##_iodim64;                                                                \
        static plan make(size n, size many, Real* from, complex* to, int) {                           \
            return prefix##_plan_guru64_dft_r2c(1, &n, 1, &many, from, to, how);                      \
        }                                                                                             \
        static plan make(size n, size many, complex* from, Real* to, int) {                           \
            return prefix##_plan_guru64_dft_c2r(1, &n, 1, &many, from, to, how | FFTW_DESTROY_INPUT); \
        }                                                                                             \
        static plan make(size n, size many, complex* from, complex* to, int sign) {                   \
            return prefix##_plan_guru64_dft(1, &n, 1, &many, from, to, sign, how);                    \
        }                                                                                             \
        static void run(plan p, Real* from, complex* to) { prefix##_execute_dft_r2c(p, from, to); }   \
        static void run(plan p, complex* from, Real* to) { prefix##_execute_dft_c2r(p, from, to); }   \
        static void run(plan p, complex* from, complex* to) { prefix##_execute_dft(p, from, to); }    \
        static void destroy(plan p) { prefix##_destroy_plan(p); }                                     \
        /* Estimated plans for arrays that lie anywhere: the same in every run. */                    \
        static constexpr unsigned how = FFTW_ESTIMATE | FFTW_UNALIGNED;                               \
    };
#ifdef KASC_FFTW_SINGLE
KASC_FFTW(float, fftwf)
#endif
#ifdef KASC_FFTW_DOUBLE
KASC_FFTW(double, fftw)
#endif

template <class Word>
struct kasc_real_of {
    using type = decltype(Word::x);
};
template <>
struct kasc_real_of<float> {
    using type = float;
};
template <>
struct kasc_real_of<double> {
    using type = double;
};

// Along one axis of an array [outer][n][inner]: `columns` neighbouring lines at a time, which share cache lines.
template <class Real, class From, class To>
bool kasc_transform_lines(From* from, To* to, long long n, long long inner, long long outer, long long from_n,
                          long long to_n, int sign, kasc_crew& crew) {
    using fftw = kasc_fftw<Real>;
    const long long columns = inner < 32 ? inner : 32, rest = inner % columns, blocks = inner / columns + (rest != 0);
    const auto make = [&](long long lines) { return fftw::make({n, inner, inner}, {lines, 1, 1}, from, to, sign); };
    const auto whole = make(columns), last = rest != 0 ? make(rest) : whole;
    if (whole == nullptr || last == nullptr) return false;
    crew.run(blocks, outer, 1, [&](long long b, long long o, long long) {
        const bool at_end = rest != 0 && b + 1 == blocks;
        fftw::run(at_end ? last : whole, from + o * from_n * inner + b * columns, to + o * to_n * inner + b * columns);
    });
    fftw::destroy(whole);
    if (rest != 0) fftw::destroy(last);
    return true;
}

// The transforms of one run.
class kasc_transforms {
public:
    // Along axes of these lengths, the slowest first (of a real side: its own). `inner` cells lie from one cell to the
    // next of the fastest of them, `outer` such arrays lie one after another. C2R loses its source.
    template <class From, class To>
    void add(kasc_memory&, const std::vector<long long>& lengths, long long inner, long long outer) {
        plans_.push_back({lengths, inner, outer, std::vector<kasc_crew>(lengths.size())});
    }
    void ready(kasc_memory&) {}
    template <class From, class To, class ToArray, class FromArray>
    void run(kasc_memory& memory, int number, ToArray to_array, FromArray from_array, bool forward) {
        using Real = typename kasc_real_of<From>::type;
        using Complex = typename kasc_fftw<Real>::complex;
        constexpr bool real_from = std::is_same_v<From, Real>, real_to = std::is_same_v<To, Real>;
        if (memory.status() != 0) return;
        plan& p = plans_[static_cast<std::size_t>(number)];
        auto* from =
            reinterpret_cast<std::conditional_t<real_from, Real, Complex>*>(kasc_words<From>(from_array, false));
        auto* to = reinterpret_cast<std::conditional_t<real_to, Real, Complex>*>(kasc_words<To>(to_array, true));
        const int sign = forward ? FFTW_FORWARD : FFTW_BACKWARD;
        const long long n = p.lengths.back(), half = real_from || real_to ? n / 2 + 1 : n;
        long long lines = p.outer;
        for (std::size_t k = 0; k + 1 < p.lengths.size(); ++k) lines *= p.lengths[k];
        bool good = true;
        const auto fastest = [&] {
            good = good && kasc_transform_lines<Real>(from, to, n, p.inner, lines, real_from ? n : half,
                                                      real_to ? n : half, sign, p.crews.back());
        };
        const auto others = [&](Complex* array) {
            long long inner = p.inner * half, outer = lines;
            for (std::size_t k = p.lengths.size() - 1; k-- > 0; inner *= p.lengths[k]) {
                outer /= p.lengths[k];
                good = good && kasc_transform_lines<Real>(array, array, p.lengths[k], inner, outer, p.lengths[k],
                                                          p.lengths[k], sign, p.crews[k]);
            }
        };
        if constexpr (real_to) {
            others(from);
            fastest();
            kasc_lose(from_array);
        } else {
            fastest();
            others(to);
        }
        if (!good) memory.fail(kasc_fail(2, "a transform: FFTW makes no plan"));
    }

private:
    struct plan {
        std::vector<long long> lengths;
        long long inner, outer;
        std::vector<kasc_crew> crews;  // by axis
    };
    std::vector<plan> plans_;
};

}  // namespace
