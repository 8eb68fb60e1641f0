// Discrete Fourier transforms for code emitted by kasc for the CPU: not scaled, complex numbers interleaved. FFTW
// transforms lines, axis by axis; cores share out the lines here, so that no word depends on how many there are.
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
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

// Lines along one axis of a transform: of the arrays from outer_low up to outer_high, the columns from column_low up to
// column_high, a multiple of those that are computed together, or the last.
struct kasc_pass_part {
    int axis;
    long long outer_low, outer_high, column_low, column_high;
};

// FFTW's plans for the lines along one axis of arrays [outer][n][inner], `columns` neighbouring ones at a time, which
// share cache lines. Which of them are neighbours depends on `inner` alone: a line is the same, whoever computes it.
template <class Real>
class kasc_lines {
public:
    using fftw = kasc_fftw<Real>;

    // For words of these types: FFTW looks at none of them where it estimates, but whether they lie in one array.
    template <class From, class To>
    kasc_lines(const From*, const To*, long long n, long long inner, int sign, bool in_place)
        : inner_(inner), columns_(inner < 32 ? inner : 32) {
        alignas(64) static char words[2][64];
        auto* from = reinterpret_cast<From*>(words[0]);
        auto* to = reinterpret_cast<To*>(words[in_place ? 0 : 1]);
        const long long rest = inner % columns_;
        whole_ = fftw::make({n, inner, inner}, {columns_, 1, 1}, from, to, sign);
        if (rest != 0) last_ = fftw::make({n, inner, inner}, {rest, 1, 1}, from, to, sign);
        good_ = whole_ != nullptr && (rest == 0 || last_ != nullptr);
    }
    ~kasc_lines() {
        if (whole_ != nullptr) fftw::destroy(whole_);
        if (last_ != nullptr) fftw::destroy(last_);
    }
    kasc_lines(const kasc_lines&) = delete;

    bool good() const { return good_; }
    bool takes(const kasc_pass_part& part) const {
        return part.column_low % columns_ == 0 && (part.column_high % columns_ == 0 || part.column_high == inner_);
    }
    kasc_pass_part all(int axis, long long outer) const { return {axis, 0, outer, 0, inner_}; }
    template <class From, class To>
    void run(const kasc_pass_part& part, From* from, To* to, long long from_n, long long to_n) {
        const long long first = part.column_low / columns_, whole = inner_ / columns_;
        const long long blocks = (part.column_high + columns_ - 1) / columns_ - first;
        crew_.run(blocks, part.outer_high - part.outer_low, 1, [&](long long at, long long array, long long) {
            const long long b = first + at, o = part.outer_low + array;
            const bool at_end = b == whole;
            fftw::run(at_end ? last_ : whole_, from + o * from_n * inner_ + b * columns_,
                      to + o * to_n * inner_ + b * columns_);
        });
    }

private:
    long long inner_, columns_;
    typename fftw::plan whole_ = nullptr, last_ = nullptr;
    bool good_ = false;
    kasc_crew crew_;
};

// Lengths of the axes of a transform, the slowest first: no more than a field has. A type of this file's, so that a
// library of it exports no code for it.
struct kasc_lengths {
    static constexpr int most = 8;
    long long of[most] = {};
    int count = 0;

    kasc_lengths(std::initializer_list<long long> lengths) {
        for (const long long length : lengths) of[count++] = length;
    }
    kasc_lengths(const long long* lengths, int rank) {
        for (int k = 0; k < rank; ++k) of[count++] = lengths[k];
    }
};

// How the words of one transform lie: lengths of its axes, the slowest first (of a real side: its own). `inner` cells
// lie from one cell to the next of the fastest of them, `outer` such arrays lie one after another.
struct kasc_shape {
    kasc_lengths lengths;
    long long inner, outer;
};

struct kasc_transform {
    virtual ~kasc_transform() = default;
};

template <class From, class To>
class kasc_transform_of final : public kasc_transform {
public:
    using Real = typename kasc_real_of<From>::type;
    using Complex = typename kasc_fftw<Real>::complex;
    static constexpr bool real_from = std::is_same_v<From, Real>, real_to = std::is_same_v<To, Real>;
    using Source = std::conditional_t<real_from, Real, Complex>;
    using Target = std::conditional_t<real_to, Real, Complex>;

