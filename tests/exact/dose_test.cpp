// Cumulative equivalent minutes at 43 °C, Σ Δt R^(43 − T) with R = 0.25 below 43 °C and 0.5 above, of protocols whose
// sum is known in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "dose.h"
#include "exact/modes.hpp"

namespace kasc::exact {
namespace {

/// Minutes of `count` steps that start at `from` and rise by `rise` each, all on one side of 43 °C: a geometric series.
double minutes(double dt, double from, double rise, int count) {
    const double r = from < 43 ? 0.25 : 0.5;
    const double first = std::pow(r, 43 - from), ratio = std::pow(r, -rise);
    return dt / 60 * first * (rise == 0 ? count : (std::pow(ratio, count) - 1) / (ratio - 1));
}

/// Up from 37 to 47 °C by 1/32 a step, 300 steps there, down again: all temperatures are exact in float32.
class Protocol : public testing::Test {
protected:
    static constexpr int ramp = 320, plateau = 300, steps = 2 * ramp + plateau;
    static constexpr double low = 37, high = 47, rise = (high - low) / ramp, dt = 0.5;

    static Words temperatures() {
        Words words;
        for (int n = 0; n < ramp; ++n) words.push_back(static_cast<float>(low + rise * n));
        for (int n = 0; n < plateau; ++n) words.push_back(static_cast<float>(high));
        for (int n = 0; n < ramp; ++n) words.push_back(static_cast<float>(high - rise * (n + 1)));
        return words;
    }
    /// In closed form for a cell that is warmer by `offset`.
    static double exact(double offset) {
        const int below = static_cast<int>(std::max(0.0, (43 - low - offset) / rise));  // steps of a ramp below 43
        const double up = minutes(dt, low + offset, rise, below) + minutes(dt, 43, rise, ramp - below);
        return 2 * up + minutes(dt, high + offset, 0, plateau);
    }
};

/// Each term is a power (of two units in the last place at most), a factor dt / 60 with two roundings, and a fused sum
/// that rounds at each step; terms are positive, so relative errors do not grow. The ramp downwards has the same
/// temperatures as that upwards.
TEST_F(Protocol, DoseEqualsTheClosedForm) {
    const Words protocol = temperatures();
    const Words offset{0.0F, 0.5F, 1.0F, -0.5F, -1.25F, 2.0F, -3.0F};
    Words dose(offset.size());
    dose_arguments a{};
    a.nx = static_cast<long long>(offset.size()), a.nt = a.steps = steps, a.dt = dt;
    a.offset = offset.data(), a.protocol = protocol.data(), a.dose = dose.data();
    ASSERT_EQ(dose_compute(&a, nullptr, nullptr, nullptr), 0);
    for (std::size_t i = 0; i < offset.size(); ++i) {
        const double expected = exact(offset[i]);
        EXPECT_NEAR(dose[i], expected, (steps + 6) * unit_roundoff * expected) << "offset " << offset[i];
    }
    EXPECT_GT(dose[5], 4 * dose[2] / 2.1) << "a degree above 43 doubles the dose";
}

/// An hour at 43 °C is 60 minutes, at 44 °C 120, at 42 °C 15.
TEST_F(Protocol, AnHour) {
    const Words protocol(3600, 43.0F), offset{-1.0F, 0.0F, 1.0F};
    Words dose(3);
    dose_arguments a{};
    a.nx = 3, a.nt = a.steps = 3600, a.dt = 1;
    a.offset = offset.data(), a.protocol = protocol.data(), a.dose = dose.data();
    ASSERT_EQ(dose_compute(&a, nullptr, nullptr, nullptr), 0);
    const std::array<double, 3> expected{15, 60, 120};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(dose[i], expected[i], 3606 * unit_roundoff * expected[i]);
}

}  // namespace
}  // namespace kasc::exact
