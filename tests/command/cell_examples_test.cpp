// examples/elastic_waves.kas, plasticity.kas and kalman.kas against the same in double, cell by cell, as books have it.
#include <array>

#include "command/cell_example.hpp"

namespace kasc {
namespace {

using test::Reals;
using Matrix = std::array<double, 9>;

// ---- elastic waves --------------------------------------------------------------------------------------------------

/// Virieux's scheme, as loops over a block with rest around it.
class ElasticBlock {
public:
    static constexpr int n = 8;
    static constexpr std::size_t cells = n * n * n;
    Reals v = Reals(3 * cells), s = Reals(6 * cells);
    Reals lambda, mu, density;
    double dt, h;

    static std::size_t cell(int x, int y, int z) { return static_cast<std::size_t>(x + n * (y + n * z)); }
    void step() {
        const Reals before = s;
        each_cell([&](int x, int y, int z) {
            const auto ds = [&](int k, int axis, int from) { return difference(before, 6, k, x, y, z, axis, from); };
            const double force[] = {ds(0, 0, 0) + ds(5, 1, -1) + ds(4, 2, -1),
                                    ds(5, 0, -1) + ds(1, 1, 0) + ds(3, 2, -1),
                                    ds(4, 0, -1) + ds(3, 1, -1) + ds(2, 2, 0)};
            const std::size_t at = cell(x, y, z);
            for (std::size_t k = 0; k < 3; ++k) v[3 * at + k] += dt / density[at] * force[k];
        });
        each_cell([&](int x, int y, int z) {
            const auto dv = [&](int k, int axis, int from) { return difference(v, 3, k, x, y, z, axis, from); };
            const double along[] = {dv(0, 0, -1), dv(1, 1, -1), dv(2, 2, -1)};
            const double across[] = {dv(2, 1, 0) + dv(1, 2, 0), dv(2, 0, 0) + dv(0, 2, 0), dv(1, 0, 0) + dv(0, 1, 0)};
            const std::size_t at = cell(x, y, z);
            for (std::size_t k = 0; k < 3; ++k) {
                s[6 * at + k] += dt * (2 * mu[at] * along[k] + lambda[at] * (along[0] + along[1] + along[2]));
                s[6 * at + 3 + k] += dt * mu[at] * across[k];
            }
        });
    }

private:
    template <class Do>
    static void each_cell(const Do& act) {
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x) act(x, y, z);
    }
    /// From the cell `from` steps along the axis to the next one.
    [[nodiscard]] double difference(const Reals& of, std::size_t words, int k, int x, int y, int z, int axis,
                                    int from) const {
        const auto read = [&](int step) {
            const std::array<int, 3> at{x + (axis == 0 ? step : 0), y + (axis == 1 ? step : 0),
                                        z + (axis == 2 ? step : 0)};
            for (const int i : at)
                if (i < 0 || i >= n) return 0.0;
            return of[words * cell(at[0], at[1], at[2]) + static_cast<std::size_t>(k)];
        };
        return (read(from + 1) - read(from)) / h;
    }
};

TEST(CellExamples, ElasticWavesOnStaggeredGrids) {
    constexpr std::size_t steps = 25;
    ElasticBlock rock;
    rock.dt = 0.001F, rock.h = 10.0F;
    rock.lambda = test::noise(ElasticBlock::cells, 1e10, 2e10, 1);
    rock.mu = test::noise(ElasticBlock::cells, 1e10, 2e10, 2);
    rock.density = test::noise(ElasticBlock::cells, 2000, 3000, 3);
    rock.v = test::noise(3 * ElasticBlock::cells, -1, 1, 4);
    rock.s = test::noise(6 * ElasticBlock::cells, -1e7, 1e7, 5);
    const Reals source = test::noise(steps, 0, 1e10, 6);
    const runtime::Shape block(3, ElasticBlock::n);
    const auto cells_of = [&](std::uint64_t words) {
        runtime::Shape shape = block;
        shape.push_back(words);
        return shape;
    };
    const auto found = test::run_example(
        "elastic_waves", "--set dt=0.001 --set h=10 --set sx=3 --set sy=4 --set sz=2 --set px=5 --set py=1 --set pz=6",
        {{"v", cells_of(3), rock.v},
         {"s", cells_of(6), rock.s},
         {"lambda", block, rock.lambda},
         {"mu", block, rock.mu},
         {"density", block, rock.density},
         {"source", {steps}, source}},
        {{"v", cells_of(3)}, {"s", cells_of(6)}, {"seen", {steps}}});
    ASSERT_TRUE(found.contains("v"));
    Reals seen;
    for (std::size_t n = 0; n < steps; ++n) {
        rock.step();
        for (std::size_t k = 0; k < 3; ++k) rock.s[6 * ElasticBlock::cell(3, 4, 2) + k] += rock.dt * source[n];
        seen.push_back(rock.v[3 * ElasticBlock::cell(5, 1, 6) + 2]);
    }
    test::expect_near(found.at("v"), rock.v, 1e-5, "v");
    test::expect_near(found.at("s"), rock.s, 1e-5, "s");
    test::expect_near(found.at("seen"), seen, 1e-5, "seen");
}

// ---- plasticity -----------------------------------------------------------------------------------------------------

TEST(CellExamples, PlasticityReturnsToTheYieldSurface) {
    constexpr std::size_t points = 200;
    const double bulk = 160e3, shear = 80e3, yield = 250, hardening = 2000;  // MPa
    Reals strain = test::noise(9 * points, -4e-3, 4e-3, 1);
    for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t k = 0; k < 9; ++k) {
            const std::size_t across = 3 * (k % 3) + k / 3;
            if (across > k) strain[9 * i + across] = strain[9 * i + k];
        }
    }
    for (std::size_t k = 0; k < 9; ++k) strain[k] = 0;  // one that nobody bends
    const Reals load{0.1F, 0.5F, 1.0F, 0.0F, -1.0F, 0.25F};
    const runtime::Shape tensors{points, 3, 3};
    const auto found =
        test::run_example("plasticity", "--set bulk=160000 --set shear=80000 --set yield=250 --set hardening=2000",
                          {{"strain", tensors, strain},
                           {"plastic", tensors, Reals(9 * points)},
                           {"hardened", {points}, Reals(points)},
                           {"load", {load.size()}, load}},
                          {{"stress", tensors}, {"plastic", tensors}, {"hardened", {points}}});
    ASSERT_TRUE(found.contains("stress"));
    Reals stress, plastic, hardened;
    std::size_t yielded = 0;
    for (std::size_t i = 0; i < points; ++i) {
        Matrix past{}, at{};
        double so_far = 0;
        for (const double part : load) {
            const double *e = &strain[9 * i], trace = part * (e[0] + e[4] + e[8]);
            double square = 0;
            for (std::size_t k = 0; k < 9; ++k) {
                at[k] = 2 * shear * (part * e[k] - (k % 4 == 0 ? trace / 3 : 0) - past[k]);
                square += at[k] * at[k];
            }
            const double beyond = std::sqrt(square) - std::sqrt(2.0 / 3) * (yield + hardening * so_far);
            if (beyond > 0) {
                const double slip = beyond / (2 * shear + 2.0 / 3 * hardening);
                for (std::size_t k = 0; k < 9; ++k) past[k] += slip * at[k] / std::sqrt(square);
                for (std::size_t k = 0; k < 9; ++k) at[k] *= 1 - 2 * shear * slip / std::sqrt(square);
                so_far += std::sqrt(2.0 / 3) * slip;
            }
            for (std::size_t k = 0; k < 9; k += 4) at[k] += bulk * trace;
        }
        yielded += so_far > 0;
        stress.insert(stress.end(), at.begin(), at.end());
        plastic.insert(plastic.end(), past.begin(), past.end());
        hardened.push_back(so_far);
    }
    EXPECT_GT(yielded, points / 2);
    EXPECT_LT(yielded, points);
    test::expect_near(found.at("stress"), stress, 1e-5, "stress");
    test::expect_near(found.at("plastic"), plastic, 1e-5, "plastic");
    test::expect_near(found.at("hardened"), hardened, 1e-5, "hardened");
}

