#pragma once
// Names what an expression computes more than once, so that it is printed, and compiled, once:
//
//   (a - 2*b + c)*(a - 2*b + c)   →   const float part = a - 2*b + c;   part*part
//
// Parts are equal where they are one object, so that no text is compared with another.

#include <functional>
#include <optional>

#include "kernel/expression.hpp"

namespace kasc::kernel {

/// The expression with names for its parts that are of two operations at least and are computed in any case: what a
/// condition may leave out, of c ? e : f or c && e, stays where it stands, but for comparisons of reals in c && e that
/// cost little: `n != j && r2 < c ? f(r2) : 0`, of several sums.
/// `type`: of a part that may have a name; none: it has none. `hold`: declares a register of this value, in front of
/// what is returned.
[[nodiscard]] ExprRef with_equal_parts_named(const ExprRef& expression,
                                             const std::function<std::optional<Type>(const Expr*)>& type,
                                             const std::function<ExprRef(Type, const ExprRef&)>& hold);

}  // namespace kasc::kernel
