#pragma once
// Spelling of operators, intrinsics and boundaries, as in the language.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/expression.hpp"
#include "frontend/program.hpp"

namespace kasc::frontend {

[[nodiscard]] const char* symbol(UnaryOperator op);
[[nodiscard]] const char* symbol(BinaryOperator op);
/// C's precedence: the larger binds stronger; a conditional is 1.
[[nodiscard]] int precedence(BinaryOperator op);
[[nodiscard]] const char* name_of(Intrinsic intrinsic);
[[nodiscard]] std::size_t argument_count(Intrinsic intrinsic);
[[nodiscard]] std::optional<Intrinsic> find_intrinsic(std::string_view name);
/// Others came later: a program or a library that declares a function of their name keeps its own.
[[nodiscard]] bool is_reserved(Intrinsic intrinsic);
[[nodiscard]] std::vector<std::string> intrinsic_names();
[[nodiscard]] const char* name_of(BoundaryKind kind);

/// + - * / %: number to number.
[[nodiscard]] bool is_arithmetic(BinaryOperator op);
/// && ||: boolean to boolean.
[[nodiscard]] bool is_logical(BinaryOperator op);
/// & | ^ << >>: integer to integer.
[[nodiscard]] bool is_bitwise(BinaryOperator op);
/// < <= > >= == !=: number to boolean.
[[nodiscard]] bool is_comparison(BinaryOperator op);

}  // namespace kasc::frontend
