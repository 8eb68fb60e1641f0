// What the equations keep: the energy of a body between insulating walls, the temperature of the blood.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conservation.h"
#include "exact/modes.hpp"
#include "perfusion.h"

namespace kasc::exact {
namespace {

/// Two materials with a border across the grid, a warm spot in one of them, a source in the other.
struct Body {
    Grid grid{23, 17, 1};
    float dt = 0.05F;
    int steps = 200;
    Words T = grid.fill(
        [](int x, int y, int) { return 37 + 20 * std::exp(-0.05 * ((x - 6) * (x - 6) + (y - 5) * (y - 5))); });
    Words k = grid.fill([](int x, int y, int) { return 2 * x + y < 30 ? 2.5 : 0.4; });
    Words rc = grid.fill([](int x, int y, int) { return 2 * x + y < 30 ? 1.5 : 4; });
    Words q = grid.fill([](int x, int, int) { return x == 16 ? 3.25 : 0; });

    [[nodiscard]] double energy(const Words& temperature) const {
        double sum = 0;
        for (std::size_t i = 0; i < grid.cells(); ++i) sum += static_cast<double>(rc[i]) * temperature[i];
        return sum;
    }
    [[nodiscard]] double added() const {
        double sum = 0;
        for (const float v : q) sum += static_cast<double>(dt) * v;
        return sum * steps;
    }
    struct End {
        Words T, U, D, E;
    };
    [[nodiscard]] End run() const {
        const Words none(grid.cells());
        End end{none, none, none, none};
        conservation_arguments a{};
        set_extents(a, grid);
        a.dt = dt, a.steps = steps;
        a.T = a.U = a.D = a.E = T.data(), a.k = k.data(), a.rc = rc.data(), a.q = q.data();
        a.T_out = end.T.data(), a.U_out = end.U.data(), a.D_out = end.D.data(), a.E_out = end.E.data();
        EXPECT_EQ(conservation_compute(&a, nullptr, nullptr, nullptr), 0);
        return end;
    }
    /// What flows over a face cancels in the sum but for rounding. A step errs in a cell by the rounding of T' and by
    /// some roundings of the sum of its fluxes and the source, times dt, divided by rc: times rc,
    /// u (rc |T'| + roundings dt (fluxes + q)). `fluxes`: how large their sum may be, in units of one, which is at most
    /// the largest k times the range of T at the start and what the source adds to it.
    [[nodiscard]] double bound(double fluxes, int roundings) const {
        double source = 0, cells = 0;
        for (std::size_t i = 0; i < grid.cells(); ++i) source = std::max(source, static_cast<double>(q[i] / rc[i]));
        const auto [least, most] = std::minmax_element(T.begin(), T.end());
        const double hottest = *most + source * dt * steps;
        const double flux = *std::max_element(k.begin(), k.end()) * (hottest - *least);
        for (std::size_t i = 0; i < grid.cells(); ++i)
            cells += rc[i] * hottest + roundings * static_cast<double>(dt) * (fluxes * flux + q[i]);
        return steps * unit_roundoff * cells;
    }
    /// The bound of T: its four fluxes are one word for both cells (fused code computes it twice, alike), six roundings
    /// follow.
    [[nodiscard]] double bound() const { return bound(4, 6); }
};

TEST(Balance, DivergenceFormKeepsTheEnergyAndTheOtherDoesNot) {
    const Body body;
    const Body::End end = body.run();
    const double before = body.energy(body.T), bound = body.bound();
    EXPECT_NEAR(body.energy(end.T) - before, body.added(), bound);
    EXPECT_LT(bound, 1e-3 * before) << "a bound that says nothing";
    EXPECT_GT(body.added(), 10 * bound) << "a source that does not show";
    EXPECT_GT(std::abs(body.energy(end.U) - before - body.added()), 10 * bound);
    EXPECT_GT(std::abs(end.T[0] - body.T[0]), 1) << "nothing has flown";
}

/// At order 2: as T, but a cell contracts the product of one of its two fluxes along an axis into their difference, so
/// that the cells of a face differ by its rounding, and the sum over the axes rounds. At order 4: with `range` the
/// largest difference of temperature, the gradient's sum is at most 28 range, k at a face 20/16 k, a sum along an axis
/// 56 fluxes, all divided by 576: two axes make 6.8 k range. Roundings: two of k, three of the gradient, the product,
/// three of the sum along an axis, one over the axes, the factor, and five as above.
TEST(Balance, TheLibrarysDivergencesKeepTheEnergy) {
    const Body body;
    const Body::End end = body.run();
    const double before = body.energy(body.T), second = body.bound(4, 8), fourth = body.bound(6.8, 16);
    EXPECT_NEAR(body.energy(end.D) - before, body.added(), second);
    EXPECT_NEAR(body.energy(end.E) - before, body.added(), fourth);
    EXPECT_LT(fourth, 1e-2 * before) << "a bound that says nothing";
    EXPECT_GT(body.added(), 10 * second) << "a source that does not show";
}

/// With one material both forms keep it: it is the varying k that makes the difference.
TEST(Balance, OneMaterialKeepsTheEnergyInBothForms) {
    Body body;
    std::fill(body.k.begin(), body.k.end(), 1.25F);
    std::fill(body.rc.begin(), body.rc.end(), 2.0F);
    const Body::End end = body.run();
    // U sums five temperatures of up to 60 before they cancel: four roundings of up to 8 times that, times k and dt.
    const double more = body.steps * unit_roundoff * static_cast<double>(body.grid.cells()) * 0.05 * 1.25 * 4 * 8 * 60;
    EXPECT_NEAR(body.energy(end.T) - body.energy(body.T), body.added(), body.bound());
    EXPECT_NEAR(body.energy(end.U) - body.energy(body.T), body.added(), body.bound() + more);
}

/// Without conduction a cell's distance from the blood's temperature is multiplied by 1 - perf a step. A step rounds
/// the sum (of size |T|), the difference and, where it is not contracted, the product; what was there shrinks.
TEST(Balance, PerfusionRelaxesToTheBloodByTheExactFactor) {
    const Grid grid{16, 5, 1};
    constexpr float blood = 37.5F;
    const Words none = grid.fill([](int, int, int) { return 0; });
    const Words perf = grid.fill([](int x, int y, int) { return 0.001 + 0.01 * x + 0.002 * y; });
    const Words T = grid.fill([](int x, int y, int) { return 20 + 2 * x + y; });
    for (const int steps : {1, 10, 150, 20000}) {
        Words out(grid.cells());
        perfusion_arguments a{};
        set_extents(a, grid);
        a.blood = blood, a.steps = steps, a.T = T.data(), a.beta = none.data(), a.perf = perf.data();
        a.T_out = out.data();
        ASSERT_EQ(perfusion_compute(&a, nullptr, nullptr, nullptr), 0);
        for (std::size_t i = 0; i < grid.cells(); ++i) {
            const double distance = static_cast<double>(T[i]) - blood, w = perf[i];
            const double exact = blood + distance * std::pow(1 - w, steps);
            const double once = unit_roundoff * (std::max<double>(T[i], blood) + 2 * w * std::abs(distance));
            // Errors of all steps, each shrunk since: a geometric series.
            const double bound = once * std::min<double>(steps, 1 / w);
            EXPECT_NEAR(out[i], exact, bound) << "cell " << i << ", " << steps << " steps";
        }
    }
}

/// Uniform tissue stays uniform, conduction or not: the same word in each cell.
TEST(Balance, ConductionLeavesUniformTissueUniform) {
    const Grid grid{9, 8, 1};
    const Words beta = grid.fill([](int x, int y, int) { return 0.02 * (1 + (x + y) % 3); });
    const Words perf = grid.fill([](int, int, int) { return 0.05; });
    const Words T = grid.fill([](int, int, int) { return 41.3; });
    Words out(grid.cells());
    perfusion_arguments a{};
    set_extents(a, grid);
    a.blood = 37, a.steps = 30, a.T = T.data(), a.beta = beta.data(), a.perf = perf.data(), a.T_out = out.data();
    ASSERT_EQ(perfusion_compute(&a, nullptr, nullptr, nullptr), 0);
    for (const float v : out) EXPECT_EQ(v, out[0]);
    EXPECT_NEAR(out[0], 37 + 4.3 * std::pow(0.95, 30), 42 * unit_roundoff * 20 * 3);
}

}  // namespace
}  // namespace kasc::exact
