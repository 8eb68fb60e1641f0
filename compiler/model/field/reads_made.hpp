#pragma once
// Finds the reads of a statement that most cells make: not those behind a mark that few cells have.

#include <vector>

#include "frontend/program.hpp"

namespace kasc::model {

/// By operand of the statement. A read behind a test of a coarse one (`mark[x = x / 32] > 0 && …`) counts as not made.
[[nodiscard]] std::vector<bool> reads_made(const Program& program, const FieldStatement& statement);

}  // namespace kasc::model
