// support/kasc_butterflies.hpp beside the definition of the transform.

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <random>
#include <vector>

struct float2 {
    float x, y;
};
struct double2 {
    double x, y;
};
using std::fma;
#include "../../../support/kasc_butterflies.hpp"

namespace kasc {
namespace {

using Number = std::complex<double>;

/// The largest difference from the definition; `turned`: of numbers that are multiplied with powers of a turn first.
template <class Complex, int N, bool Backward>
double difference(bool turned) {
    std::mt19937 random(N);
    std::uniform_real_distribution<double> draw(-1, 1);
    std::array<Complex, N> numbers{};
    const Complex turn = kasc_turn(3, 101, Complex());
    const Number step(turn.x, Backward ? -turn.y : turn.y);
    std::vector<Number> given;
    for (Complex& z : numbers) {
        z.x = static_cast<kasc_part<Complex>>(draw(random)), z.y = static_cast<kasc_part<Complex>>(draw(random));
        given.push_back(Number(z.x, z.y) * (turned ? std::pow(step, static_cast<double>(given.size())) : Number(1)));
    }
    if (turned)
        kasc_butterfly<Complex, N, Backward>(numbers.data(), turn);
    else
        kasc_butterfly<Complex, N, Backward>(numbers.data());
    double most = 0;
    for (int k = 0; k < N; ++k) {
        Number sum = 0;
        for (int j = 0; j < N; ++j)
            sum +=
                given[static_cast<std::size_t>(j)] * std::polar(1.0, (Backward ? 2 : -2) * std::acos(-1.0) * j * k / N);
        const Complex& is = numbers[static_cast<std::size_t>(k)];
        most = std::max(most, std::abs(sum - Number(is.x, is.y)));
    }
    return most;
}

template <int N>
void look_at() {
    for (const bool turned : {false, true}) {
        EXPECT_LT((difference<double2, N, false>(turned)), 4e-14) << N;
        EXPECT_LT((difference<double2, N, true>(turned)), 4e-14) << N;
        EXPECT_LT((difference<float2, N, false>(turned)), 1.2e-5) << N;
        EXPECT_LT((difference<float2, N, true>(turned)), 1.2e-5) << N;
    }
}

TEST(Butterflies, AreTheTransformByDefinition) {
    look_at<2>(), look_at<3>(), look_at<4>(), look_at<5>(), look_at<6>(), look_at<7>(), look_at<8>(), look_at<9>();
    look_at<10>(), look_at<12>(), look_at<14>(), look_at<15>(), look_at<16>();
}

TEST(Butterflies, RootsAreThoseOfTheMathematicsLibrary) {
    for (int n = 1; n <= 16; ++n) {
        for (int k = 0; k < 3 * n; ++k) {
            EXPECT_NEAR(kasc_cosine(k, n), std::cos(2 * kasc_pi * k / n), 4e-15) << k << " of " << n;
            EXPECT_NEAR(kasc_sine(k, n), std::sin(2 * kasc_pi * k / n), 4e-15) << k << " of " << n;
        }
    }
}

}  // namespace
}  // namespace kasc
