// How far float32 takes a run from double: examples/heat3d.kas against the same scheme in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact/modes.hpp"
#include "heat3d.h"

namespace kasc::exact {
namespace {

/// dT/dt = β ∇²T + on·q, 13 points, the two outermost layers kept, on a grid of arrays of Real. β and q as given.
template <class Real>
struct Heat {
    Grid grid;
    Real dt, scale;  ///< scale: 1 / (12 dx²)
    std::vector<Real> beta, q, on;

    [[nodiscard]] std::vector<Real> run(std::vector<Real> T) const {
        std::vector<Real> next = T;
        const int row = grid.nx, plane = grid.nx * grid.ny;
        for (const Real source : on) {
            for (int z = 2; z < grid.nz - 2; ++z) {
                for (int y = 2; y < grid.ny - 2; ++y) {
                    for (int x = 2; x < grid.nx - 2; ++x) {
                        const int i = x + row * y + plane * z;
                        const auto at = [&](int k) { return T[static_cast<std::size_t>(i + k)]; };
                        const auto second = [&](int d) {
                            return 16 * (at(-d) + at(d)) - (at(-2 * d) + at(2 * d)) - 30 * at(0);
                        };
                        const std::size_t k = static_cast<std::size_t>(i);
                        const Real laplace = (second(1) + second(row) + second(plane)) * scale;
                        next[k] = at(0) + dt * (beta[k] * laplace) + dt * source * q[k];
                    }
                }
            }
            std::swap(T, next);
        }
        return T;
    }
};

template <class To, class From>
std::vector<To> convert(const std::vector<From>& from) {
    return {from.begin(), from.end()};
}

/// With D the diagonal of β, D^(-1/2) (1 + dt D L) D^(1/2) is symmetric with eigenvalues in [-1, 1]: in the root mean
/// square weighted by 1/β no error grows. Weighted back that is a factor sqrt(largest β / least β). A step rounds the
/// two last sums, of size |T|, and on the way of the increment the pair, three sums along an axis, two over the axes
/// and three products: nine times dt β scale · 192 |T|, 192 the sum of the sizes of the weights.
TEST(Precision, Float32StaysWithinItsBoundOfDouble) {
    const Grid grid{22, 18, 15};
    constexpr int steps = 60;
    constexpr float dt = 0.1F, dx = 1e-3F;
    const auto noise = [](int x, int y, int z) { return ((x * 7 + y * 13 + z * 29) % 17) / 16.0; };
    const Words T = grid.fill([&](int x, int y, int z) { return 37 + 10 * noise(z, x, y); });
    const Words beta = grid.fill([&](int x, int y, int z) { return 1e-7 * (1 + 5 * noise(x, y, z)); });
    const Words q = grid.fill([&](int x, int y, int z) { return 0.2 * noise(y, z, x); });
    Words on;
    for (int n = 0; n < steps; ++n) on.push_back(n % 7 < 4 ? 1.0F : 0.0F);
    Words found(grid.cells());
    heat3d_arguments a{};
    set_extents(a, grid);
    a.nt = a.steps = steps, a.dt = dt, a.dx = dx;
    a.T = T.data(), a.beta = beta.data(), a.q = q.data(), a.on = on.data(), a.T_out = found.data();
    ASSERT_EQ(heat3d_compute(&a, nullptr, nullptr, nullptr), 0);
    // The scale is a number of the program: as it rounds it.
    const float scale = 1 / (12 * dx * dx);
    const std::vector<double> exact =
        Heat<double>{grid, dt, scale, convert<double>(beta), convert<double>(q), convert<double>(on)}.run(
            convert<double>(T));
    double squares = 0, moved = 0, hottest = 0;
    for (std::size_t i = 0; i < grid.cells(); ++i) {
        squares += std::pow(found[i] - exact[i], 2);
        moved = std::max(moved, std::abs(exact[i] - static_cast<double>(T[i])));
        hottest = std::max(hottest, exact[i]);
    }
    const double error = std::sqrt(squares / static_cast<double>(grid.cells()));
    const double increment = static_cast<double>(dt) * 6e-7 * scale * 192;
    const double bound = std::sqrt(6.0) * steps * unit_roundoff * hottest * (2 + 9 * increment);
    EXPECT_LE(error, bound);
    EXPECT_GT(error, 0) << "not computed in float32";
    EXPECT_LT(bound, 0.01 * moved) << "a bound that says nothing";
}

}  // namespace
}  // namespace kasc::exact
