#pragma once
// Comparisons, operators on bits and functions of one number or two, as the language has them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "frontend/expression.hpp"
#include "support/field_values.hpp"
#include "support/over_number.hpp"

namespace kasc::test {

/// Products, quotients and what they leave; sums are of the evaluation, which contracts them.
template <class Real>
[[nodiscard]] Real operated(BinaryOperator op, Real l, Real r) {
    if (op == BinaryOperator::multiply) return l * r;
    if (op == BinaryOperator::divide_by_number) return over(l, r);
    return op == BinaryOperator::modulo ? std::fmod(l, r) : l / r;
}

/// A parameter's value, as a program has it that takes a number of this precision.
template <class Real>
[[nodiscard]] Real given(double value, Precision precision) {
    return static_cast<Real>(precision == Precision::single ? static_cast<double>(static_cast<float>(value)) : value);
}

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
        case Intrinsic::inverse:
        case Intrinsic::inverse_rest:
            return made_of_divisor(f, a);
        case Intrinsic::expm1:
            return std::expm1(a);
        case Intrinsic::log:
            return std::log(a);
        case Intrinsic::log2:
            return std::log2(a);
        case Intrinsic::log10:
            return std::log10(a);
        case Intrinsic::log1p:
            return std::log1p(a);
        case Intrinsic::sqrt:
            return std::sqrt(a);
        case Intrinsic::cbrt:
            return std::cbrt(a);
        case Intrinsic::hypot:
            return std::hypot(a, b);
        case Intrinsic::pow:
            return std::pow(a, b);
        case Intrinsic::sin:
            return std::sin(a);
        case Intrinsic::cos:
            return std::cos(a);
        case Intrinsic::tan:
            return std::tan(a);
        case Intrinsic::asin:
            return std::asin(a);
        case Intrinsic::acos:
            return std::acos(a);
        case Intrinsic::atan:
            return std::atan(a);
        case Intrinsic::atan2:
            return std::atan2(a, b);
        case Intrinsic::sinh:
            return std::sinh(a);
        case Intrinsic::cosh:
            return std::cosh(a);
        case Intrinsic::tanh:
            return std::tanh(a);
        case Intrinsic::erf:
            return std::erf(a);
        case Intrinsic::erfc:
            return std::erfc(a);
        case Intrinsic::abs:
            return std::fabs(a);
        case Intrinsic::floor:
            return std::floor(a);
        case Intrinsic::ceil:
            return std::ceil(a);
        case Intrinsic::round:
            return std::round(a);
        case Intrinsic::minimum:
            return std::fmin(a, b);
        case Intrinsic::maximum:
            return std::fmax(a, b);
        default:
            throw std::logic_error("no function of reals");
    }
}

/// int(e): what is beyond 32 bits is the nearest integer of 32 bits, what is no number is 0; so of 64 bits.
[[nodiscard]] inline long long cut(double real, bool is_long) {
    if (std::isnan(real)) return 0;
    if (!is_long) return static_cast<long long>(std::trunc(std::clamp(real, -0x1p31, 0x1p31 - 1)));
    if (real >= 0x1p63) return std::numeric_limits<long long>::max();
    return static_cast<long long>(std::trunc(std::max(real, -0x1p63)));
}

/// Operators of bits, on 32 or 64 bits; the count of a shift is taken modulo these.
[[nodiscard]] inline long long bits(BinaryOperator op, long long a, long long b, bool is_long) {
    const auto count = static_cast<unsigned>(b & (is_long ? 63 : 31));
    switch (op) {
        case BinaryOperator::bit_and:
            return a & b;
        case BinaryOperator::bit_or:
            return a | b;
        case BinaryOperator::bit_xor:
            return a ^ b;
        case BinaryOperator::shift_left:
            return is_long ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << count)
                           : static_cast<std::int32_t>(static_cast<std::uint64_t>(a) << count);
        case BinaryOperator::shift_right:
            return a >> count;
        default:
            throw std::logic_error("no operator on bits");
    }
}

[[nodiscard]] inline long long of_integers(BinaryOperator op, long long a, long long b, bool is_long) {
    switch (op) {
        case BinaryOperator::add:
            return in_range(a + b, is_long);
        case BinaryOperator::subtract:
            return in_range(a - b, is_long);
        case BinaryOperator::multiply:
            return multiplied(a, b, is_long);
        case BinaryOperator::divide:
            return a / b;
        case BinaryOperator::modulo:
            return a % b;
        default:
            return in_range(bits(op, a, b, is_long), is_long);
    }
}

/// A product of reals, or of integers that a cell converts.
[[nodiscard]] inline const BinaryOperation* product_of_reals(const Expression& e) {
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    const bool whole = e.kind == ScalarKind::integer && is_uniform(e);
    return b && b->op == BinaryOperator::multiply && !whole ? b : nullptr;
}

}  // namespace kasc::test
