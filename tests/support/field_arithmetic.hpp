#pragma once
// Comparisons and functions of one number or two, as C has them.

#include <cmath>
#include <stdexcept>

#include "frontend/expression.hpp"

namespace kasc::test {

template <class Number>
[[nodiscard]] bool compare(BinaryOperator op, Number l, Number r) {
    switch (op) {
        case BinaryOperator::less:
            return l < r;
        case BinaryOperator::less_equal:
            return l <= r;
        case BinaryOperator::greater:
            return l > r;
        case BinaryOperator::greater_equal:
            return l >= r;
        case BinaryOperator::equal:
            return l == r;
        default:
            return l != r;
    }
}

template <class Real>
[[nodiscard]] Real intrinsic(Intrinsic f, Real a, Real b) {
    switch (f) {
        case Intrinsic::exp:
            return std::exp(a);
        case Intrinsic::exp2:
            return std::exp2(a);
        case Intrinsic::log:
            return std::log(a);
        case Intrinsic::sqrt:
            return std::sqrt(a);
        case Intrinsic::pow:
            return std::pow(a, b);
        case Intrinsic::sin:
            return std::sin(a);
        case Intrinsic::cos:
            return std::cos(a);
        case Intrinsic::tan:
            return std::tan(a);
        case Intrinsic::tanh:
            return std::tanh(a);
        case Intrinsic::abs:
            return std::fabs(a);
        case Intrinsic::floor:
            return std::floor(a);
        case Intrinsic::minimum:
            return std::fmin(a, b);
        case Intrinsic::maximum:
            return std::fmax(a, b);
        default:
            throw std::logic_error("no function of reals");
    }
}

}  // namespace kasc::test
