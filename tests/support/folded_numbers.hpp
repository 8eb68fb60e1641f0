#pragma once
// What reductions make of two numbers, as the language defines it.

#include <cmath>

#include "support/field_values.hpp"

namespace kasc::test {

struct FoldedNumbers {
    FoldOperator op;
    bool whole, is_long;  ///< of integers, of 64 bits

    /// Where a lane begins.
    [[nodiscard]] double nothing() const {
        if (op == FoldOperator::sum) return 0;
        if (op == FoldOperator::product) return 1;
        if (!whole) return std::nan("");
        const double farthest = is_long ? 0x1p63 : 0x1p31;
        return op == FoldOperator::minimum ? farthest - (is_long ? 0 : 1) : -farthest;
    }
    [[nodiscard]] double join(double sum, double value) const {
        if (op == FoldOperator::sum) return sum + value;  // parts of integers stay far below 2^53, so exact
        if (op == FoldOperator::product) return whole ? product_of_integers(sum, value) : sum * value;
        const bool beyond = op == FoldOperator::minimum ? value < sum : value > sum;
        return beyond || std::isnan(sum) ? value : sum;
    }
    /// So many numbers, each joined with its lane by `join`, which is given the lane and the number of the number; then
    /// lanes by halves.
    template <class Join>
    [[nodiscard]] double folded(int lane_count, long long numbers, Join join_number) const {
        std::vector<double> lanes(static_cast<std::size_t>(lane_count), nothing());
        for (long long number = 0; number < numbers; ++number) {
            double& lane = lanes[static_cast<std::size_t>(number % lane_count)];
            lane = join_number(lane, number);
        }
        for (std::size_t half = lanes.size() / 2; half > 0; half /= 2)
            for (std::size_t k = 0; k < half; ++k) lanes[k] = join(lanes[k], lanes[k + half]);
        return result(lanes[0]);
    }
    [[nodiscard]] double result(double lane) const {
        return whole && !is_long ? static_cast<double>(wrapped(static_cast<long long>(lane))) : lane;
    }

private:
    [[nodiscard]] double product_of_integers(double a, double b) const {
        const auto x = static_cast<long long>(a), y = static_cast<long long>(b);
        return static_cast<double>(is_long ? multiplied(x, y, true) : wrapped(x * y));
    }
};

}  // namespace kasc::test
