#pragma once
// Series of which only a window of rows need lie in memory: the slowest axis of the field stands at the iteration of
// one outermost loop, or some rows before or behind it, wherever the field is used.
//
//   for (n = 0; n < steps; n++) {
//       T = T + dt * q[t = n + 1];    q[x, y, z, t]: an input of which iteration n reads row n + 1 alone
//       movie[t = n] = T;             movie[x, y, z, t]: an output of which it writes row n alone
//   }
//
// An output may have its first rows assigned before the loop, movie[t = 0] = T where the loop begins at 1; and all that
// an iteration would assign before the first row may go to the first, which it then assigns anew: movie[t = n < 9 ? 0 :
// n - 9].

#include <optional>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

struct Series {
    VariableId variable;
    LoopId loop;  ///< an outermost one; its variable is the row
    bool input = true;
    std::size_t position = 0;  ///< among the program's inputs or outputs
    int low = 0, high = 0;     ///< iteration n uses rows n + low to n + high; of an output they are equal
    int before = 0;            ///< of an output: rows up to the first of its loop that are assigned before that, if any
    int first = 0;             ///< the first of these

    [[nodiscard]] int rows_at_once() const { return 1 + high - low; }
};

/// A row is clamped to the series by a condition of the iteration, as in q[t = n > 0 ? n - 1 : 0], or not at all.
/// Inputs of two axes or more that are only read, at most the language's bound on neighbours away; outputs that are
/// only assigned; inputs first, in the program's order.
[[nodiscard]] std::vector<Series> series_of(const Program& program);

}  // namespace kasc
