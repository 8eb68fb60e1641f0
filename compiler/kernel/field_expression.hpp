#pragma once
// The arithmetic of one field statement as kernel expressions. Contraction is decided here, for every target alike:
//
//   a * b + c → fmaf(a, b, c)     c + a * b → fmaf(a, b, c)     a * b + c * d → fmaf(a, b, c * d)
//   a * b - c → fmaf(a, b, -c)    c - a * b → fmaf(-a, b, c)    a * b - c * d → fmaf(a, b, -(c * d))
//
// A statement is contracted on its own, never across statements: fused kernels compute the same bits as unfused ones,
// and the CPU the same as the GPU.

#include <functional>
#include <optional>

#include "frontend/expression.hpp"
#include "kernel/expression.hpp"

namespace kasc::kernel {

struct ExpressionSources {
    std::function<ExprRef(std::size_t operand)> operand;
    /// A uniform real or integer sub-expression, as large as possible, no plain number: a parameter of the kernel.
    std::function<ExprRef(const ExpressionRef&)> uniform;
};

/// Requires: `expression` is of real kind (or integer, then converted).
[[nodiscard]] ExprRef lower_expression(const ExpressionRef& expression, const ExpressionSources& sources);

/// The value of a tree of numbers alone (+ - * / and signs, float32 as written); what the host would compute.
[[nodiscard]] std::optional<float> constant_value(const Expression& expression);

}  // namespace kasc::kernel