// ---- Kalman filters -------------------------------------------------------------------------------------------------

Matrix product(const Matrix& a, const Matrix& b, bool transposed = false) {
    Matrix c{};
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            c[i] += a[i / 3 * 3 + k] * (transposed ? b[i % 3 * 3 + k] : b[3 * k + i % 3]);
    return c;
}

TEST(CellExamples, KalmanFiltersFollowTheirTargets) {
    constexpr std::size_t targets = 50, steps = 40;
    const double dt = 0.125, jitter = 0.03125, noise = 0.25;
    Reals state(3 * targets), covariance, measured(targets * steps), truth;
    unsigned random = 1;
    for (std::size_t i = 0; i < targets; ++i) {
        for (std::size_t k = 0; k < 9; ++k) covariance.push_back(k % 4 == 0 ? 10 : 0);
        const double speed = 4 * test::noise(random) - 2, force = test::noise(random) - 0.5;
        for (std::size_t n = 0; n < steps; ++n) {
            const double t = dt * static_cast<double>(n + 1), at = speed * t + force * t * t / 2;
            measured[i + targets * n] = static_cast<float>(at + test::noise(random) - 0.5);
        }
        truth.push_back(speed * dt * steps + force * dt * steps * dt * steps / 2);
    }
    const runtime::Shape tracks{steps, targets, 3}, matrices{targets, 3, 3};
    const auto found = test::run_example("kalman", "--set dt=0.125 --set jitter=0.03125 --set noise=0.25",
                                         {{"state", {targets, 3}, state},
                                          {"covariance", matrices, covariance},
                                          {"measured", {steps, targets}, measured}},
                                         {{"track", tracks}, {"covariance", matrices}});
    ASSERT_TRUE(found.contains("track"));
    const Matrix motion{1, dt, dt * dt / 2, 0, 1, dt, 0, 0, 1};
    const double kick[] = {dt * dt / 2, dt, 1};
    Reals track(3 * targets * steps), last;
    for (std::size_t i = 0; i < targets; ++i) {
        std::array<double, 3> x{};
        Matrix p{};
        for (std::size_t k = 0; k < 9; ++k) p[k] = covariance[9 * i + k];
        for (std::size_t n = 0; n < steps; ++n) {
            x = {x[0] + dt * x[1] + dt * dt / 2 * x[2], x[1] + dt * x[2], x[2]};
            p = product(product(motion, p), motion, true);
            for (std::size_t k = 0; k < 9; ++k) p[k] += jitter * kick[k / 3] * kick[k % 3];
            const double innovation = measured[i + targets * n] - x[0];
            const Matrix predicted = p;
            for (std::size_t k = 0; k < 3; ++k) x[k] += predicted[3 * k] / (predicted[0] + noise) * innovation;
            for (std::size_t k = 0; k < 9; ++k)
                p[k] -= predicted[k / 3 * 3] * predicted[k % 3] / (predicted[0] + noise);
            for (std::size_t k = 0; k < 3; ++k) track[3 * (i + targets * n) + k] = x[k];
        }
        last.insert(last.end(), p.begin(), p.end());
        EXPECT_NEAR(found.at("track")[3 * (i + targets * (steps - 1))], truth[i], 1) << "target " << i;
    }
    test::expect_near(found.at("track"), track, 1e-4, "track");
    test::expect_near(found.at("covariance"), last, 1e-4, "covariance");
}

}  // namespace
}  // namespace kasc
