#pragma once
// What a statement computes as a sum of cells and their neighbours, with factors that are the same for all cells:
//
//     T + dt*(T[x - 1] - 2*T + T[x + 1])     T · 1,  T[x - 1] · dt,  T · -2 dt,  T[x + 1] · dt

#include <string>
#include <vector>

#include "rewrite/expressions.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

struct LinearTerm {
    std::size_t operand = 0;
    std::vector<Factor> factors;  ///< made of parameters, numbers, extents and variables of loops around
    bool negative = false;
};
struct LinearValue {
    std::vector<LinearTerm> terms;  ///< none where `fault` is not empty
    std::string fault;              ///< why the value is no such sum
};

/// Requires: the statement stands in the body of that loop.
[[nodiscard]] LinearValue linear_value(const Program& program, const FieldStatement& statement, LoopId loop);

/// Neighbours at the two sides along the statement's axis `axis` have the same factors, as they are written: T[x - 1,
/// y] and T[x + 1, y], T[x - 1, y + 1] and T[x + 1, y + 1]. Requires: the terms' operands are read at offsets.
[[nodiscard]] bool is_symmetric(const Program& program, const FieldStatement& statement, const LinearValue& value,
                                std::size_t axis);

}  // namespace kasc::rewriting
