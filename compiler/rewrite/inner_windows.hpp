#pragma once
// What a window gives each cell of another one is computed where that one reads it:
//
//   d = u[x = x + i] - v        over x and i
//   s = sum(exp(-d*d), i)                        ->     s = sum(exp(-(u[x = x + i] - v)*(u[x = x + i] - v)), i)
//
// so that the other one has no field of its own cells beside others, and can be written out as well
// (rewrite/axis_words).

#include "frontend/program.hpp"

namespace kasc {

/// The same words: what is computed anew is rounded as the field was. Requires: a program over fields.
[[nodiscard]] Program with_inner_windows_read(const Program& program);

}  // namespace kasc
