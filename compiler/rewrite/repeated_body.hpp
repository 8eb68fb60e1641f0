#pragma once
// A loop some of whose iterations stand one behind the other:
//
//     for (n = 0; n < steps; n++) {            for (n_4 = 0; n_4 < steps - 3; n_4 += 4) {
//         T = f(T, n);                             T = f(T, n_4);  …  T = f(T, n_4 + 3);
//     }                                  ->    }
//                                              for (n = steps/4*4; n < steps; n++) T = f(T, n);
//
// The second is the first one's rest: a run in pieces takes four iterations where it has room for them, and single ones
// else (plan/host_plan.hpp). Where it is known how many there are, a list is enough for what is left, and the first
// counts its lists. What stands under conditions is the rest's alone: the first takes iterations none of whose hold
// (Loop::plain).

#include <optional>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

/// An `if` whose condition the host knows: a loop of one iteration or none (frontend/conditions). Null: another
/// statement.
[[nodiscard]] const LoopStatement* conditional_in(const Statement& statement);
/// Requires: the loop is conditional.
[[nodiscard]] const ExpressionRef& condition_of(const LoopStatement& conditional);

/// A field that is read at a position that the index says: none, where there is none. Requires: the loop's statements
/// assign fields.
[[nodiscard]] std::optional<VariableId> read_at_index(const LoopStatement& loop);

/// How a loop is repeated.
struct Iterations {
    long long together = 1;
    std::optional<long long> count{};  ///< of the loop, where it is known
};
/// The loop, so many iterations of which stand one behind the other, and what is left of it, behind `made`. Its
/// variables are of the program. Requires: the loop's statements assign fields, whole ones or where nothing says which
/// cells but the index and lists, or, where its count is not known, are conditional; it begins at a number, or its
/// count is not known.
void repeat_body(Program& program, const LoopStatement& loop, const Iterations& of, Statements& made);

}  // namespace kasc::rewriting
