// The error of a scheme against solutions of the differential equation falls with its order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exact/modes.hpp"
#include "periodic_1d.h"
#include "periodic_3d.h"
#include "steady.h"

namespace kasc::exact {
namespace {

using std::numbers::pi;

/// A Gaussian of height 1 in the middle of a ring of length 1, far wider than itself: at the other side it is below
/// 1e-20, free space for float32. Its Fourier coefficients are known, and Euler's method in time multiplies each by
/// 1 - βΔt (2π)² (k² + l² + m²) a step: what is left is the error in space alone, whatever Δt.
struct Gaussian {
    double width = 0.05;
    int steps = 100;
    double dt = width * width / 2 / steps;  ///< times β: in the end the square of the width has doubled
    static constexpr int waves = 24;        ///< coefficients beyond are below 1e-12 of the first

    /// The coefficient of cos(2πkx).
    [[nodiscard]] double coefficient(int k) const {
        return (k == 0 ? 1 : 2) * width * std::sqrt(2 * pi) * std::exp(-2 * pi * pi * k * k * width * width);
    }
    [[nodiscard]] double once(int squares) const { return 1 - dt * 4 * pi * pi * squares; }

    [[nodiscard]] double initial(double x) const {
        double sum = 0;
        for (int k = 0; k <= waves; ++k) sum += coefficient(k) * std::cos(2 * pi * k * x);
        return sum;
    }
    [[nodiscard]] double after(double x) const {
        double sum = 0;
        for (int k = 0; k <= waves; ++k)
            sum += coefficient(k) * std::pow(once(k * k), steps) * std::cos(2 * pi * k * x);
        return sum;
    }
    [[nodiscard]] double after(double x, double y, double z) const {
        double sum = 0;
        for (int k = 0; k <= waves; ++k) {
            for (int l = 0; l <= waves; ++l) {
                const double plane =
                    coefficient(k) * coefficient(l) * std::cos(2 * pi * k * x) * std::cos(2 * pi * l * y);
                for (int m = 0; m <= waves; ++m) {
                    sum += plane * coefficient(m) * std::cos(2 * pi * m * z) *
                           std::pow(once(k * k + l * l + m * m), steps);
                }
            }
        }
        return sum;
    }
};

double order(double coarse_error, double fine_error, int coarse, int fine) {
    return std::log(coarse_error / fine_error) / std::log(static_cast<double>(fine) / coarse);
}

/// Largest error of each Laplacian with n cells along the ring.
std::vector<double> errors(const Gaussian& g, int n) {
    const Grid ring{n, 1, 1};
    const auto at = [&](int i) { return static_cast<double>(i) / n - 0.5; };
    const Words initial = ring.fill([&](int x, int, int) { return g.initial(at(x)); });
    std::vector<double> largest;
    for (const Words& out : advance<periodic_1d_arguments>(periodic_1d_compute, ring, g.dt * n * n, g.steps, initial)) {
        double most = 0;
        for (int i = 0; i < n; ++i) most = std::max(most, std::abs(out[static_cast<std::size_t>(i)] - g.after(at(i))));
        largest.push_back(most);
    }
    return largest;
}

/// The grids of each order are fine enough that the next terms of the error are small beside the first, which they
/// make the order seem lower by at most 0.8, and coarse enough that the errors stand out from rounding: 100 steps leave
/// 1.5e-7 of it on any grid (what is left of order 8 with 128 cells), a tenth of the smallest error here.
TEST(Convergence, AGaussianInFreeSpace) {
    const Gaussian g;
    const std::array<std::array<int, 2>, 4> cells{{{64, 128}, {64, 128}, {40, 64}, {36, 44}}};
    for (std::size_t k = 0; k < laplacians.size(); ++k) {
        const auto [coarse, fine] = cells[k];
        const double first = errors(g, coarse)[k], second = errors(g, fine)[k];
        const double found = order(first, second, coarse, fine);
        EXPECT_GT(found, laplacians[k].order - 0.8) << first << " and " << second;
        EXPECT_LT(found, laplacians[k].order + 0.3) << first << " and " << second;
    }
}

/// The same in three dimensions, at cells that both grids have.
TEST(Convergence, AGaussianInThreeDimensions) {
    const Gaussian g;
    constexpr std::array<std::array<int, 3>, 4> places{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 2}}};  // of 12 a side
    const auto largest = [&](int n) {
        const Grid cube{n, n, n};
        const auto at = [&](int i) { return static_cast<double>(i) / n - 0.5; };
        const Words initial =
            cube.fill([&](int x, int y, int z) { return g.initial(at(x)) * g.initial(at(y)) * g.initial(at(z)); });
        std::vector<double> errors;
        for (const Words& out :
             advance<periodic_3d_arguments>(periodic_3d_compute, cube, g.dt * n * n, g.steps, initial)) {
            double most = 0;
            for (const auto& [x, y, z] : places) {
                const auto cell = [&](int place) { return static_cast<std::size_t>(n / 2 + place * n / 12); };
                const std::size_t side = static_cast<std::size_t>(n);
                const float found = out[cell(x) + side * (cell(y) + side * cell(z))];
                most = std::max(most, std::abs(found - g.after(x / 12.0, y / 12.0, z / 12.0)));
            }
            errors.push_back(most);
        }
        return errors;
    };
    const std::vector<double> coarse = largest(24), fine = largest(36);
    for (std::size_t k = 0; k < laplacians.size(); ++k) {
        const double found = order(coarse[k], fine[k], 24, 36);
        EXPECT_GT(found, laplacians[k].order - 1) << coarse[k] << " and " << fine[k];
        EXPECT_LT(found, laplacians[k].order + 0.3) << coarse[k] << " and " << fine[k];
    }
}

