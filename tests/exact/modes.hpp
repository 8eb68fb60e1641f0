#pragma once
// Runs the programs that advance one field a Laplacian (programs/periodic_1d.kas and those beside it).

#include <gtest/gtest.h>

#include <vector>

#include "exact/laplacian.hpp"

namespace kasc::exact {

using Words = std::vector<float>;

/// Up to three axes, the first contiguous.
struct Grid {
    int nx = 1, ny = 1, nz = 1;
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(nx) * ny * nz; }

    template <class Real = float, class Value>
    [[nodiscard]] std::vector<Real> fill(Value value) const {
        std::vector<Real> words;
        words.reserve(cells());
        for (int z = 0; z < nz; ++z) {
            for (int y = 0; y < ny; ++y) {
                for (int x = 0; x < nx; ++x) words.push_back(static_cast<Real>(value(x, y, z)));
            }
        }
        return words;
    }
};

template <class Arguments>
using Compute = int (*)(const Arguments*, int (*)(void*, long long, long long), void*, double*);

template <class Arguments>
void set_extents(Arguments& a, const Grid& grid) {
    a.nx = grid.nx;
    if constexpr (requires { a.ny; }) a.ny = grid.ny;
    if constexpr (requires { a.nz; }) a.nz = grid.nz;
}

/// The factor before the sum, as the program has it: rounded to float.
inline float factor(const Laplacian& l, double ratio) { return static_cast<float>(ratio / l.denominator); }

/// After `steps` steps T' = T + ratio · Laplacian, one field a Laplacian that the program has.
template <class Arguments>
std::vector<Words> advance(Compute<Arguments> compute, const Grid& grid, double ratio, int steps,
                           const Words& initial) {
    std::vector<Words> out(1, Words(grid.cells()));
    Arguments a{};
    set_extents(a, grid);
    a.steps = steps;
    a.r2 = factor(laplacians[0], ratio), a.T2 = initial.data();
    if constexpr (requires { a.T8; }) {
        a.r4 = factor(laplacians[1], ratio), a.T4 = initial.data();
        a.r6 = factor(laplacians[2], ratio), a.T6 = initial.data();
        a.r8 = factor(laplacians[3], ratio), a.T8 = initial.data();
        out.resize(4, out[0]);
        a.T4_out = out[1].data(), a.T6_out = out[2].data(), a.T8_out = out[3].data();
    }
    a.T2_out = out[0].data();
    EXPECT_EQ(compute(&a, nullptr, nullptr, nullptr), 0);
    return out;
}

}  // namespace kasc::exact
