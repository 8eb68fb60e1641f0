#pragma once
// The arithmetic of one field statement as kernel expressions. Contraction is decided here, for every target alike:
//
//   a * b + c → fmaf(a, b, c)     c + a * b → fmaf(a, b, c)     a * b + c * d → fmaf(a, b, c * d)
//   a * b - c → fmaf(a, b, -c)    c - a * b → fmaf(-a, b, c)    a * b - c * d → fmaf(a, b, -(c * d))
//
// A statement is contracted on its own, never across statements: fused kernels compute the same bits as unfused ones,
// and the CPU the same as the GPU.
//
// Complex numbers are taken apart: what is emitted computes with their two reals.
//
//   z * w → fmaf(z.x, w.x, -(z.y * w.y)), fmaf(z.x, w.y, z.y * w.x)     a * z → a * z.x, a * z.y   of a real a

#include <functional>
#include <optional>

#include "frontend/program.hpp"
#include "kernel/expression.hpp"

namespace kasc::kernel {

struct ExpressionSources {
    /// The word that an operand reads, of the type that its field has.
    struct Word {
        ExprRef value;
        CellType type = CellType::float32;
    };
    std::function<Word(std::size_t operand)> operand;
    /// A uniform sub-expression, as large as possible, no plain number: a parameter of the kernel.
    std::function<ExprRef(const ExpressionRef&, Precision)> uniform;
    /// Where the cell stands along an axis.
    std::function<ExprRef(AxisId)> coordinate;
    /// A value that is used more than once, as a register of its own.
    std::function<ExprRef(Type, const ExprRef&)> hold;
    /// A word of what a function of the library makes of these; where it makes several, it is called once.
    std::function<ExprRef(const FunctionWord&, const std::vector<ExprRef>& words)> function;
    /// What a condition is at all cells of the path; none: it differs, or nothing is known.
    std::function<std::optional<bool>(const Expression&)> settled = [](const Expression&) -> std::optional<bool> {
        return std::nullopt;
    };
    /// Where integers are computed in 64 bits, how precise a parameter is; else nothing.
    std::function<Precision(ParameterId)> long_integers{};
};

/// Requires: `expression` is of real kind (or integer, then converted).
[[nodiscard]] ExprRef lower_expression(const ExpressionRef& expression, const ExpressionSources& sources,
                                       Precision precision);
/// Requires: `expression` is of integer kind. Reals in its conditions are of `precision`.
[[nodiscard]] ExprRef lower_integer(const ExpressionRef& expression, const ExpressionSources& sources,
                                    Precision precision);
/// A position along an axis, of 32 bits: what they cannot hold lies on the same side of every grid.
/// Requires: `expression` is of integer kind.
[[nodiscard]] ExprRef lower_position(const ExpressionRef& expression, const ExpressionSources& sources,
                                     Precision precision);
/// Requires: `expression` is of boolean kind.
[[nodiscard]] ExprRef lower_condition(const ExpressionRef& expression, const ExpressionSources& sources,
                                      Precision precision);
/// What a statement assigns, as a word of its target.
[[nodiscard]] ExprRef lower_value(const FieldStatement& statement, CellType target, const ExpressionSources& sources);
/// What the statement folds of a cell, as its accumulator holds it.
[[nodiscard]] ExprRef folded_value(const FieldStatement& statement, Type accumulator, const ExpressionSources& sources);

/// The value of a tree of numbers alone (+ - * / and signs, each rounded to the precision); what the host would
/// compute.
[[nodiscard]] std::optional<double> constant_value(const Expression& expression, Precision precision);

}  // namespace kasc::kernel
