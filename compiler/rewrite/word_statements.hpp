#pragma once
// The statements of a program for each cell along an axis of few.

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc::rewriting {

struct StatementsOfWords {
    Program program;
    Verdict verdict;  ///< no: the program is half done
};

/// Requires: the axis has so many cells.
[[nodiscard]] StatementsOfWords statements_of_words(Program program, AxisId axis, long long cells);

}  // namespace kasc::rewriting
