#pragma once
// What is the same for all cells, as kernel IR: arithmetic in the order written, with the roundings that cells have.
// The host computes it so at a launch, and a kernel where it moves with a loop that the kernel runs.

#include <functional>

#include "frontend/expression.hpp"
#include "kernel/expression.hpp"

namespace kasc::kernel {

struct UniformSources {
    std::function<ExprRef(ParameterId)> parameter;  ///< of the type that the program gives it
    std::function<Precision(ParameterId)> precision;
    std::function<ExprRef(LoopId)> loop;          ///< its variable, an i32
    std::function<ExprRef(AxisId, Type)> extent;  ///< how many cells an axis has
};

/// Reals of the precision; those in integers of precision_in_integer. Requires: the expression is uniform.
[[nodiscard]] ExprRef uniform_expression(const Expression& expression, const UniformSources& sources,
                                         Precision precision);

}  // namespace kasc::kernel
