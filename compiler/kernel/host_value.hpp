#pragma once
// The value of a kernel expression that the host computes at a launch: scalars of kernels, grids, positions. The same
// to the bit as the C++ that is printed of it, for whoever launches without compiling that.

#include <cstdint>
#include <functional>
#include <string>

#include "kernel/expression.hpp"

namespace kasc::kernel {

/// A number of C: i32, i64 and boolean as integers, f32 and f64 as reals; an f32 is a float's value.
struct HostNumber {
    Type type = Type::i32;
    std::int64_t integer = 0;
    double real = 0;

    [[nodiscard]] bool is_real() const { return type == Type::f32 || type == Type::f64; }
    [[nodiscard]] std::int64_t as_integer() const { return is_real() ? static_cast<std::int64_t>(real) : integer; }
};

[[nodiscard]] HostNumber host_integer(std::int64_t value, Type type = Type::i64);
[[nodiscard]] HostNumber host_real(double value, Type type);
/// C's conversion.
[[nodiscard]] HostNumber convert(const HostNumber& number, Type to);

/// `named`: what a Name stands for. Requires: no elements of arrays, threads or blocks in it. Divisions of integers by
/// 0 give 0.
[[nodiscard]] HostNumber host_value(const ExprRef& expression,
                                    const std::function<HostNumber(const std::string&)>& named);

}  // namespace kasc::kernel
