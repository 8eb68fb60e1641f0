#pragma once
// A start expression stands in the library's metadata, where kasc evaluates it, and becomes a macro in the author's
// code, where C does. Both compute with C's integers (patterns/operators.hpp), so that the values agree wherever the
// text may stand in the code at all.

#include <string>

#include "foundation/verdict.hpp"
#include "library/library.hpp"

namespace kasc::patterns {

/// Whether the start of a pattern that enumerate() accepted may stand in `function`, a function of `implementation`: it
/// uses numbers, + - * / % and parentheses, the block's dimensions, and no coordinate that the function does not take.
[[nodiscard]] Verdict start_in_code(const Pattern& pattern, const DeviceFunction& function,
                                    const std::string& implementation);

}  // namespace kasc::patterns
