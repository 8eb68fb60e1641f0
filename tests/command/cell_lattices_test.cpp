// examples/lattice.kas and examples/pores.kas against the lattice Boltzmann method of any set of velocities, in double.
#include <array>
#include <stdexcept>

#include "command/cell_example.hpp"

namespace kasc {
namespace {

using test::Reals;

struct Velocity {
    int x, y, z;
};

/// Populations that fly from cell to cell of a periodic box.
struct Lattice {
    std::vector<Velocity> velocities;
    std::vector<double> weights;
    std::size_t nx, ny, nz;

    [[nodiscard]] std::size_t cells() const { return nx * ny * nz; }
    [[nodiscard]] std::size_t at(std::size_t x, std::size_t y, std::size_t z, const Velocity& from) const {
        const auto wrap = [](std::size_t i, int step, std::size_t n) {
            return (i + n - static_cast<std::size_t>(step + static_cast<int>(n)) % n) % n;
        };
        return wrap(x, from.x, nx) + nx * (wrap(y, from.y, ny) + ny * wrap(z, from.z, nz));
    }
    [[nodiscard]] std::size_t opposite(std::size_t k) const {
        const Velocity& v = velocities[k];
        for (std::size_t other = 0; other < velocities.size(); ++other) {
            const Velocity& w = velocities[other];
            if (w.x == -v.x && w.y == -v.y && w.z == -v.z) return other;
        }
        throw std::logic_error("a velocity without its opposite");
    }
    /// Mass and momentum.
    [[nodiscard]] std::array<double, 4> moments(const double* f) const {
        std::array<double, 4> sums{};
        for (std::size_t k = 0; k < velocities.size(); ++k) {
            const Velocity& v = velocities[k];
            const double part[] = {1, double(v.x), double(v.y), double(v.z)};
            for (std::size_t m = 0; m < 4; ++m) sums[m] += part[m] * f[k];
        }
        return sums;
    }
    /// Populations come from where they flew, and relax; in a solid they turn round.
    [[nodiscard]] Reals step(const Reals& f, double omega, double push, const Reals& solid) const {
        const std::size_t n = velocities.size();
        Reals next(f.size()), g(n);
        for (std::size_t z = 0; z < nz; ++z) {
            for (std::size_t y = 0; y < ny; ++y) {
                for (std::size_t x = 0; x < nx; ++x) {
                    const std::size_t cell = at(x, y, z, {0, 0, 0});
                    for (std::size_t k = 0; k < n; ++k) g[k] = f[at(x, y, z, velocities[k]) * n + k];
                    const auto [rho, mx, my, mz] = moments(g.data());
                    const double ux = mx / rho, uy = my / rho, uz = mz / rho, square = ux * ux + uy * uy + uz * uz;
                    for (std::size_t k = 0; k < n; ++k) {
                        const Velocity& v = velocities[k];
                        const double along = v.x * ux + v.y * uy + v.z * uz;
                        const double rest = weights[k] * rho * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
                        next[cell * n + k] = solid[cell] > 0
                                                 ? g[opposite(k)]
                                                 : g[k] + omega * (rest - g[k]) + 3 * push * weights[k] * v.x;
                    }
                }
            }
        }
        return next;
    }
    /// Populations near rest, of each cell others.
    [[nodiscard]] Reals start(unsigned random) const {
        Reals f = test::noise(cells() * velocities.size(), 0.9, 1.1, random);
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = static_cast<float>(f[i] * weights[i % weights.size()]);
        return f;
    }
};

TEST(CellLattices, OfNineteenPopulations) {
    Lattice lattice{{}, {}, 6, 5, 4};
    // The order of the example's text, whose populations come from the cells that it reads.
    for (const Velocity v : {Velocity{0, 0, 0},
                             {-1, 0, 0},
                             {0, -1, 0},
                             {0, 0, -1},
                             {0, 0, 1},
                             {0, 1, 0},
                             {1, 0, 0},
                             {-1, -1, 0},
                             {-1, 0, -1},
                             {-1, 0, 1},
                             {-1, 1, 0},
                             {0, -1, -1},
                             {0, -1, 1},
                             {0, 1, -1},
                             {0, 1, 1},
                             {1, -1, 0},
                             {1, 0, -1},
                             {1, 0, 1},
                             {1, 1, 0}}) {
        const int steps = std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
        lattice.velocities.push_back(v);
        lattice.weights.push_back(steps == 0 ? 1 / 3.0 : steps == 1 ? 1 / 18.0 : 1 / 36.0);
    }
    const Reals f = lattice.start(1), nothing_solid(lattice.cells(), 0.0);
    const runtime::Shape shape{lattice.nz, lattice.ny, lattice.nx, 19};
    const auto found = test::run_example("lattice", "--set steps=20", {{"f", shape, f}}, {{"f", shape}});
    ASSERT_TRUE(found.contains("f"));
    Reals expected = f;
    for (int n = 0; n < 20; ++n) expected = lattice.step(expected, 1.2, 0, nothing_solid);
    test::expect_near(found.at("f"), expected, 2e-6, "f");
}

TEST(CellLattices, OfNinePopulationsThroughPores) {
    Lattice lattice{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}},
        {4 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 36.0, 1 / 36.0, 1 / 36.0, 1 / 36.0},
        9,
        7,
        1};
    const Reals f = lattice.start(2);
    Reals solid = test::noise(lattice.cells(), -0.8, 0.2, 3);
    for (double& s : solid) s = s > 0 ? 1 : 0;
    ASSERT_GT(std::count(solid.begin(), solid.end(), 1.0), 3);
    const runtime::Shape plane{lattice.ny, lattice.nx}, populations{lattice.ny, lattice.nx, 9};
    const auto found =
        test::run_example("pores", "--set steps=30 --set push=0.001", {{"f", populations, f}, {"solid", plane, solid}},
                          {{"f", populations}, {"rho", plane}, {"u", {lattice.ny, lattice.nx, 2}}});
    ASSERT_TRUE(found.contains("f"));
    Reals expected = f, rho, u;
    for (int n = 0; n < 30; ++n) expected = lattice.step(expected, 1.2, 0.001, solid);
    for (std::size_t cell = 0; cell < lattice.cells(); ++cell) {
        const auto [mass, mx, my, mz] = lattice.moments(&expected[cell * 9]);
        rho.push_back(mass);
        u.insert(u.end(), {mx / mass, my / mass});
    }
    test::expect_near(found.at("f"), expected, 4e-6, "f");
    test::expect_near(found.at("rho"), rho, 4e-6, "rho");
    test::expect_near(found.at("u"), u, 2e-4, "u");
}

}  // namespace
}  // namespace kasc
