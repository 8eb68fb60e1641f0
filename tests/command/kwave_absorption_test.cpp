// A pulse in a medium whose absorption is a power law: every frequency f loses alpha0 f^y nepers a metre, and travels
// with the speed that causality asks of such a medium, 1/c = 1/c0 + alpha0 tan(pi y/2) w^(y-1) (Kramers and Kronig;
// Szabo, J. Acoust. Soc. Am. 96(1), 1994; the equations of the step: Treeby and Cox, J. Acoust. Soc. Am. 127(5), 2010).
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "support/kwave_input.hpp"

namespace kasc::absorption {
namespace {

using std::numbers::pi;
constexpr double c0 = 1500, dx = 5e-5, dt = 0.2 * dx / c0;
constexpr int cells = 1400, start = 60, near = 160, far = 1160;

struct Law {
    double power, coefficient;  ///< dB/(MHz^y cm)
    /// Np/m at an angular frequency.
    [[nodiscard]] double alpha(double w) const {
        return 100 * coefficient / (20 * std::log10(std::exp(1))) * std::pow(w / (2 * pi * 1e6), power);
    }
    /// The slowness beyond 1/c0.
    [[nodiscard]] double dispersion(double w) const { return alpha(w) * std::tan(pi * power / 2) / w; }
};

class Absorption : public testing::TestWithParam<Law> {};

TEST_P(Absorption, IsAPowerLawOfFrequencyWithItsDispersion) {
    const Law& law = GetParam();
    const int steps = static_cast<int>(std::lround((far - start + 250) * dx / c0 / dt));
    test::KWaveInput input({cells, 1, 1, dx, dt, steps}, c0, 1000);
    input.number("absorbing_flag", 1);
    input.number("alpha_power", law.power);
    input.number("alpha_coeff", law.coefficient);
    input.number("p0_source_flag", 1);
    std::vector<float> p0(cells);
    for (int x = 0; x < cells; ++x) p0[x] = static_cast<float>(std::exp(-0.125 * (x - start) * (x - start)));
    input.field("p0_source_input", p0);
    input.cells("sensor_mask_index", {near, far});
    const std::vector<double> p = input.run();
    ASSERT_EQ(p.size(), 2U * static_cast<std::size_t>(steps));

    constexpr double distance = (far - near) * dx;
    for (double f = 0.5e6; f < 4.1e6; f += 0.5e6) {
        const double w = 2 * pi * f;
        std::complex<double> first = 0, second = 0;
        for (int n = 0; n < steps; ++n) {
            const auto wave = std::polar(1.0, -w * n * dt);
            first += wave * p[2 * static_cast<std::size_t>(n)];
            second += wave * p[2 * static_cast<std::size_t>(n) + 1];
        }
        const double alpha = std::log(std::abs(first / second)) / distance;
        EXPECT_NEAR(alpha, law.alpha(w), 0.01 * law.alpha(w)) << f;
        // The term of absorption is made of the density's last change, half a step old: that takes alpha dt/2 off the
        // slowness. To the first order in it; 1 % of the dispersion is left for the rest.
        const double expected = 1 / c0 + law.dispersion(w) - 0.5 * law.alpha(w) * dt;
        const double slowness =
            expected - std::arg(second / first * std::polar(1.0, w * distance * expected)) / (w * distance);
        EXPECT_NEAR(slowness, expected, 0.01 * std::abs(law.dispersion(w))) << f;
    }
}

// Small enough that terms of the second order in alpha c0/w, which the equations leave out, stay below 1 %: the
// dispersion at a power of 1.1 is six times the absorption.
INSTANTIATE_TEST_SUITE_P(Power, Absorption, testing::Values(Law{1.5, 0.25}, Law{1.1, 0.1}),
                         [](const auto& test) { return "of" + std::to_string(std::lround(10 * test.param.power)); });

}  // namespace
}  // namespace kasc::absorption
