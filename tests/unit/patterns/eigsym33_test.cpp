// eigsym33 in float32 against an independent solver in double: bisection on the number of negative pivots of M - x I
// (Sylvester's law of inertia), which needs no eigenvector and has no trouble with equal eigenvalues.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "pattern_elementlib_code.hpp"

namespace kasc {
namespace {

using Matrix = std::array<float, 9>;
using Eigenvalues = std::array<double, 3>;

Matrix symmetric(float a, float b, float c, float ab, float ac, float bc) { return {a, ab, ac, ab, b, bc, ac, bc, c}; }

/// Eigenvalues below x, by the signs of the pivots of M - x I; a pivot of 0 is moved by less than matters.
int count_below(const Matrix& m, double x, double tiny) {
    double a = m[0] - x, b = m[4] - x, c = m[8] - x;
    const double ab = m[1], ac = m[2], bc = m[5];
    if (a == 0) a = tiny;
    double middle = b - ab * ab / a;
    const double side = bc - ab * ac / a;
    if (middle == 0) middle = tiny;
    c -= ac * ac / a + side * side / middle;
    return int{a < 0} + int{middle < 0} + int{c < 0};
}

double norm(const Matrix& m) {
    double sum = 0;
    for (const float x : m) sum += double{x} * x;
    return std::sqrt(sum);
}

/// Largest first, to about 1e-15 of the norm.
Eigenvalues bisected(const Matrix& m) {
    const double size = norm(m);
    Eigenvalues found{};
    for (int k = 0; k < 3 && size > 0; ++k) {
        double low = -1.0137 * size, high = 1.0071 * size;  // uneven: halves meet no pivot of 0
        for (int step = 0; step < 60; ++step) {
            const double x = (low + high) / 2;
            (count_below(m, x, 1e-18 * size) > k ? high : low) = x;
        }
        found[static_cast<std::size_t>(2 - k)] = (low + high) / 2;
    }
    return found;
}

/// Errors in units of 2^-24 of the norm, and the order.
double worst_error(const Matrix& m) {
    std::array<float, 3> got{};
    eigsym33::cpu_eigsym33(m.data(), got.data());
    EXPECT_GE(got[0], got[1]);
    EXPECT_GE(got[1], got[2]);
    const Eigenvalues right = bisected(m);
    double worst = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_TRUE(std::isfinite(got[k]));
        worst = std::max(worst, std::abs(got[k] - right[k]));
    }
    return norm(m) == 0 ? worst : worst / norm(m) * 0x1p24;
}

constexpr double allowed = 6;  // units in the last place of the norm; 5 is the worst of what is tried here

TEST(Eigsym33, IsExactToAFewUnitsForRandomMatrices) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1, 1);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const Matrix m = symmetric(any(random), any(random), any(random), any(random), any(random), any(random));
        worst = std::max(worst, worst_error(m));
    }
    EXPECT_LT(worst, allowed);
    RecordProperty("worst", std::to_string(worst));
}

TEST(Eigsym33, IsAsExactWhereEigenvaluesAreNearlyEqual) {
    std::mt19937 random(8);
    std::uniform_real_distribution<float> any(-1, 1);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        // a + u u^T apart + noise: two equal eigenvalues, or three, but for noise of 1 to 1e-9
        const float x = any(random), y = any(random), z = any(random), base = any(random);
        const float apart = i % 3 == 0 ? 0.0F : any(random), noise = std::pow(10.0F, -static_cast<float>(i % 10));
        Matrix m = symmetric(base + apart * x * x, base + apart * y * y, base + apart * z * z, apart * x * y,
                             apart * x * z, apart * y * z);
        const float n1 = noise * any(random), n2 = noise * any(random);
        m[0] += n1;
        m[1] += n2, m[3] += n2;
        worst = std::max(worst, worst_error(m));
    }
    EXPECT_LT(worst, allowed);
    RecordProperty("worst", std::to_string(worst));
}

TEST(Eigsym33, HoldsForSpecialMatricesOfAnySize) {
    const std::array<Matrix, 9> special{
        symmetric(0, 0, 0, 0, 0, 0), symmetric(1, 1, 1, 0, 0, 0),    symmetric(3, 2, 1, 0, 0, 0),
        symmetric(1, 3, 1, 0, 0, 0), symmetric(-1, -2, -2, 0, 0, 0), symmetric(0, 0, 0, 1, 0, 0),
        symmetric(0, 0, 0, 1, 1, 1), symmetric(1, 1, 1, 1, 1, 1),    symmetric(0, 0, 5, 0, 0, 1e-6F)};
    for (const Matrix& shape : special) {
        for (const float scale : {1.0F, -1.0F, 1e-37F, 1e-20F, 1e-12F, 1e12F, 1e13F, 1e20F, 1e37F}) {
            Matrix m = shape;
            for (float& word : m) word *= scale;
            EXPECT_LT(worst_error(m), allowed) << scale << " " << m[0] << " " << m[4] << " " << m[8] << " " << m[1];
        }
    }
}

TEST(Eigsym33, LooksAtTheUpperTriangleOnly) {
    Matrix m = symmetric(2, 1, 3, 0.5F, -0.25F, 0.125F), other = m;
    other[3] = other[6] = other[7] = 99;
    std::array<float, 3> a{}, b{};
    eigsym33::cpu_eigsym33(m.data(), a.data());
    eigsym33::cpu_eigsym33(other.data(), b.data());
    EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace kasc
