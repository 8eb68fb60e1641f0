// A focusing bowl that vibrates with one velocity, beside O'Neil's solution on its axis (J. Acoust. Soc. Am. 21(5),
// 1949), on a grid of three points a wave. The bowl lies between grid points: every small piece of it is a source that
// is spread over the points about it by a band-limited interpolant (Wise, Cox, Jaros and Treeby, J. Acoust. Soc. Am.
// 146(1), 2019).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>

#include "support/kwave_input.hpp"

namespace kasc::bowl {
namespace {

using std::numbers::pi;
constexpr double c0 = 1500, rho0 = 1000, frequency = 1e6;
constexpr int points_a_wave = 3, steps_a_period = 10;  // c0 dt/dx is 0.3
constexpr double dx = c0 / frequency / points_a_wave, dt = 1 / frequency / steps_a_period;
constexpr int nx = 72, ny = 64, nz = 64, apex = 24, middle = 32;
constexpr double radius = 30, aperture = 15;  // of curvature, of the rim; in cells

struct Point {
    double x, y, z;
};

/// What a point gives to the cells about it, along one axis: sinc under a Kaiser window, which passes waves of three
/// points and longer to 0.06 %.
struct Interpolant {
    static constexpr int reach = 6;
    explicit Interpolant(double place) : first(static_cast<int>(std::floor(place)) - reach + 1) {
        constexpr double shape = 6;
        for (int i = 0; i < 2 * reach; ++i) {
            const double x = first + i - place, share = x / reach;
            const double window = std::cyl_bessel_i(0, shape * std::sqrt(std::max(0.0, 1 - share * share)));
            weights.at(static_cast<std::size_t>(i)) =
                (x == 0 ? 1 : std::sin(pi * x) / (pi * x)) * window / std::cyl_bessel_i(0, shape);
        }
    }
    int first;
    std::array<double, 2 * reach> weights{};
};

/// How much of a plane source each cell is: the bowl's surface, in cells, spread over the grid.
class Bowl {
public:
    Bowl() : share_(static_cast<std::size_t>(nx) * ny * nz) {
        constexpr double piece = 0.25;  // along an edge, in cells
        const double half_angle = std::asin(aperture / radius);
        const int rings = static_cast<int>(std::ceil(radius * half_angle / piece));
        for (int ring = 0; ring < rings; ++ring) {
            const double low = half_angle * ring / rings, high = half_angle * (ring + 1) / rings;
            const double angle = 0.5 * (low + high), off = radius * std::sin(angle);
            const int pieces = std::max(4, static_cast<int>(std::ceil(2 * pi * off / piece)));
            const double area = 2 * pi * radius * radius * (std::cos(low) - std::cos(high)) / pieces;
            for (int k = 0; k < pieces; ++k) {
                const double turn = 2 * pi * (k + 0.5 * (ring % 2)) / pieces;
                spread({apex + radius * (1 - std::cos(angle)), middle + off * std::cos(turn),
                        middle + off * std::sin(turn)},
                       area);
            }
        }
    }
    /// Cells of the bowl; those with less than `least` of the largest share are left out.
    [[nodiscard]] std::vector<int> cells(double least = 1e-4) const {
        double largest = 0;
        for (const double s : share_) largest = std::max(largest, std::abs(s));
        std::vector<int> found;
        for (std::size_t i = 0; i < share_.size(); ++i) {
            if (std::abs(share_[i]) > least * largest) found.push_back(static_cast<int>(i));
        }
        return found;
    }
    [[nodiscard]] double share(int cell) const { return share_[static_cast<std::size_t>(cell)]; }

private:
    void spread(const Point& at, double area) {
        const Interpolant along_x(at.x), along_y(at.y), along_z(at.z);
        for (std::size_t k = 0; k < along_z.weights.size(); ++k) {
            for (std::size_t j = 0; j < along_y.weights.size(); ++j) {
                const auto row =
                    static_cast<std::size_t>(along_x.first + nx * (along_y.first + static_cast<int>(j) +
                                                                   ny * (along_z.first + static_cast<int>(k))));
                const double share = area * along_z.weights[k] * along_y.weights[j];
                for (std::size_t i = 0; i < along_x.weights.size(); ++i) share_[row + i] += share * along_x.weights[i];
            }
        }
    }
    std::vector<double> share_;
};

/// On the axis, z cells from the apex: amplitude over that of a plane wave of the bowl's velocity.
double oneil(double z) {
    const double k = 2 * pi / points_a_wave;
    const double height = radius - std::sqrt(radius * radius - aperture * aperture);
    if (z == radius) return k * height;
    const double rim = std::hypot(z - height, aperture);
    return std::abs(2 * std::sin(k * (rim - z) / 2) / (1 - z / radius));
}

TEST(Bowl, IsOneilsOnItsAxis) {
    constexpr int last = apex + 37;  // the focus is at 30
    constexpr int steps = 200;       // the last wave that rises there has passed after 175
    test::KWaveInput input({nx, ny, nz, dx, dt, steps}, c0, rho0);
    for (const char* axis : {"x", "y", "z"}) input.number(std::string("pml_") + axis + "_size", 10);
    const Bowl bowl;
    const std::vector<int> cells = bowl.cells();
    std::vector<float> signals;
    for (int n = 0; n < steps; ++n) {
        const double t = n * dt * frequency, rise = t < 2 ? 0.5 - 0.5 * std::cos(0.5 * pi * t) : 1;
        const double sample = rise * std::sin(2 * pi * t) * 2 * dt / (3 * c0 * dx);
        for (const int cell : cells) signals.push_back(static_cast<float>(bowl.share(cell) * sample));
    }
    input.pressure_source(2, cells, signals);
    std::vector<int> axis;
    for (int x = apex + 1; x <= last; ++x) axis.push_back(x + nx * (middle + ny * middle));
    input.cells("sensor_mask_index", axis);
    const std::vector<double> p = input.run();
    ASSERT_EQ(p.size(), axis.size() * static_cast<std::size_t>(steps));

    double worst = 0, highest = 0;
    for (std::size_t i = 0; i < axis.size(); ++i) {
        std::complex<double> sum = 0;
        for (int n = steps - 2 * steps_a_period; n < steps; ++n)
            sum += std::polar(1.0, -2 * pi * n / steps_a_period) * p[static_cast<std::size_t>(n) * axis.size() + i];
        const double exact = oneil(static_cast<double>(i) + 1);
        worst = std::max(worst, std::abs(std::abs(sum) / steps_a_period - exact));
        highest = std::max(highest, exact);
    }
    EXPECT_GT(highest, 8);
    // What the absorbing layers send back, the interpolant loses and the rise has left: 0.2 %.
    EXPECT_LT(worst, 0.004 * highest);
}

}  // namespace
}  // namespace kasc::bowl