/// A rod whose ends keep 10 and 50 becomes a straight line. A step makes what is left of the error smaller by the
/// factor of the slowest mode, and adds rounding: in the end step error / (1 - factor) remains. The slowest mode of
/// order 2 over m free cells has the eigenvalue 2 - 2 cos(π / (m + 1)); that of order 4 is larger.
TEST(Convergence, TheSteadyStateOfARodIsAStraightLine) {
    constexpr int n = 17, steps = 3000;
    constexpr double ratio = 0.3, hottest = 50;
    const auto line = [](int i) { return 10 + (hottest - 10) * i / (n - 1); };
    for (const int kept : {1, 2}) {
        const Grid rod{n, 1, 1};
        const Words initial = rod.fill([&](int x, int, int) { return x < kept || x >= n - kept ? line(x) : 0; });
        Words two(n), four(n);
        steady_arguments a{};
        a.nx = n, a.steps = steps;
        a.r2 = factor(laplacians[0], ratio), a.r4 = factor(laplacians[1], ratio);
        a.T2 = a.T4 = initial.data(), a.T2_out = two.data(), a.T4_out = four.data();
        ASSERT_EQ(steady_compute(&a, nullptr, nullptr, nullptr), 0);
        const Words& found = kept == 1 ? two : four;
        const Laplacian& l = laplacians[static_cast<std::size_t>(kept - 1)];
        const double slowest = ratio * (2 - 2 * std::cos(pi / (n - 2 * kept + 1)));
        const double bound = hottest * step_error(l, ratio / l.denominator, 1) / slowest;
        double squares = 0;
        for (int i = 0; i < n; ++i) squares += std::pow(found[static_cast<std::size_t>(i)] - line(i), 2);
        EXPECT_LE(std::sqrt(squares / n), bound) << "order " << l.order;
        EXPECT_LT(bound, 0.01);
        EXPECT_LT(hottest * std::pow(1 - slowest, steps), 0.1 * bound) << "not yet steady";
    }
}

}  // namespace
}  // namespace kasc::exact
