// Programs that are written with procedures, lists of names and tables of constants compute what their methods promise.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alternating_directions.h"
#include "exact/modes.hpp"
#include "lattice_tables.h"
#include "maxwell.h"
#include "multigrid.h"
#include "runge_kutta.h"

namespace kasc::exact {
namespace {

TEST(Procedures, AreTheStagesOfRungeAndKutta) {
    // Without v, u' = feed (1 - u): a step multiplies 1 - u by the Taylor polynomial of fourth degree.
    const Grid grid{9, 7, 1};
    const Words u = grid.fill([](int, int, int) { return 0.25; }), v(grid.cells());
    Words u_out(grid.cells()), v_out(grid.cells());
    float mass = 0;
    runge_kutta_arguments a{};
    set_extents(a, grid);
    a.dt = 0.5F, a.feed = 0.5F, a.kill = 0.06F, a.steps = 10;
    a.u = u.data(), a.v = v.data(), a.u_out = u_out.data(), a.v_out = v_out.data(), a.mass = &mass;
    ASSERT_EQ(runge_kutta_compute(&a, nullptr, nullptr, nullptr), 0);
    const double h = 0.25, factor = 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
    const double expected = 1 - 0.75 * std::pow(factor, 10);
    // A hundred roundings of numbers below 1, each of 6e-8, where no step makes errors larger.
    for (const float word : u_out) EXPECT_NEAR(word, expected, 6e-6);
    for (const float word : v_out) EXPECT_EQ(word, 0);
    EXPECT_NEAR(mass, expected * static_cast<double>(grid.cells()), 1e-3);
}

TEST(Procedures, AreTheLevelsOfACycle) {
    const Grid grid{32, 32, 1};
    const Words b = grid.fill([](int x, int y, int) { return std::sin(0.7 * x) + (x == 9 && y == 20 ? 4 : 0); });
    double before = 0;
    for (const float word : b) before += static_cast<double>(word) * word;
    before = std::sqrt(before);
    const auto residual = [&](int steps) {
        Words u(grid.cells());
        float left = 0;
        multigrid_arguments a{};
        set_extents(a, grid);
        a.nX = a.nY = 16, a.nU = a.nV = 8, a.steps = steps;
        a.b = b.data(), a.u = u.data(), a.residual = &left;
        EXPECT_EQ(multigrid_compute(&a, nullptr, nullptr, nullptr), 0);
        return static_cast<double>(left);
    };
    // 36 sweeps of the fine grid alone leave its long waves; a cycle of four takes more than half of all.
    EXPECT_LT(residual(3), before / 8);
    EXPECT_LT(residual(9), before / 512);
}

TEST(Tables, AreWeightsAndVelocitiesOfALattice) {
    const Grid grid{24, 16, 1};
    Words f(9 * grid.cells()), rho(grid.cells());
    float mass = 0;
    lattice_tables_arguments a{};
    set_extents(a, grid);
    a.nq = 9, a.nd = 2, a.omega = 1.2F, a.steps = 40;
    a.f = f.data(), a.rho = rho.data(), a.mass = &mass;
    ASSERT_EQ(lattice_tables_compute(&a, nullptr, nullptr, nullptr), 0);
    EXPECT_NEAR(mass, 24 * 16 + 0.25, 1e-2);
    // The pulse at (7, 5) spreads alike to all sides of a grid that has no end.
    const auto at = [&](int x, int y) { return rho[static_cast<std::size_t>((x + 24) % 24 + 24 * ((y + 16) % 16))]; };
    for (int k = 0; k < 8; ++k) {
        EXPECT_NEAR(at(7 + k, 5 + 2), at(7 - k, 5 + 2), 1e-5);
        EXPECT_NEAR(at(7 + 3, 5 + k), at(7 + 3, 5 - k), 1e-5);
    }
    EXPECT_GT(std::abs(at(7, 5) - at(1, 12)), 1e-5);
}

TEST(Lists, AreTheAxesOfACurl) {
    const Grid grid{12, 10, 9};
    const auto wave = [&](int axis) {
        return grid.fill([&](int x, int y, int z) { return std::sin(0.3 * x + 0.5 * y * axis) * std::cos(0.4 * z); });
    };
    const Words E_x = wave(0), E_y = wave(1), E_z = wave(2), none(grid.cells());
    Words out[6];
    for (Words& words : out) words = none;
    Words energy(40);
    maxwell_arguments a{};
    set_extents(a, grid);
    a.nt = a.steps = 40, a.dx = a.dy = a.dz = 1, a.dt = 0.4F;
    a.E_x = E_x.data(), a.E_y = E_y.data(), a.E_z = E_z.data();
    a.H_x = a.H_y = a.H_z = none.data();
    a.E_x_out = out[0].data(), a.E_y_out = out[1].data(), a.E_z_out = out[2].data();
    a.H_x_out = out[3].data(), a.H_y_out = out[4].data(), a.H_z_out = out[5].data();
    a.energy = energy.data();
    ASSERT_EQ(maxwell_compute(&a, nullptr, nullptr, nullptr), 0);
    // A curl has no divergence, but for rounding.
    const auto i = [&](int x, int y, int z) { return static_cast<std::size_t>(x + 12 * (y + 10 * z)); };
    double largest = 0;
    for (int z = 0; z + 1 < 9; ++z)
        for (int y = 0; y + 1 < 10; ++y)
            for (int x = 0; x + 1 < 12; ++x) {
                const double divergence = out[3][i(x + 1, y, z)] - out[3][i(x, y, z)] + out[4][i(x, y + 1, z)] -
                                          out[4][i(x, y, z)] + out[5][i(x, y, z + 1)] - out[5][i(x, y, z)];
                largest = std::max(largest, std::abs(divergence));
            }
    EXPECT_LT(largest, 1e-5);
    // Between conductors energy stays: as it is told, of E and H half a step apart, it swings about its mean.
    for (const float e : energy) EXPECT_NEAR(e / energy[0], 1, 0.5);
    EXPECT_GT(std::abs(out[3][i(5, 5, 4)]), 1e-3);
}

TEST(Procedures, SolveAlongTheAxisThatTheyAreGiven) {
    // Between insulating walls cosines are modes: a step multiplies them by what Peaceman and Rachford's method has.
    const Grid grid{20, 14, 1};
    const double along_x = std::numbers::pi * 3 / 20, along_y = std::numbers::pi * 2 / 14;
    const Words T =
        grid.fill([&](int x, int y, int) { return std::cos(along_x * (x + 0.5)) * std::cos(along_y * (y + 0.5)); });
    Words out(grid.cells());
    alternating_directions_arguments a{};
    set_extents(a, grid);
    a.r = 0.8F, a.first = -0.4F / 1.4F, a.steps = 5, a.T = T.data(), a.T_out = out.data();
    ASSERT_EQ(alternating_directions_compute(&a, nullptr, nullptr, nullptr), 0);
    const double r = 0.8F, x = r * (1 - std::cos(along_x)), y = r * (1 - std::cos(along_y));
    const double factor = std::pow((1 - x) * (1 - y) / ((1 + x) * (1 + y)), 5);
    for (std::size_t k = 0; k < grid.cells(); ++k) EXPECT_NEAR(out[k], factor * T[k], 1e-5);
}

}  // namespace
}  // namespace kasc::exact
