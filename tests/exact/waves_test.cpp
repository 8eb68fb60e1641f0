// A mode of pressure of a homogeneous medium swings with cos(c k t), whatever the step: the k-space method makes no
// error but that of rounding (Tabei, Mast and Waag, J. Acoust. Soc. Am. 111(1), 2002).
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "exact/modes.hpp"
#include "waves.h"
#include "waves_double.h"

namespace kasc::exact {
namespace {

using Spectrum = std::vector<std::complex<double>>;

/// By the definition, line by line along one axis.
void transform(Spectrum& a, int n, std::size_t stride, double sign) {
    Spectrum line(static_cast<std::size_t>(n));
    for (std::size_t first = 0; first < a.size(); ++first) {
        if (first / stride % static_cast<std::size_t>(n) != 0) continue;
        for (int k = 0; k < n; ++k) {
            std::complex<double> sum = 0;
            for (int j = 0; j < n; ++j)
                sum += a[first + stride * static_cast<std::size_t>(j)] *
                       std::polar(1.0, sign * 2 * std::numbers::pi * ((j * k) % n) / n);
            line[static_cast<std::size_t>(k)] = sum;
        }
        for (int k = 0; k < n; ++k) a[first + stride * static_cast<std::size_t>(k)] = line[static_cast<std::size_t>(k)];
    }
}

struct Waves {
    // Even and odd, with a prime factor that FFTW has no codelet of its own for.
    Grid grid{16, 15, 17};
    static constexpr int steps = 200;
    static constexpr double dx = 1e-4, dt = 2e-8, c0 = 1500;
    /// A pressure of all modes up to the shortest.
    std::vector<double> p0 =
        grid.fill<double>([](int x, int y, int z) { return ((x * 7 + y * 13 + z * 29 + x * y * z) % 19 - 9) * 1e4; });

    void transform_all(Spectrum& a, double sign) const {
        transform(a, grid.nx, 1, sign);
        transform(a, grid.ny, static_cast<std::size_t>(grid.nx), sign);
        transform(a, grid.nz, static_cast<std::size_t>(grid.nx) * grid.ny, sign);
    }
    [[nodiscard]] static double wave(int i, int n) { return 2 * std::numbers::pi / (n * dx) * (2 * i < n ? i : i - n); }
    [[nodiscard]] std::vector<double> exact() const {
        Spectrum a(p0.begin(), p0.end());
        transform_all(a, -1);
        std::size_t i = 0;
        for (int z = 0; z < grid.nz; ++z) {
            for (int y = 0; y < grid.ny; ++y) {
                for (int x = 0; x < grid.nx; ++x, ++i) {
                    const double k = std::hypot(wave(x, grid.nx), wave(y, grid.ny), wave(z, grid.nz));
                    a[i] *= std::cos(c0 * k * steps * dt) / static_cast<double>(a.size());
                }
            }
        }
        transform_all(a, 1);
        std::vector<double> p;
        for (const auto& value : a) p.push_back(value.real());
        return p;
    }
    template <class Real, class Arguments>
    [[nodiscard]] std::vector<Real> run(Compute<Arguments> compute) const {
        const std::vector<Real> initial(p0.begin(), p0.end());
        std::vector<Real> found(grid.cells());
        Arguments a{};
        set_extents(a, grid);
        a.nkx = grid.nx / 2 + 1;
        a.dt = dt, a.dx = dx, a.c0 = c0, a.rho0 = 1000, a.steps = steps;
        a.p = initial.data(), a.p_out = found.data();
        EXPECT_EQ(compute(&a, nullptr, nullptr, nullptr), 0);
        return found;
    }
    /// Largest difference, of the largest value at the start.
    template <class Real>
    [[nodiscard]] double error(const std::vector<Real>& found) const {
        const std::vector<double> wanted = exact();
        double largest = 0, scale = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(found[i]) - wanted[i]));
            scale = std::max(scale, std::abs(p0[i]));
        }
        return largest / scale;
    }
};

TEST(Waves, ModesSwingExactlyInDouble) {
    const Waves waves;
    // 200 steps, each of which rounds what has grown to some thousand cells: far below 1e-10, far above 1e-16.
    EXPECT_LT(waves.error(waves.run<double>(waves_double_compute)), 2e-13);
}

TEST(Waves, ModesSwingExactlyInFloat) {
    Waves waves;
    // Constants of float turn a mode by 1e-7 of c k t, 3e-5 at the shortest wave length: a pulse that the grid
    // resolves.
    waves.p0 = waves.grid.fill<double>([](int x, int y, int z) {
        return 1e5 * std::exp(-((x - 7.0) * (x - 7.0) + (y - 6.0) * (y - 6.0) + (z - 9.0) * (z - 9.0)) / 5);
    });
    EXPECT_LT(waves.error(waves.run<float>(waves_compute)), 1e-5);
}

/// Half a spectrum has its own length: another one is refused.
TEST(Waves, RefusesAWrongHalf) {
    waves_arguments a{};
    const std::vector<float> p(64);
    std::vector<float> out(64);
    a.nx = a.ny = a.nz = 4, a.nkx = 4, a.steps = 1, a.dt = a.dx = a.c0 = a.rho0 = 1;
    a.p = p.data(), a.p_out = out.data();
    EXPECT_EQ(waves_compute(&a, nullptr, nullptr, nullptr), 1);
    EXPECT_NE(std::string(waves_message()).find("half a spectrum has 3"), std::string::npos) << waves_message();
}

}  // namespace
}  // namespace kasc::exact
