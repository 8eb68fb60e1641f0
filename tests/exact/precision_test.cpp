// How far float32 takes a run from double: examples/heat3d.kas, the same text with cells of double, and the same scheme
// in loops of double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact/modes.hpp"
#include "heat3d.h"
#include "heat3d_double.h"

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

/// A block of random tissue. All values are float32, so that a run in double starts from the same.
struct Case {
    static constexpr int steps = 60;
    static constexpr float dt = 0.1F, dx = 1e-3F;
    Grid grid{22, 18, 15};
    Words T = grid.fill([](int x, int y, int z) { return 37 + 10 * noise(z, x, y); });
    Words beta = grid.fill([](int x, int y, int z) { return 1e-7 * (1 + 5 * noise(x, y, z)); });
    Words q = grid.fill([](int x, int y, int z) { return 0.2 * noise(y, z, x); });
    Words on;

    Case() {
        for (int n = 0; n < steps; ++n) on.push_back(n % 7 < 4 ? 1.0F : 0.0F);
    }
    static double noise(int x, int y, int z) { return ((x * 7 + y * 13 + z * 29) % 17) / 16.0; }

    /// By examples/heat3d.kas, with cells of Real.
    template <class Real, class Arguments>
    [[nodiscard]] std::vector<Real> run(Compute<Arguments> compute) const {
        const auto initial = convert<Real>(T), diffusivity = convert<Real>(beta), source = convert<Real>(q),
                   series = convert<Real>(on);
        std::vector<Real> found(grid.cells());
        Arguments a{};
        set_extents(a, grid);
        a.nt = a.steps = steps, a.dt = dt, a.dx = dx;
        a.T = initial.data(), a.beta = diffusivity.data(), a.q = source.data(), a.on = series.data();
        a.T_out = found.data();
        EXPECT_EQ(compute(&a, nullptr, nullptr, nullptr), 0);
        return found;
    }
    /// By the loops above, in double, with 1 / (12 dx²) as given.
    [[nodiscard]] std::vector<double> exact(double scale) const {
        return Heat<double>{grid, dt, scale, convert<double>(beta), convert<double>(q), convert<double>(on)}.run(
            convert<double>(T));
    }
    /// A bound of the root mean square error of a run of rounding `unit`, `roundings` on the way of the increment.
    ///
    /// With D the diagonal of β, D^(-1/2) (1 + dt D L) D^(1/2) is symmetric with eigenvalues in [-1, 1]: in the root
    /// mean square weighted by 1/β no error grows. Weighted back that is a factor sqrt(largest β / least β). A step
    /// rounds the two last sums, of size |T|, and the increment of at most dt β scale · 192 |T|, 192 the sum of the
    /// sizes of the weights.
    [[nodiscard]] double bound(double unit, int roundings) const {
        const double hottest = *std::max_element(T.begin(), T.end()) + dt * 0.2 * steps;
        const double increment = dt * 6e-7 / (12 * static_cast<double>(dx) * dx) * 192;
        return std::sqrt(6.0) * steps * unit * hottest * (2 + roundings * increment);
    }
    [[nodiscard]] double moved(const std::vector<double>& end) const {
        double most = 0;
        for (std::size_t i = 0; i < end.size(); ++i) most = std::max(most, std::abs(end[i] - T[i]));
        return most;
    }
};

template <class A, class B>
double difference(const std::vector<A>& a, const std::vector<B>& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(static_cast<double>(a[i]) - b[i], 2);
    return std::sqrt(squares / static_cast<double>(a.size()));
}

/// On the way of the increment round the pair, three sums along an axis, two over the axes and three products.
constexpr int step_roundings = 9;
/// The scale 1 / (12 dx²) of a program: two products and the quotient.
constexpr int scale_roundings = 3;

TEST(Precision, Float32StaysWithinItsBoundOfDouble) {
    const Case c;
    const Words found = c.run<float, heat3d_arguments>(heat3d_compute);
    // The scale is a number of the program: as it rounds it.
    const std::vector<double> exact = c.exact(1 / (12 * Case::dx * Case::dx));
    const double error = difference(found, exact), bound = c.bound(unit_roundoff, step_roundings);
    EXPECT_LE(error, bound);
    EXPECT_GT(error, 0) << "not computed in float32";
    EXPECT_LT(bound, 0.01 * c.moved(exact)) << "a bound that says nothing";
}

/// Cells of double: the loops above round as often, elsewhere.
TEST(Precision, CellsOfDoubleAreComputedInDouble) {
    const Case c;
    const auto found = c.run<double, heat3d_double_arguments>(heat3d_double_compute);
    const std::vector<double> exact = c.exact(1 / (12 * static_cast<double>(Case::dx) * Case::dx));
    EXPECT_LE(difference(found, exact), 2 * c.bound(0x1p-53, step_roundings + scale_roundings));
    EXPECT_GT(c.moved(exact), 1);
}

/// One text, its cells of float and of double. What double rounds is nothing beside float32's roundings.
TEST(Precision, TheSameTextInFloatAndInDouble) {
    const Case c;
    const Words single = c.run<float, heat3d_arguments>(heat3d_compute);
    const auto dual = c.run<double, heat3d_double_arguments>(heat3d_double_compute);
    const double bound = c.bound(unit_roundoff, step_roundings + scale_roundings);
    EXPECT_LE(difference(single, dual), bound);
    // A float near 40 is up to one roundoff of it beside the double: a tenth of that is little in the mean.
    EXPECT_GT(difference(single, dual), 0.1 * unit_roundoff * 40) << "both of one precision";
    EXPECT_LT(bound, 0.01 * c.moved(dual)) << "a bound that says nothing";
}

}  // namespace
}  // namespace kasc::exact
