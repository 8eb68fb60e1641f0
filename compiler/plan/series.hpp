#pragma once
// Series of which only a window of rows need lie in memory: the slowest axis of the field stands at the iteration of
// one outermost loop wherever the field is used.
//
//   for (n = 0; n < steps; n++) {
//       T = T + dt * q[t = n];        q[x, y, z, t]: an input of which iteration n reads row n alone
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
};

/// Inputs of two axes or more that are only read, outputs that are only assigned; inputs first, in the program's order.
[[nodiscard]] std::vector<Series> series_of(const Program& program);

}  // namespace kasc