    explicit kasc_transform_of(const kasc_shape& shape) : shape_(shape) {
        const long long n = shape.lengths.of[shape.lengths.count - 1];
        half_ = real_from || real_to ? n / 2 + 1 : n;
        // Real words have one direction alone.
        for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
            std::vector<lines>& axes = axes_[sign == FFTW_FORWARD ? 0 : 1];
            if (sign == (real_from ? FFTW_BACKWARD : real_to ? FFTW_FORWARD : 0)) continue;
            long long inner = shape.inner * half_;
            axes.resize(static_cast<std::size_t>(shape.lengths.count));
            for (int k = shape.lengths.count - 1; k-- > 0; inner *= shape.lengths.of[k])
                axes[static_cast<std::size_t>(k)] = std::make_unique<kasc_lines<Real>>(
                    (Complex*)nullptr, (Complex*)nullptr, shape.lengths.of[k], inner, sign, true);
            axes.back() =
                std::make_unique<kasc_lines<Real>>((Source*)nullptr, (Target*)nullptr, n, shape.inner, sign, false);
            for (const lines& l : axes) good_ = good_ && l->good();
        }
    }
    bool good() const { return good_; }
    // All of it, the fastest axis first, but where it becomes real last.
    void run(Source* from, Target* to, bool forward) {
        const int fastest = shape_.lengths.count - 1;
        if (!real_to) run_axis(fastest, from, to, forward);
        for (int k = fastest; k-- > 0;) run_axis(k, from, to, forward);
        if (real_to) run_axis(fastest, from, to, forward);
    }
    // False: it has no such lines.
    bool run(const kasc_pass_part& part, Source* from, Target* to, bool forward) {
        if (part.axis < 0 || part.axis >= shape_.lengths.count) return false;
        kasc_lines<Real>& lines = *axes_[forward ? 0 : 1][static_cast<std::size_t>(part.axis)];
        const long long n = shape_.lengths.of[part.axis];
        if (!lines.takes(part)) return false;
        if (part.axis + 1 == shape_.lengths.count)
            lines.run(part, from, to, real_from ? n : half_, real_to ? n : half_);
        else if constexpr (real_to)
            lines.run(part, from, from, n, n);
        else
            lines.run(part, to, to, n, n);
        return true;
    }

private:
    using lines = std::unique_ptr<kasc_lines<Real>>;
    kasc_shape shape_;
    long long half_ = 0;
    std::vector<lines> axes_[2];  // forward, backward
    bool good_ = true;

    void run_axis(int axis, Source* from, Target* to, bool forward) {
        long long outer = shape_.outer;
        for (int k = 0; k < axis; ++k) outer *= shape_.lengths.of[k];
        run(axes_[forward ? 0 : 1][static_cast<std::size_t>(axis)]->all(axis, outer), from, to, forward);
    }
};

// The transforms of one program. C2R loses its source.
class kasc_transforms {
public:
    template <class From, class To>
    void add(kasc_memory& memory, const kasc_lengths& lengths, long long inner, long long outer) {
        auto made = std::make_unique<kasc_transform_of<From, To>>(kasc_shape{lengths, inner, outer});
        if (!made->good() && memory.status() == 0) memory.fail(kasc_fail(2, "a transform: FFTW makes no plan"));
        transforms_.push_back(std::move(made));
    }
    void ready(kasc_memory&) {}
    int release() {
        transforms_.clear();
        return 0;
    }
    template <class From, class To, class ToArray, class FromArray>
    void run(kasc_memory& memory, int number, ToArray to_array, FromArray from_array, bool forward) {
        using transform = kasc_transform_of<From, To>;
        if (memory.status() != 0) return;
        memory.synchronise();
        auto* from = reinterpret_cast<typename transform::Source*>(kasc_words<From>(from_array, false));
        auto* to = reinterpret_cast<typename transform::Target*>(kasc_words<To>(to_array, true));
        static_cast<transform&>(*transforms_[static_cast<std::size_t>(number)]).run(from, to, forward);
        if constexpr (transform::real_to) kasc_lose(from_array);
    }

private:
    std::vector<std::unique_ptr<kasc_transform>> transforms_;
};

// A transform of a run that kasc walks by itself, made when it is first asked for: all of it, or lines along one axis.
struct kasc_walked {
    kasc_shape shape;
    std::unique_ptr<kasc_transform> made;

    bool is(const kasc_shape& other) const {
        bool same =
            shape.inner == other.inner && shape.outer == other.outer && shape.lengths.count == other.lengths.count;
        for (int k = 0; same && k < shape.lengths.count; ++k) same = shape.lengths.of[k] == other.lengths.of[k];
        return same;
    }
};
template <class From, class To>
int kasc_walked_transform(const kasc_shape& shape, void* to_array, void* from_array, bool forward,
                          const kasc_pass_part* part) {
    using transform = kasc_transform_of<From, To>;
    static std::vector<kasc_walked> all;
    transform* known = nullptr;
    for (const kasc_walked& k : all)
        if (k.is(shape)) known = static_cast<transform*>(k.made.get());
    if (known == nullptr) {
        auto made = std::make_unique<transform>(shape);
        if (!made->good()) return kasc_fail(2, "a transform: FFTW makes no plan");
        known = made.get();
        all.push_back({shape, std::move(made)});
    }
    auto* from = static_cast<typename transform::Source*>(from_array);
    auto* to = static_cast<typename transform::Target*>(to_array);
    if (part == nullptr) return known->run(from, to, forward), 0;
    return known->run(*part, from, to, forward) ? 0 : kasc_fail(2, "a transform has no such lines");
}

}  // namespace
