// Steady temperatures converge to those of the differential equation with the order of the scheme: every Laplacian and
// divergence of the library, in double so that the error of order 8 stands out from rounding.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "exact/modes.hpp"
#include "steady_plate.h"

namespace kasc::exact {
namespace {

using Reals = std::vector<double>;

/// T = e^x f(y), f = e^cos(πy), on 0 < x < 1, 0 < y < 1: even about both walls in y, known at those in x.
/// Conductivity k = 1 + x/2 + cos(πy)/4.
struct Plate {
    static constexpr double pi = std::numbers::pi;

    static double temperature(double x, double y) { return std::exp(x + std::cos(pi * y)); }
    static double conductivity(double x, double y) { return 1 + x / 2 + std::cos(pi * y) / 4; }
    /// The sum of second derivatives: T_xx = T, f'' = π² (sin² - cos) f.
    static double laplacian(double x, double y) {
        const double s = std::sin(pi * y), c = std::cos(pi * y);
        return temperature(x, y) * (1 + pi * pi * (s * s - c));
    }
    /// div(k grad T) = k lap T + k_x T_x + k_y T_y.
    static double divergence(double x, double y) {
        const double s = std::sin(pi * y);
        return conductivity(x, y) * laplacian(x, y) + temperature(x, y) * (0.5 + pi * s / 4 * pi * s);
    }
};

constexpr int kept = 4;  ///< layers at the walls in x: x = 0 and x = 1 are the innermost of them

/// Root mean square error of each field over the cells that are computed, on a grid of spacing 1/n.
///
/// dt is below 2 / largest eigenvalue: 6.5/h² along each axis of order 8; of the divergence of order 4, whose staggered
/// differences have a largest factor (27 + 27 + 1 + 1)/24, 5.5/h² times k < 2 along each. It starts from the exact
/// solution; what is left of that, relative to the error in space, falls by π² dt a step, the slowest mode between the
/// walls where k is 1, the least k being close to that.
std::array<double, 6> errors(int n) {
    const double h = 1.0 / n, dt = 0.08 * h * h;
    constexpr double decays = 12;  // e^-12 of the transient is left
    const Grid grid{n - 1 + 2 * kept, n, 1};
    const auto fill = [&](auto f) {
        return grid.fill<double>([&](int i, int j, int) { return f((i - (kept - 1)) * h, (j + 0.5) * h); });
    };
    const Reals exact = fill(Plate::temperature), k = fill(Plate::conductivity);
    const Reals q = fill([](double x, double y) { return -Plate::laplacian(x, y); });
    const Reals p = fill([](double x, double y) { return -Plate::divergence(x, y); });
    std::array<Reals, 6> out;
    for (Reals& o : out) o.resize(grid.cells());
    steady_plate_arguments a{};
    set_extents(a, grid);
    a.h = h, a.dt = dt, a.steps = static_cast<int>(decays / (0.7 * Plate::pi * Plate::pi * dt));
    a.T2 = a.T4 = a.T6 = a.T8 = a.D2 = a.D4 = exact.data();
    a.k = k.data(), a.q = q.data(), a.p = p.data();
    a.T2_out = out[0].data(), a.T4_out = out[1].data(), a.T6_out = out[2].data(), a.T8_out = out[3].data();
    a.D2_out = out[4].data(), a.D4_out = out[5].data();
    EXPECT_EQ(steady_plate_compute(&a, nullptr, nullptr, nullptr), 0);
    std::array<double, 6> error{};
    for (std::size_t f = 0; f < out.size(); ++f) {
        double squares = 0;
        for (std::size_t i = 0; i < grid.cells(); ++i) squares += std::pow(out[f][i] - exact[i], 2);
        error[f] = std::sqrt(squares / ((n - 1) * n));
    }
    return error;
}

/// The next term of an error is smaller by (π/n)² times a factor of a few: the order found between 12 and 24 cells is
/// within 0.4 of the scheme's.
TEST(Steady, ErrorsFallWithTheOrderOfTheScheme) {
    constexpr std::array<int, 6> orders{2, 4, 6, 8, 2, 4};
    const std::array<double, 6> coarse = errors(12), fine = errors(24);
    for (std::size_t f = 0; f < orders.size(); ++f) {
        EXPECT_NEAR(std::log2(coarse[f] / fine[f]), orders[f], 0.4)
            << "field " << f << ": " << coarse[f] << ", " << fine[f];
    }
}

}  // namespace
}  // namespace kasc::exact
