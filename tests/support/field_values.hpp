#pragma once
// What the reference of field programs and the interpreter of their kernels both work on.

#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::test {

/// The cells of a field, of whatever type: a double holds every value that a cell of any type can, but for integers of
/// more than 53 bits, which the tests must not draw. A complex one takes two, the real part first.
using Cells = std::vector<double>;

struct Problem {
    std::vector<long long> extents;            ///< by axis
    std::vector<double> parameters;            ///< by parameter
    std::map<std::uint32_t, long long> loops;  ///< values of loop indices
};

[[nodiscard]] inline std::size_t cell_count(const Problem& problem, const FieldShape& shape) {
    std::size_t n = 1;
    for (const AxisId a : shape.axes) n *= static_cast<std::size_t>(problem.extents.at(a.index));
    return n;
}
/// Words of the cells of a field.
[[nodiscard]] inline std::size_t word_count(const Problem& problem, const FieldShape& shape) {
    return cell_count(problem, shape) * (is_complex(shape.type) ? 2 : 1);
}

/// A program that computes an integer of more bits than it has means nothing: the tests must not draw it. Integers of
/// 64 bits have what a double has.
[[nodiscard]] inline long long in_range(long long value, bool is_long) {
    constexpr long long digits = 1LL << 53;
    const bool fits = is_long ? value >= -digits && value <= digits : value >= INT32_MIN && value <= INT32_MAX;
    if (!fits) throw std::range_error("an integer overflows");
    return value;
}
[[nodiscard]] inline long long multiplied(long long a, long long b, bool is_long) {
    long long value = 0;
    if (__builtin_mul_overflow(a, b, &value)) throw std::range_error("an integer overflows");
    return in_range(value, is_long);
}

/// What is left of an integer modulo 2^32, as sums of integers are.
[[nodiscard]] inline long long wrapped(long long value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

/// As a cell of the type holds it, or a part of a complex one.
[[nodiscard]] inline double stored(CellType type, double value) {
    switch (type) {
        case CellType::float32:
        case CellType::complex64:
            return static_cast<double>(static_cast<float>(value));
        case CellType::float16:
            return static_cast<double>(kasc_half(value));
        case CellType::bfloat16:
            return static_cast<double>(kasc_bfloat16(value));
        case CellType::int32:
            return static_cast<double>(wrapped(static_cast<long long>(value)));
        case CellType::uint8:
            return static_cast<double>(static_cast<std::uint8_t>(static_cast<long long>(value)));
        default:
            return value;
    }
}

/// To the bit; any two that are no numbers are the same.
[[nodiscard]] inline bool same_cell(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

/// A zero of integers has none.
[[nodiscard]] inline double with_sign(double sign, double word, CellType type) {
    return is_integer(type) && word == 0 ? 0 : sign * word;
}
/// Whether the sign of a read that left the grid through the mirror `first` turns at the face that it comes to now.
[[nodiscard]] inline bool turned_by(const Face& there, const Face& first) {
    return there.kind == BoundaryKind::mirror ? there.odd : first.odd;
}

}  // namespace kasc::test
