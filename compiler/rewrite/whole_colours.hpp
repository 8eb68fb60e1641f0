#pragma once
// Updates in turns, each of the cells of one colour, as statements of whole fields: they can then stand in one kernel
// behind each other, as steps of a loop do, and a sweep reads and writes the field once.
//
//   for (colour < 2)                                 u = (x + y) % 2 == 0 ? f(u) : u
//       u = f(u) where (x + y) % 2 == colour         u = (x + y) % 2 == 1 ? f(u) : u

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct ColoursVerdict {
    std::string statement;
    Verdict verdict;
};
struct WholeColours {
    Program program;
    std::vector<ColoursVerdict> verdicts;  ///< of each loop over colours
    bool changed = false;
};

/// All such loops of few colours are written so. The results are the same words.
[[nodiscard]] WholeColours whole_colours(const Program& program);

}  // namespace kasc
