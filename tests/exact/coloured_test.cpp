// Updates in place by colours against loops written here: one array, one colour after the other, cell by cell.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "coloured_2d.h"
#include "coloured_3d.h"
#include "exact/modes.hpp"

namespace kasc::exact {
namespace {

enum class Wall { keep, value, mirror };
struct Face {
    Wall wall;
    int layers = 0;   ///< keep
    float value = 0;  ///< value
};

/// Reads and in-place updates of one array, each face with a boundary of its own.
struct InPlace {
    Grid grid;
    std::array<std::array<Face, 2>, 3> faces;  ///< by axis: low, high
    Words words;

    [[nodiscard]] std::size_t index(const std::array<int, 3>& at) const {
        return static_cast<std::size_t>(at[0]) +
               static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(at[1] + grid.ny * at[2]);
    }
    [[nodiscard]] float read(std::array<int, 3> at, std::size_t axis, int offset) const {
        const int n = std::array{grid.nx, grid.ny, grid.nz}[axis];
        int& i = at[axis];
        i += offset;
        if (i < 0 || i >= n) {
            const Face& face = faces[axis][i < 0 ? 0 : 1];
            if (face.wall == Wall::value) return face.value;
            if (face.wall == Wall::mirror) i = i < 0 ? -1 - i : 2 * n - 1 - i;
            i = std::min(std::max(i, 0), n - 1);
        }
        return words[index(at)];
    }
    [[nodiscard]] bool kept(const std::array<int, 3>& at) const {
        const std::array<int, 3> n{grid.nx, grid.ny, grid.nz};
        for (std::size_t a = 0; a < 3; ++a) {
            if (at[a] < faces[a][0].layers || at[a] >= n[a] - faces[a][1].layers) return true;
        }
        return false;
    }
    /// value(at): what the cell becomes.
    template <class Value>
    void update(int colours, Value value) {
        for (int colour = 0; colour < colours; ++colour) {
            for (int z = 0; z < grid.nz; ++z) {
                for (int y = 0; y < grid.ny; ++y) {
                    for (int x = 0; x < grid.nx; ++x) {
                        const std::array<int, 3> at{x, y, z};
                        if ((x + y + z) % colours == colour && !kept(at)) words[index(at)] = value(at);
                    }
                }
            }
        }
    }
};

float noise(int x, int y, int z) { return static_cast<float>((x * 7 + y * 13 + z * 29) % 17) / 16 - 0.3F; }

/// Fewer cells than a stencil, rows of whole and partial vectors, rows that end within a block.
const std::vector<Grid> grids{{1, 1, 1}, {2, 3, 1},  {3, 2, 5},   {5, 1, 7},   {7, 7, 7},
                              {8, 5, 3}, {9, 6, 11}, {13, 15, 5}, {33, 17, 9}, {67, 5, 4}};

/// `a * b + c` of a statement is one fmaf, all else rounds one by one in the order written: every word is known.
TEST(Coloured, RedAndBlackInTwoDimensionsToTheBit) {
    for (const Grid& solid : grids) {
        const Grid grid{solid.nx, solid.ny * solid.nz, 1};
        constexpr float w = 0.4F;
        const Words initial = grid.fill(noise);
        constexpr Face cold{Wall::value, 0, 0};
        InPlace u{grid, {{{cold, cold}, {cold, cold}, {}}}, initial};
        for (int sweep = 0; sweep < 5; ++sweep) {
            u.update(2, [&](const std::array<int, 3>& at) {
                const float self = u.read(at, 0, 0);
                const float sum = u.read(at, 0, -1) + u.read(at, 0, 1) + u.read(at, 1, -1) + u.read(at, 1, 1);
                return std::fma(w, std::fma(-4.0F, self, sum), self);
            });
        }
        Words found(grid.cells());
        coloured_2d_arguments a{};
        set_extents(a, grid);
        a.w = w, a.sweeps = 5, a.u = initial.data(), a.u_out = found.data();
        ASSERT_EQ(coloured_2d_compute(&a, nullptr, nullptr, nullptr), 0);
        EXPECT_EQ(found, u.words) << grid.nx << " x " << grid.ny;
    }
}

TEST(Coloured, TwoAndThreeColoursInThreeDimensionsToTheBit) {
    for (const Grid& grid : grids) {
        const Words initial = grid.fill([](int x, int y, int z) { return 1 + noise(x, y, z); });
        const Words beta = grid.fill([](int x, int y, int z) { return 0.05F + 0.01F * noise(z, x, y); });
        const Words q = grid.fill([](int x, int y, int z) { return noise(y, z, x); });
        InPlace T{grid,
                  {{{{{Wall::mirror}, {Wall::keep, 1}}},
                    {{{Wall::value, 0, 2}, {Wall::mirror}}},
                    {{{Wall::keep, 1}, {Wall::value, 0, -0.5F}}}}},
                  initial};
        InPlace U{grid,
                  {{{{{Wall::keep, 2}, {Wall::mirror}}},
                    {{{Wall::mirror}, {Wall::mirror}}},
                    {{{Wall::value, 0, 1.5F}, {Wall::keep, 1}}}}},
                  initial};
        for (int step = 0; step < 3; ++step) {
            T.update(2, [&](const std::array<int, 3>& at) {
                const float self = T.read(at, 0, 0);
                const float sum = T.read(at, 0, -1) + T.read(at, 0, 1) + T.read(at, 1, -1) + T.read(at, 1, 1) +
                                  T.read(at, 2, -1) + T.read(at, 2, 1);
                return std::fma(beta[T.index(at)], std::fma(-6.0F, self, sum), self) + q[T.index(at)];
            });
            U.update(3, [&](const std::array<int, 3>& at) {
                const float self = U.read(at, 0, 0);
                const auto second = [&](std::size_t axis) {
                    const float near = U.read(at, axis, -1) + U.read(at, axis, 1);
                    const float far = U.read(at, axis, -2) + U.read(at, axis, 2);
                    return std::fma(-30.0F, self, std::fma(16.0F, near, -far));
                };
                return std::fma(beta[U.index(at)], second(0) + second(1) + second(2), self);
            });
        }
        Words found_T(grid.cells()), found_U(grid.cells());
        coloured_3d_arguments a{};
        set_extents(a, grid);
        a.steps = 3, a.T = a.U = initial.data(), a.beta = beta.data(), a.q = q.data();
        a.T_out = found_T.data(), a.U_out = found_U.data();
        ASSERT_EQ(coloured_3d_compute(&a, nullptr, nullptr, nullptr), 0);
        EXPECT_EQ(found_T, T.words) << grid.nx << " x " << grid.ny << " x " << grid.nz;
        EXPECT_EQ(found_U, U.words) << grid.nx << " x " << grid.ny << " x " << grid.nz;
    }
}

/// Each cell becomes the mean of its neighbours (w = 1/4). A mode v that this multiplies by μ where all cells change at
/// once: red cells become μ v, black ones, which see them, μ² v; after k sweeps μ^(2k - 1) v and μ^(2k) v
/// (D. M. Young, Iterative Solution of Large Linear Systems, 1971). A mean is no larger than the largest of its cells,
/// so no error grows: an update adds the roundings of three sums of up to 4, of the difference of up to 8, a quarter
/// each, and of the last sum, up to 1.
TEST(Coloured, AModeDecaysTwiceAsFastAsAllAtOnce) {
    const Grid grid{21, 14, 1};
    constexpr int sweeps = 12;
    constexpr double pi = std::numbers::pi;
    const double along_x = pi * 3 / (grid.nx + 1), along_y = pi * 2 / (grid.ny + 1);
    const auto mode = [&](int x, int y) { return std::sin(along_x * (x + 1)) * std::sin(along_y * (y + 1)); };
    const Words initial = grid.fill([&](int x, int y, int) { return mode(x, y); });
    Words found(grid.cells());
    coloured_2d_arguments a{};
    set_extents(a, grid);
    a.w = 0.25F, a.sweeps = sweeps, a.u = initial.data(), a.u_out = found.data();
    ASSERT_EQ(coloured_2d_compute(&a, nullptr, nullptr, nullptr), 0);
    const double mu = (std::cos(along_x) + std::cos(along_y)) / 2;
    const double bound = unit_roundoff * (1 + 2 * sweeps * (3 * 4 / 4.0 + 8 / 4.0 + 1));
    std::size_t i = 0;
    for (int y = 0; y < grid.ny; ++y) {
        for (int x = 0; x < grid.nx; ++x, ++i) {
            const int halves = (x + y) % 2 == 0 ? 2 * sweeps - 1 : 2 * sweeps;
            EXPECT_NEAR(found[i], std::pow(mu, halves) * mode(x, y), bound) << x << ", " << y;
        }
    }
    EXPECT_LT(bound, 1e-3 * std::pow(mu, 2 * sweeps)) << "a bound that says nothing";
}

}  // namespace
}  // namespace kasc::exact
