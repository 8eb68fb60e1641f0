// A mode of the grid is multiplied by 1 + ratio · Λ a step, Λ the stencil's own eigenvalue: what differs after n steps
// is rounding. The steps are symmetric matrices with eigenvalues in [-1, 1], so that no error grows in the root mean
// square: n steps add at most n errors of one step, and the rounding of the initial values.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exact/modes.hpp"
#include "mirror_1d.h"
#include "mirror_2d.h"
#include "mirror_3d.h"
#include "periodic_1d.h"
#include "periodic_2d.h"
#include "periodic_3d.h"
#include "value_1d.h"
#include "value_2d.h"
#include "value_3d.h"

namespace kasc::exact {
namespace {

using std::numbers::pi;

/// cos or sin of angle · (i + shift), along each axis that the grid has.
struct Mode {
    enum class Shape { cosine, sine } shape;
    std::array<double, 3> angle;
    double shift;

    [[nodiscard]] double along(int axis, int i) const {
        const double phase = angle[static_cast<std::size_t>(axis)] * (i + shift);
        return shape == Shape::cosine ? std::cos(phase) : std::sin(phase);
    }
    [[nodiscard]] double at(int axes, int x, int y, int z) const {
        return along(0, x) * (axes > 1 ? along(1, y) : 1) * (axes > 2 ? along(2, z) : 1);
    }
};

template <class Arguments>
void expect_decay(Compute<Arguments> compute, const Grid& grid, const Mode& mode) {
    constexpr int steps = 25;
    const int axes = grid.nz > 1 ? 3 : grid.ny > 1 ? 2 : 1;
    const double ratio = 0.2 / axes;  // stable for all orders: 2 / 6.5 along one axis
    const Words initial = grid.fill([&](int x, int y, int z) { return mode.at(axes, x, y, z); });
    const std::vector<Words> out = advance(compute, grid, ratio, steps, initial);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const Laplacian& l = laplacians[k];
        double eigenvalue = 0;
        for (int a = 0; a < axes; ++a) eigenvalue += l.symbol(mode.angle[static_cast<std::size_t>(a)]);
        const double once = 1 + static_cast<double>(factor(l, ratio)) * eigenvalue;
        ASSERT_GT(once, 0.3);
        ASSERT_LT(once, 0.97) << "a mode that hardly decays shows nothing";
        const double decay = std::pow(once, steps);
        const Words exact = grid.fill([&](int, int, int) { return 0; });
        double squares = 0;
        std::size_t i = 0;
        for (int z = 0; z < grid.nz; ++z) {
            for (int y = 0; y < grid.ny; ++y) {
                for (int x = 0; x < grid.nx; ++x, ++i) {
                    const double error = out[k][i] - decay * mode.at(axes, x, y, z);
                    squares += error * error;
                }
            }
        }
        const double error = std::sqrt(squares / static_cast<double>(grid.cells()));
        const double bound = unit_roundoff + steps * step_error(l, ratio / l.denominator, axes);
        EXPECT_LE(error, bound) << "order " << l.order << ", " << axes << " axes, factor " << once;
        // The next eigenvalue, or a weight that is wrong in its third digit, is further away than rounding.
        EXPECT_LT(bound, 0.01 * decay) << "a bound that says nothing";
    }
}

// Waves along different axes differ, as do extents: an axis taken for another shows.

TEST(Eigenmodes, Periodic) {
    const auto mode = [](const Grid& g) {
        return Mode{Mode::Shape::cosine, {2 * pi * 3 / g.nx, 2 * pi * 2 / g.ny, 2 * pi * 1 / g.nz}, 0.3};
    };
    const Grid line{24, 1, 1}, plane{20, 18, 1}, block{15, 13, 11};
    expect_decay<periodic_1d_arguments>(periodic_1d_compute, line, mode(line));
    expect_decay<periodic_2d_arguments>(periodic_2d_compute, plane, mode(plane));
    expect_decay<periodic_3d_arguments>(periodic_3d_compute, block, mode(block));
}

/// Cosines that are even about the outer face of the edge cell.
TEST(Eigenmodes, InsulatingWalls) {
    const auto mode = [](const Grid& g) {
        return Mode{Mode::Shape::cosine, {pi * 4 / g.nx, pi * 3 / g.ny, pi * 2 / g.nz}, 0.5};
    };
    const Grid line{24, 1, 1}, plane{20, 15, 1}, block{14, 12, 9};
    expect_decay<mirror_1d_arguments>(mirror_1d_compute, line, mode(line));
    expect_decay<mirror_2d_arguments>(mirror_2d_compute, plane, mode(plane));
    expect_decay<mirror_3d_arguments>(mirror_3d_compute, block, mode(block));
}

/// Sines that vanish one cell beyond the edge.
TEST(Eigenmodes, ColdWalls) {
    const auto mode = [](const Grid& g) {
        return Mode{Mode::Shape::sine, {pi * 4 / (g.nx + 1), pi * 3 / (g.ny + 1), pi * 2 / (g.nz + 1)}, 1};
    };
    const Grid line{24, 1, 1}, plane{20, 15, 1}, block{14, 12, 9};
    expect_decay<value_1d_arguments>(value_1d_compute, line, mode(line));
    expect_decay<value_2d_arguments>(value_2d_compute, plane, mode(plane));
    expect_decay<value_3d_arguments>(value_3d_compute, block, mode(block));
}

/// Cold walls for any order: odd about the walls on a ring of twice the length. u[-i] = -u[i] to the bit, so that the
/// terms of a wall's cell cancel to the bit too.
TEST(Eigenmodes, AnOddFieldStaysZeroAtItsWalls) {
    constexpr int n = 16, steps = 40;
    const Grid ring{2 * n, 1, 1};
    Words initial(2 * n, 0.0F);
    for (int i = 1; i < n; ++i) {
        const double u = std::sin(pi * 3 * i / n) + 0.5 * std::sin(pi * i / n);
        initial[static_cast<std::size_t>(i)] = static_cast<float>(u);
        initial[static_cast<std::size_t>(2 * n - i)] = -static_cast<float>(u);
    }
    for (const Words& out : advance<periodic_1d_arguments>(periodic_1d_compute, ring, 0.2, steps, initial)) {
        EXPECT_EQ(out[0], 0.0F);
        EXPECT_EQ(out[n], 0.0F);
        for (int i = 1; i < n; ++i)
            EXPECT_EQ(out[static_cast<std::size_t>(i)], -out[static_cast<std::size_t>(2 * n - i)]);
        EXPECT_GT(out[n / 2], 0.1F) << "all gone";
    }
}

}  // namespace
}  // namespace kasc::exact
