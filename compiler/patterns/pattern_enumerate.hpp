#pragma once
// enumerate() with an evaluator that is shared by the patterns of an implementation.

#include "patterns/pattern_evaluator.hpp"

namespace kasc::patterns {

/// As kasc::enumerate.
[[nodiscard]] Outcome<AddressSet> enumerate_with(PatternEvaluator& evaluator, const Pattern& pattern);

/// A block that kasc enumerates: every dimension at least 1, at most 1024 threads in all.
inline constexpr int most_threads = 1024;
[[nodiscard]] bool is_block(const BlockShape& block);

}  // namespace kasc::patterns
