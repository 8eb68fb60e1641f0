#pragma once
// Statements that leave cells as they were by a condition on coordinates, as elimination does beside a pivot:
//
//   A = i > k && j > k ? A - l*A[i = k] : A        A = A - l*A[i = k] where i > k && j > k
//
// Cells outside of the box are neither read nor written, and the field is updated in place.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct BoxVerdict {
    std::string statement;
    Verdict verdict;
};
struct Boxes {
    Program program;
    std::vector<BoxVerdict> verdicts;  ///< of each statement that leaves cells as they were so
    bool changed = false;
};

/// Such statements update the cells of their boxes alone, where none of these reads another one. The results are the
/// same words.
[[nodiscard]] Boxes boxes(const Program& program);

}  // namespace kasc
