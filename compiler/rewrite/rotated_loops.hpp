#pragma once
// What a step begins with, of what the step before has made, may stand at the end of that step: sums then join the
// kernel that makes what they are of, in place of reading it again.
//
//   for (n < steps) {                      dt = c/maximum(u)
//       dt = c/maximum(u)                  for (n < steps) {
//       u = u + dt*f(u)            ->          u = u + dt*f(u)
//   }                                          dt = c/maximum(u)
//                                          }

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// The first `statements` of a loop's body, which may stand at its end.
struct Rotation {
    LoopId loop;
    std::size_t statements = 0;
    std::string begins;  ///< the loop, as the language writes it
};

/// Beginnings of loops that end with numbers made of reductions (`dt`), of fields that the rest of the body assigns:
/// they assign nothing that is read outside of the loop, and do not look at its index.
[[nodiscard]] std::vector<Rotation> rotations(const Program& program);

/// The program with that beginning once before the loop, and then at the end of each iteration: behind the last one for
/// nobody. The results are the same words.
[[nodiscard]] Program rotated(const Program& program, const Rotation& rotation);

}  // namespace kasc
