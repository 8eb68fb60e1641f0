// A plane wave of finite amplitude in a viscous medium: its harmonics at 1.5 shock distances, beside Mendousse's
// solution of Burgers' equation (J. Acoust. Soc. Am. 25(1), 1953; Blackstock, J. Acoust. Soc. Am. 36(3), 1964).
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "support/kwave_input.hpp"

namespace kasc::steepening {
namespace {

using std::numbers::pi;
constexpr double c0 = 1500, rho0 = 1000, nonlinearity = 6;  // water, about: B/A of 5 to 6.2 from 20 to 90 °C
constexpr double frequency = 1e6, w = 2 * pi * frequency, amplitude = 5e6;
constexpr int points_a_wave = 50, steps_a_period = 250;
constexpr double dx = c0 / frequency / points_a_wave, dt = 1 / frequency / steps_a_period;
constexpr double absorption = 0.25;  // dB/(MHz² cm), a hundred times that of water: so that 50 points a wave suffice

/// exp(-x) I_n(x), by the mean of exp(x (cos t - 1)) cos nt over a turn, which equal steps give to rounding.
double scaled_bessel(int n, double x) {
    constexpr int parts = 256;
    double sum = 0;
    for (int k = 0; k < parts; ++k) {
        const double t = 2 * pi * k / parts;
        sum += std::exp(x * (std::cos(t) - 1)) * std::cos(n * t);
    }
    return sum / parts;
}

/// Amplitude of a harmonic of what sample(k) gives of one period.
template <class Sample>
double harmonic(int n, int samples, Sample sample) {
    std::complex<double> sum = 0;
    for (int k = 0; k < samples; ++k) sum += std::polar(1.0, -2 * pi * n * k / samples) * sample(k);
    return 2 * std::abs(sum) / samples;
}

/// p over the source's amplitude at sigma shock distances, at a phase; gol: Gol'dberg's number, what a wave loses in a
/// shock distance.
double mendousse(double sigma, double gol, double phase) {
    double above = 0, below = scaled_bessel(0, gol / 2);
    for (int n = 1; n <= 60; ++n) {
        const double term = (n % 2 == 1 ? 1 : -1) * scaled_bessel(n, gol / 2) * std::exp(-n * n * sigma / gol);
        above += n * term * std::sin(n * phase);
        below -= 2 * term * std::cos(n * phase);
    }
    return 4 / gol * above / below;
}

TEST(Steepening, HarmonicsAreThoseOfBurgersEquation) {
    const double mach = amplitude / (rho0 * c0 * c0);
    const double shock = c0 / (w * mach * (1 + nonlinearity / 2));
    const double gol = 1 / (shock * 100 * absorption / (20 * std::log10(std::exp(1))));  // at 1 MHz
    const int source = 30, sensor = source + static_cast<int>(std::lround(1.5 * shock / dx));
    const double sigma = (sensor - source) * dx / shock;
    const int steps = static_cast<int>(std::lround(((sensor - source) * dx / c0 + 6 / frequency) / dt));

    test::KWaveInput input({1440, 1, 1, dx, dt, steps}, c0, rho0);
    input.number("absorbing_flag", 2);
    input.number("alpha_power", 2);
    input.number("alpha_coeff", absorption);
    input.number("nonlinear_flag", 1);
    input.number("BonA", nonlinearity);
    std::vector<float> signal;
    for (int n = 0; n < steps; ++n) {
        const double t = n * dt, rise = 1 - std::exp(-t * frequency * t * frequency);
        signal.push_back(static_cast<float>(amplitude * rise * std::sin(w * t) * dt / (c0 * dx)));  // 2 dt/(2 c0 dx)
    }
    input.pressure_source(2, {source}, signal);
    input.cells("sensor_mask_index", {sensor});
    const std::vector<double> p = input.run();
    ASSERT_EQ(p.size(), static_cast<std::size_t>(steps));

    // The equations of the step hold waves of both directions, Burgers' only one: they differ by terms of the order of
    // the wave's Mach number, 0.0022, and harmonic n, a product of n waves, by n times that.
    for (int n = 1; n <= 8; ++n) {
        const double found = harmonic(n, steps_a_period, [&](int k) {
            return p[static_cast<std::size_t>(steps - steps_a_period + k)] / amplitude;
        });
        const double exact = harmonic(n, 256, [&](int k) { return mendousse(sigma, gol, 2 * pi * k / 256); });
        EXPECT_NEAR(found, exact, n * mach * exact) << "harmonic " << n;
        EXPECT_GT(exact, 0.03) << "harmonic " << n;  // there is something to see
    }
}

}  // namespace
}  // namespace kasc::steepening
