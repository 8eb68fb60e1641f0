#pragma once
// enumerate() with an evaluator that is shared by the patterns of an implementation.

#include "patterns/evaluator.hpp"

namespace kasc::patterns {

/// As kasc::enumerate.
[[nodiscard]] Outcome<AddressSet> enumerate_with(PatternEvaluator& evaluator, const Pattern& pattern);

}  // namespace kasc::patterns
