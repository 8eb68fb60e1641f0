#pragma once
// Series of which only a window of rows need lie in memory: the slowest axis of the field stands at the iteration of
// one outermost loop, or some rows before or behind it, wherever the field is used.
//
//   for (n = 0; n < steps; n++) {
//       T = T + dt * q[t = n + 1];    q[x, y, z, t]: an input of which iteration n reads row n + 1 alone
//       movie[t = n] = T;             movie[x, y, z, t]: an output of which it writes row n alone
//   }

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

    [[nodiscard]] int rows_at_once() const { return 1 + high - low; }
};

/// A row is clamped to the series by a condition of the iteration, as in q[t = n > 0 ? n - 1 : 0], or not at all.
/// Inputs of two axes or more that are only read, outputs that are only assigned; inputs first, in the program's order.
[[nodiscard]] std::vector<Series> series_of(const Program& program);

}  // namespace kasc
