#pragma once
// Additions of integers by the entries of a list to few cells: each entry adds to one of several copies of them, since
// what adds to one word waits in line.

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct CopiedVerdict {
    std::string statement;
    Verdict verdict;
};
struct CopiedCells {
    Program program;
    std::vector<CopiedVerdict> verdicts;  ///< of each such addition
    bool changed = false;
};

/// Every addition of integers in any order (adds_in_any_order) written along copies of its cells, and a sum of them.
/// Where `extents` (by axis, of a plan for a CPU) are given, those alone to which it pays; else all that can be. Ids of
/// the program stay, new variables have the last; axes, inputs and outputs are the same. The results are the same
/// words.
[[nodiscard]] CopiedCells copy_cells(const Program& program, const std::vector<long long>* extents);

}  // namespace kasc
