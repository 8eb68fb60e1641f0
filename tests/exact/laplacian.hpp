#pragma once
// The central second differences of the programs in programs/, and what is known of them exactly.

#include <array>
#include <cmath>
#include <cstddef>

namespace kasc::exact {

/// Half the distance between 1 and the next float: what one rounding adds, of the result's size.
constexpr double unit_roundoff = 0x1p-24;

/// Σ weight[|j|] u[j] / denominator is u'' of a grid of distance 1, to `order`.
struct Laplacian {
    int order;
    double denominator;
    std::array<double, 5> weight;

    /// The factor of e^(i angle x), times the denominator: a mode is multiplied by this. Not positive.
    [[nodiscard]] double symbol(double angle) const {
        double sum = weight[0];
        for (std::size_t j = 1; j < weight.size(); ++j) sum += 2 * weight[j] * std::cos(static_cast<double>(j) * angle);
        return sum;
    }
    /// Sum of the sizes of the weights along one axis: no intermediate result is larger, of values of size 1.
    [[nodiscard]] double size() const {
        double sum = std::abs(weight[0]);
        for (std::size_t j = 1; j < weight.size(); ++j) sum += 2 * std::abs(weight[j]);
        return sum;
    }
    /// Roundings between a neighbour and its part in the sum along one axis: the pair, the products and the sums.
    [[nodiscard]] int roundings() const { return order / 2 + 2; }
};

/// B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51 (1988), table 1.
inline const std::array<Laplacian, 4> laplacians{{{2, 1, {-2, 1}},
                                                  {4, 12, {-30, 16, -1}},
                                                  {6, 180, {-490, 270, -27, 2}},
                                                  {8, 5040, {-14350, 8064, -1008, 128, -9}}}};

/// T' = T + ratio · (sums along `axes` axes) in float32: an error of at most this a step and cell, for |T| ≤ 1. The
/// last addition rounds once; what is added to T rounds on its way, sums of the axes and the product included.
inline double step_error(const Laplacian& l, double ratio, int axes) {
    return unit_roundoff * (1 + (l.roundings() + axes) * ratio * axes * l.size());
}

}  // namespace kasc::exact
