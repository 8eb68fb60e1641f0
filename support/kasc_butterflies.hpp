// Discrete Fourier transforms of few numbers in the registers of a thread, for code emitted by kasc for every target:
// what transforms of whole lines are made of. Not scaled. An even number of them is two halves; the product with the
// turn between them is part of the sum (Linzer and Feig, IEEE Trans. Signal Process. 41(1), 1993: as many operations
// for any turn as for the simplest).
#pragma once

#ifdef __CUDACC__
#define KASC_OF_LINES __device__ __forceinline__
#define KASC_WHEN_COMPILING __host__ __device__ constexpr
#define KASC_UNROLLED _Pragma("unroll")
#else
#include <cmath>
#define KASC_OF_LINES inline
#define KASC_WHEN_COMPILING constexpr
#define KASC_UNROLLED
#endif

namespace {

template <class Complex>
struct kasc_part_of;
template <>
struct kasc_part_of<float2> {
    using type = float;
};
template <>
struct kasc_part_of<double2> {
    using type = double;
};
template <class Complex>
using kasc_part = typename kasc_part_of<Complex>::type;

template <class Complex>
KASC_OF_LINES Complex kasc_complex(kasc_part<Complex> x, kasc_part<Complex> y) {
    Complex z;
    z.x = x;
    z.y = y;
    return z;
}
KASC_OF_LINES float kasc_sum_of_product(float a, float b, float c) { return fmaf(a, b, c); }
KASC_OF_LINES double kasc_sum_of_product(double a, double b, double c) { return fma(a, b, c); }
template <class Complex>
KASC_OF_LINES Complex kasc_product(Complex a, Complex b) {
    return kasc_complex<Complex>(kasc_sum_of_product(a.x, b.x, -(a.y * b.y)), kasc_sum_of_product(a.x, b.y, a.y * b.x));
}

/// sin(π k / n) of small numbers, when compiling: by its series about 0, of an angle of at most π/4.
KASC_WHEN_COMPILING double kasc_sine_series(double a) {
    double term = a, sum = a;
    for (int n = 1; n < 12; ++n) {
        term *= -a * a / ((2 * n) * (2 * n + 1));
        sum += term;
    }
    return sum;
}
KASC_WHEN_COMPILING double kasc_cosine_series(double a) {
    double term = 1, sum = 1;
    for (int n = 1; n < 12; ++n) {
        term *= -a * a / ((2 * n - 1) * (2 * n));
        sum += term;
    }
    return sum;
}
constexpr double kasc_pi = 3.14159265358979323846;
/// cos and sin of 2 π k / n, 0 <= k.
KASC_WHEN_COMPILING double kasc_cosine(int k, int n) {
    k %= n;
    if (2 * k > n) k = n - k;
    if (4 * k > n) return -kasc_cosine(n - 2 * k, 2 * n);
    return 8 * k > n ? kasc_sine_series(kasc_pi * (n - 4 * k) / (2.0 * n)) : kasc_cosine_series(2 * kasc_pi * k / n);
}
KASC_WHEN_COMPILING double kasc_sine(int k, int n) {
    k %= n;
    if (2 * k > n) return -kasc_sine(n - k, n);
    if (4 * k > n) k = n - 2 * k, n *= 2;
    return 8 * k > n ? kasc_cosine_series(kasc_pi * (n - 4 * k) / (2.0 * n)) : kasc_sine_series(2 * kasc_pi * k / n);
}
/// exp(-2 π i K / N), or its conjugate where the transform goes backward.
template <int K, int N, bool Backward, class Complex>
KASC_OF_LINES Complex kasc_root() {
    constexpr double re = kasc_cosine(K, N), im = Backward ? kasc_sine(K, N) : -kasc_sine(K, N);
    return kasc_complex<Complex>((kasc_part<Complex>)re, (kasc_part<Complex>)im);
}
/// Times -i, or i where the transform goes backward.
template <bool Backward, class Complex>
KASC_OF_LINES Complex kasc_quarter_turn(Complex a) {
    return Backward ? kasc_complex<Complex>(-a.y, a.x) : kasc_complex<Complex>(a.y, -a.x);
}

/// exp(-2 π i m / n), 0 <= m < n. The quotient's rounding is mended by a turn of what it lost.
KASC_OF_LINES float2 kasc_turn(int m, int n, float2) {
#ifdef __CUDA_ARCH__
    const float half_turns = 2.0f * (float)m / (float)n;
    const float lost = fmaf(-half_turns, (float)n, 2.0f * (float)m) / (float)n * 3.14159265f;
    float s, c;
    sincospif(half_turns, &s, &c);
    return kasc_complex<float2>(fmaf(-lost, s, c), -fmaf(lost, c, s));
#else
    const double angle = 2 * kasc_pi * m / n;
    return kasc_complex<float2>((float)std::cos(angle), (float)-std::sin(angle));
#endif
}
KASC_OF_LINES double2 kasc_turn(int m, int n, double2) {
#ifdef __CUDA_ARCH__
    double s, c;
    sincospi(2.0 * m / n, &s, &c);
    return kasc_complex<double2>(c, -s);
#else
    const double angle = 2 * kasc_pi * m / n;
    return kasc_complex<double2>(std::cos(angle), -std::sin(angle));
#endif
}
KASC_OF_LINES float2 kasc_turnf(int m, int n) { return kasc_turn(m, n, float2()); }
KASC_OF_LINES double2 kasc_turn(int m, int n) { return kasc_turn(m, n, double2()); }

/// a + w b and a - w b.
template <class Complex>
KASC_OF_LINES void kasc_halves(Complex a, Complex b, Complex w, Complex& sum, Complex& difference) {
    const kasc_part<Complex> re = kasc_sum_of_product(-w.y, b.y, kasc_sum_of_product(w.x, b.x, a.x)),
                             im = kasc_sum_of_product(w.y, b.x, kasc_sum_of_product(w.x, b.y, a.y)), two = 2;
    sum = kasc_complex<Complex>(re, im);
    difference = kasc_complex<Complex>(kasc_sum_of_product(two, a.x, -re), kasc_sum_of_product(two, a.y, -im));
}

template <int N, bool Backward, class Complex, bool Even = N % 2 == 0>
struct kasc_few_numbers;

/// Two halves: N / 2 numbers at even places, and as many at odd ones.
template <int K, int N, bool Backward, class Complex>
struct kasc_joined_halves {
    static KASC_OF_LINES void run(const Complex* even, const Complex* odd, Complex* v) {
        if constexpr (K < N / 2) {
            if constexpr (K == 0 || 4 * K == N) {
                const Complex t = K == 0 ? odd[K] : kasc_quarter_turn<Backward>(odd[K]);
                v[K] = kasc_complex<Complex>(even[K].x + t.x, even[K].y + t.y);
                v[K + N / 2] = kasc_complex<Complex>(even[K].x - t.x, even[K].y - t.y);
            } else {
                kasc_halves(even[K], odd[K], kasc_root<K, N, Backward, Complex>(), v[K], v[K + N / 2]);
            }
            kasc_joined_halves<K + 1, N, Backward, Complex>::run(even, odd, v);
        }
    }
    /// The same where every number has been multiplied with a power of w, by its place.
    static KASC_OF_LINES void run(const Complex* even, const Complex* odd, Complex w, Complex* v) {
        if constexpr (K < N / 2) {
            Complex turn = w;
            constexpr int quarter = N % 4 == 0 ? N / 4 : N, k = K % quarter;
            if constexpr (k != 0) turn = kasc_product(turn, kasc_root<k, N, Backward, Complex>());
            if constexpr (K >= quarter) turn = kasc_quarter_turn<Backward>(turn);
            kasc_halves(even[K], odd[K], turn, v[K], v[K + N / 2]);
            kasc_joined_halves<K + 1, N, Backward, Complex>::run(even, odd, w, v);
        }
    }
};

template <int N, bool Backward, class Complex>
struct kasc_few_numbers<N, Backward, Complex, true> {
    static KASC_OF_LINES void run(Complex* v) {
        Complex even[N / 2], odd[N / 2];
        split(v, even, odd);
        kasc_few_numbers<N / 2, Backward, Complex>::run(even);
        kasc_few_numbers<N / 2, Backward, Complex>::run(odd);
        kasc_joined_halves<0, N, Backward, Complex>::run(even, odd, v);
    }
    static KASC_OF_LINES void run(Complex* v, Complex w) {
        Complex even[N / 2], odd[N / 2];
        split(v, even, odd);
        const Complex square = kasc_product(w, w);
        kasc_few_numbers<N / 2, Backward, Complex>::run(even, square);
        kasc_few_numbers<N / 2, Backward, Complex>::run(odd, square);
        kasc_joined_halves<0, N, Backward, Complex>::run(even, odd, w, v);
    }

private:
    static KASC_OF_LINES void split(const Complex* v, Complex* even, Complex* odd) {
        KASC_UNROLLED
        for (int j = 0; j < N / 2; ++j) {
            even[j] = v[2 * j];
            odd[j] = v[2 * j + 1];
        }
    }
};

template <bool Backward, class Complex>
struct kasc_few_numbers<1, Backward, Complex, false> {
    static KASC_OF_LINES void run(Complex*) {}
    static KASC_OF_LINES void run(Complex*, Complex) {}
};

/// Odd: sums and differences of numbers that stand alike before and behind.
template <int K, int J, int N, class Complex>
struct kasc_odd_sums {
    static KASC_OF_LINES void run(const Complex* sums, const Complex* differences, Complex& even, Complex& odd) {
        if constexpr (2 * J < N) {
            constexpr auto c = (kasc_part<Complex>)kasc_cosine(K * J, N), s = (kasc_part<Complex>)kasc_sine(K * J, N);
            even.x = kasc_sum_of_product(c, sums[J].x, even.x);
            even.y = kasc_sum_of_product(c, sums[J].y, even.y);
            odd.x = kasc_sum_of_product(s, differences[J].x, odd.x);
            odd.y = kasc_sum_of_product(s, differences[J].y, odd.y);
            kasc_odd_sums<K, J + 1, N, Complex>::run(sums, differences, even, odd);
        }
    }
};
template <int K, int N, bool Backward, class Complex>
struct kasc_odd_results {
    static KASC_OF_LINES void run(Complex first, const Complex* sums, const Complex* differences, Complex* v) {
        if constexpr (2 * K < N) {
            Complex even = first, odd = kasc_complex<Complex>(0, 0);
            kasc_odd_sums<K, 1, N, Complex>::run(sums, differences, even, odd);
            odd = kasc_quarter_turn<Backward>(odd);
            v[K] = kasc_complex<Complex>(even.x + odd.x, even.y + odd.y);
            v[N - K] = kasc_complex<Complex>(even.x - odd.x, even.y - odd.y);
            kasc_odd_results<K + 1, N, Backward, Complex>::run(first, sums, differences, v);
        }
    }
};
template <int N, bool Backward, class Complex>
struct kasc_few_numbers<N, Backward, Complex, false> {
    static KASC_OF_LINES void run(Complex* v) {
        Complex sums[(N + 1) / 2], differences[(N + 1) / 2], all = v[0];
        const Complex first = v[0];
        KASC_UNROLLED
        for (int j = 1; 2 * j < N; ++j) {
            sums[j] = kasc_complex<Complex>(v[j].x + v[N - j].x, v[j].y + v[N - j].y);
            differences[j] = kasc_complex<Complex>(v[j].x - v[N - j].x, v[j].y - v[N - j].y);
            all.x += sums[j].x;
            all.y += sums[j].y;
        }
        v[0] = all;
        kasc_odd_results<1, N, Backward, Complex>::run(first, sums, differences, v);
    }
    static KASC_OF_LINES void run(Complex* v, Complex w) {
        Complex power = w;
        KASC_UNROLLED
        for (int j = 1; j < N; ++j) {
            v[j] = kasc_product(v[j], power);
            if (j + 1 < N) power = kasc_product(power, w);
        }
        run(v);
    }
};

/// N numbers: their transform in their places. Registers: a pointer, or what is used like one.
template <class Complex, int N, bool Backward, class Registers>
KASC_OF_LINES void kasc_butterfly(Registers numbers) {
    Complex v[N];
    KASC_UNROLLED
    for (int j = 0; j < N; ++j) v[j] = numbers[j];
    kasc_few_numbers<N, Backward, Complex>::run(v);
    KASC_UNROLLED
    for (int j = 0; j < N; ++j) numbers[j] = v[j];
}
/// Each number is multiplied with turn^j before it, or its conjugate where the transform goes backward.
template <class Complex, int N, bool Backward, class Registers>
KASC_OF_LINES void kasc_butterfly(Registers numbers, Complex turn) {
    Complex v[N];
    KASC_UNROLLED
    for (int j = 0; j < N; ++j) v[j] = numbers[j];
    if (Backward) turn.y = -turn.y;
    kasc_few_numbers<N, Backward, Complex>::run(v, turn);
    KASC_UNROLLED
    for (int j = 0; j < N; ++j) numbers[j] = v[j];
}

}  // namespace
