// The CPU walks a grid in tiles; a cell's words do not depend on where it lies in one. One step of examples/heat3d.kas
// on a whole grid against the same step on small pieces cut out of it, to the bit.
#include <gtest/gtest.h>

#include "exact/modes.hpp"
#include "heat3d.h"

namespace kasc::exact {
namespace {

struct Block {
    Grid grid;
    Words T, beta, q;

    static float noise(unsigned x, unsigned y, unsigned z, unsigned salt) {
        unsigned h = x * 2654435761U + y * 2246822519U + z * 3266489917U + salt;
        h = (h ^ h >> 15) * 2654435761U;
        return static_cast<float>(h >> 8) * 0x1p-24F;
    }
    /// Cells [x0, x0 + nx) × [y0, y0 + ny) of one and the same material.
    Block(const Grid& grid_, int x0, int y0) : grid(grid_) {
        const auto draw = [&](unsigned salt) {
            return grid.fill([&](int x, int y, int z) {
                return noise(static_cast<unsigned>(x0 + x), static_cast<unsigned>(y0 + y), static_cast<unsigned>(z),
                             salt);
            });
        };
        T = draw(1), beta = draw(2), q = draw(3);
    }
    [[nodiscard]] Words step() const {
        const float on = 0.7F;
        Words out(grid.cells());
        heat3d_arguments a{};
        set_extents(a, grid);
        a.nt = a.steps = 1, a.dt = 0.125F, a.dx = 2;
        a.T = T.data(), a.beta = beta.data(), a.q = q.data(), a.on = &on, a.T_out = out.data();
        EXPECT_EQ(heat3d_compute(&a, nullptr, nullptr, nullptr), 0);
        return out;
    }
};

/// Pieces overlap by the four cells that a piece keeps at its rims, so that every cell inside the grid is met.
void expect_equal_to_its_pieces(const Grid& grid) {
    const Words whole = Block(grid, 0, 0).step();
    const int wide = std::min(grid.nx, 12), high = std::min(grid.ny, 12);
    long long compared = 0;
    for (int y0 = 0; y0 + high <= grid.ny; y0 += high - 4) {
        for (int x0 = 0; x0 + wide <= grid.nx; x0 += std::max(1, wide - 4)) {
            const Grid piece{wide, high, grid.nz};
            const Words part = Block(piece, x0, y0).step();
            for (int z = 2; z < grid.nz - 2; ++z) {
                for (int y = 2; y < high - 2; ++y) {
                    for (int x = 2; x < wide - 2; ++x, ++compared) {
                        const std::size_t of_whole =
                            static_cast<std::size_t>(x0 + x) +
                            static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(y0 + y + grid.ny * z);
                        const std::size_t of_part =
                            static_cast<std::size_t>(x) +
                            static_cast<std::size_t>(wide) * static_cast<std::size_t>(y + high * z);
                        ASSERT_EQ(whole[of_whole], part[of_part]) << x0 + x << ", " << y0 + y << ", " << z;
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 0.99 * (grid.nx - 4) * (grid.ny - 4) * (grid.nz - 4)) << "cells that lie in no piece";
}

// Tiles of 16 rows of 1024 cells: two pieces of a row and three tiles; then rows so short that a tile has 3276 of them.
TEST(Tiles, OfLongRows) { expect_equal_to_its_pieces({1036, 44, 7}); }
TEST(Tiles, OfShortRows) { expect_equal_to_its_pieces({5, 7000, 6}); }

}  // namespace
}  // namespace kasc::exact
