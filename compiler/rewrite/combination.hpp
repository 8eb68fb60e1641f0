#pragma once
// A value as a sum of transforms, seen through the statements of a list that made it.

#include <string>
#include <vector>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

/// factor · F(source): `statement` is the place of the transform in the list.
struct TransformTerm {
    ExpressionRef factor;  ///< uniform; null: 1
    bool negative = false;
    std::size_t statement = 0;
};
struct Combination {
    std::vector<TransformTerm> terms;  ///< none where `fault` is not empty
    std::string fault;                 ///< why the value is no sum of transforms with uniform factors
    bool blocked = false;              ///< it would be one, were one factor uniform: the fault names it
};

/// The value that `variable` has before statement `at`, as a sum of transforms in one direction along the axes.
[[nodiscard]] Combination combination_of(const Program& program, const Statements& list, VariableId variable,
                                         std::size_t at, Direction direction, const std::vector<std::size_t>& axes);

}  // namespace kasc::rewriting
