// Reductions against loops in double, on random data of sizes that no part and no lane divides; and what heat keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "exact/modes.hpp"
#include "reductions.h"

namespace kasc::exact {
namespace {

/// What the program makes of one set of inputs.
struct Reduced {
    std::size_t nx, ny, nz;
    int steps = 1;
    Words u, T, heat, hottest, over_y, over_z, over_xy, over_yz, over_xz;
    std::vector<int> k;
    std::vector<double> over_x;
    float total = 0, most = 0, clear = 0;
    double squares = 0;
    int count = 0, least = 0;

    Reduced(std::size_t x, std::size_t y, std::size_t z) : nx(x), ny(y), nz(z) {
        std::mt19937 random(static_cast<unsigned>(x + 100 * y + 10000 * z));
        std::normal_distribution<float> normal(0.25F, 1);
        for (std::size_t i = 0; i < nx * ny * nz; ++i) {
            u.push_back(normal(random));
            k.push_back(static_cast<int>(random() % 11) - 5);
        }
        for (std::size_t i = 0; i < nx * ny; ++i) T.push_back(37 + normal(random));
    }
    void run() {
        heat.resize(static_cast<std::size_t>(steps));
        hottest = heat;
        over_x.resize(ny * nz), over_y.resize(nx * nz), over_z.resize(nx * ny);
        over_xy.resize(nz), over_yz.resize(nx), over_xz.resize(ny);
        reductions_arguments a{};
        a.nx = static_cast<long long>(nx), a.ny = static_cast<long long>(ny), a.nz = static_cast<long long>(nz);
        a.nt = steps, a.steps = steps, a.dt = 0.2F;
        a.u = u.data(), a.k = k.data(), a.T = T.data();
        a.total = &total, a.most = &most, a.clear = &clear, a.squares = &squares, a.over_x = over_x.data();
        a.over_y = over_y.data(), a.over_z = over_z.data(), a.over_xy = over_xy.data(), a.over_yz = over_yz.data();
        a.over_xz = over_xz.data(), a.count = &count, a.least = &least;
        a.heat = heat.data(), a.hottest = hottest.data();
        ASSERT_EQ(reductions_compute(&a, nullptr, nullptr, nullptr), 0);
    }
    /// f(x, y, z, cell) for all cells.
    template <class Visit>
    void each(const Visit& visit) const {
        for (std::size_t z = 0, i = 0; z < nz; ++z) {
            for (std::size_t y = 0; y < ny; ++y) {
                for (std::size_t x = 0; x < nx; ++x, ++i) visit(x, y, z, i);
            }
        }
    }
};

/// A sum of n doubles of sizes that add up to `sizes`, in any order, is off by less than n half units of that; the
/// float that it is rounded to, by a half unit of its own.
double bound(double sum, double sizes, std::size_t n) {
    return std::abs(sum) * unit_roundoff + sizes * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
}

/// One cell, rows shorter than lanes, one number more than a part has, parts of several, each axis long and short.
class Reductions : public testing::TestWithParam<std::array<std::size_t, 3>> {};

TEST_P(Reductions, EqualLoopsInDouble) {
    const auto [nx, ny, nz] = GetParam();
    Reduced r(nx, ny, nz);
    r.run();
    double sum = 0, sizes = 0, squares = 0;
    std::vector<double> over_x(ny * nz), over_y(nx * nz), over_xy(nz), over_yz(nx);
    Words over_z(nx * ny, -100), over_xz(ny, 100);
    float clear = 100;
    int count = 0;
    r.each([&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
        const float u = r.u[i];
        sum += u, sizes += std::abs(u), squares += static_cast<double>(u) * u;
        over_x[y + ny * z] += u, over_y[x + nx * z] += u, over_xy[z] += u, over_yz[x] += u;
        over_z[x + nx * y] = std::max(over_z[x + nx * y], u);
        over_xz[y] = std::min(over_xz[y], u);
        clear = std::min(clear, std::fmaf(u, u, -u));
        count += r.k[i] > 0 ? 1 : 0;
    });
    const std::size_t n = r.u.size();
    EXPECT_NEAR(r.total, sum, bound(sum, sizes, n));
    EXPECT_NEAR(r.squares, squares, squares * static_cast<double>(n) * std::numeric_limits<double>::epsilon());
    EXPECT_EQ(r.most, *std::max_element(r.u.begin(), r.u.end()));
    EXPECT_EQ(r.clear, clear);
    EXPECT_EQ(r.count, count);
    EXPECT_EQ(r.least, *std::min_element(r.k.begin(), r.k.end()));
    EXPECT_EQ(r.over_z, over_z);
    EXPECT_EQ(r.over_xz, over_xz);
    for (std::size_t i = 0; i < over_x.size(); ++i) EXPECT_NEAR(r.over_x[i], over_x[i], bound(0, sizes, nx)) << i;
    for (std::size_t i = 0; i < over_y.size(); ++i)
        EXPECT_NEAR(r.over_y[i], over_y[i], bound(over_y[i], sizes, ny)) << i;
    for (std::size_t i = 0; i < nz; ++i) EXPECT_NEAR(r.over_xy[i], over_xy[i], bound(over_xy[i], sizes, nx * ny)) << i;
    for (std::size_t i = 0; i < nx; ++i) EXPECT_NEAR(r.over_yz[i], over_yz[i], bound(over_yz[i], sizes, ny * nz)) << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, Reductions,
                         testing::Values(std::array<std::size_t, 3>{1, 1, 1}, std::array<std::size_t, 3>{3, 1, 2},
                                         std::array<std::size_t, 3>{17, 241, 1}, std::array<std::size_t, 3>{4097, 1, 1},
                                         std::array<std::size_t, 3>{1, 8193, 1}, std::array<std::size_t, 3>{2, 3, 2111},
                                         std::array<std::size_t, 3>{37, 19, 23},
                                         std::array<std::size_t, 3>{300, 70, 31}));

/// What flows over a face is the same word for both of its cells up to its sign, and no more is lost than the rounding
/// of a step in each cell: laplace2 has eight roundings of at most 8 |T|, dt of them, and the sum one.
TEST(Reductions, HeatBetweenInsulatingWallsIsKept) {
    Reduced r(90, 61, 1);
    r.steps = 50;
    r.run();
    double before = 0;
    for (const float cell : r.T) before += cell;
    for (int n = 0; n < r.steps; ++n) {
        const auto at = static_cast<std::size_t>(n);
        EXPECT_NEAR(r.heat[at], before, (n + 1) * unit_roundoff * before * (1 + 0.2 * 8 * 8) + unit_roundoff * before);
        EXPECT_LE(r.hottest[at], n == 0 ? 50 : r.hottest[at - 1] * (1 + 1e-6F)) << "nothing heats it";
    }
    EXPECT_LT(r.hottest.back(), r.hottest.front()) << "nothing has flown";
}

TEST(Reductions, NaNIsPassedOverButInSums) {
    Reduced r(37, 19, 23);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < r.u.size(); i += 3) r.u[i] = nan;
    float most = -100;
    for (std::size_t i = 0; i < r.u.size(); ++i) most = i % 3 == 0 ? most : std::max(most, r.u[i]);
    r.run();
    EXPECT_TRUE(std::isnan(r.total));
    EXPECT_EQ(r.most, most);
    std::fill(r.u.begin(), r.u.end(), nan);
    r.run();
    EXPECT_TRUE(std::isnan(r.most)) << "there is nothing else";
}

TEST(Reductions, OfInfinities) {
    Reduced r(100, 1, 1);
    std::fill(r.u.begin(), r.u.end(), -std::numeric_limits<float>::infinity());
    r.run();
    EXPECT_EQ(r.most, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(r.total, -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace kasc::exact
