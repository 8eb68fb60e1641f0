#pragma once
// What some iterations of a loop do, one behind the other, where it is known which of their conditions hold:
//
//     for (n = 0; n < steps; n++) {                two steps, n % 2 == 0:    u = f(v);  v = g(u);
//         if (n % 2 == 0) { u = f(v); }            three: none, since no three steps in a row are such ones
//         else            { v = g(u); }
//     }
//
// A condition that comes round every so many iterations is settled where the steps are a multiple of these. Of an `if`
// with an `else` that does not, steps do what stands in one of the two, where that is known to be the usual case; what
// stands under other conditions is left to single iterations.

#include <vector>

#include "foundation/verdict.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

struct SettledSteps {
    std::vector<Statements>
        steps;  ///< of iterations n, n + 1, …: each over n, the loop's variable, as if it were its own
    std::vector<const LoopStatement*> left;  ///< conditionals of the loop's body that no step has
    ExpressionRef plain;  ///< over n: the steps may be done from there on. Null: from the loop's first iteration on
    Verdict possible = Verdict::yes("some steps are alike");  ///< as far as is known
};

/// An `if` whose condition the host knows: a loop of one iteration or none (frontend/conditions). Null: another
/// statement.
[[nodiscard]] const LoopStatement* conditional_in(const Statement& statement);
/// Requires: the loop is conditional.
[[nodiscard]] ExpressionRef condition_of(const LoopStatement& conditional);

/// `within`: the loop stands in another one, and runs to its end. It must outlive the result.
[[nodiscard]] SettledSteps settled_steps(const LoopStatement& loop, long long together, bool within);

}  // namespace kasc::rewriting
