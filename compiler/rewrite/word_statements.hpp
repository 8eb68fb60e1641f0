#pragma once
// The statements of a program for each cell along an axis of few.

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"
#include "rewrite/word_fields.hpp"

namespace kasc::rewriting {

struct StatementsOfWords {
    Program program;
    Verdict verdict;  ///< no: the program is half done
};

/// Loops whose variables say which cell along the axis is meant are written out where that is what is missing.
[[nodiscard]] StatementsOfWords statements_of_words(const Program& program, const WordAxes& axes);

}  // namespace kasc::rewriting
