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
// counts its lists. Where conditions are settled for some iterations alone (rewrite/settled_steps), the first takes
// these (Loop::plain).

#include <optional>

#include "rewrite/settled_steps.hpp"

namespace kasc::rewriting {

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
/// cells but the index and lists; it begins at a number, or its count is not known.
void repeat_body(Program& program, const LoopStatement& loop, const Iterations& of, Statements& made);
/// The same of these steps of the loop, whose count is not known. Requires: they assign fields.
void repeat_steps(Program& program, const LoopStatement& loop, const SettledSteps& steps, Statements& made);

}  // namespace kasc::rewriting
