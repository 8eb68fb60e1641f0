#pragma once
// A start expression stands in the library's metadata, where kasc evaluates it, and becomes a macro in the author's
// code, where C does. The two must agree.

#include <string>

#include "library/library.hpp"
#include "patterns/pattern.hpp"
#include "schedule/stream/schedule.hpp"

namespace kasc {

/// Empty where `start`, as C text inside `function`, gives every thread of the block its start[t]: it uses numbers,
/// + - * / % and parentheses, the coordinates that the function takes, and <IMPLEMENTATION>_BX, _BY, _BZ (whose
/// upper-case prefix is `macro_prefix`); integer division drops the same remainders. Else why not.
[[nodiscard]] std::string code_fault(const std::string& start, const DeviceFunction& function,
                                     const std::string& macro_prefix, const BlockShape& block,
                                     const std::vector<std::int32_t>& starts);

/// The start in a tile of this pitch, as C text: "(tx*16) + (tx*16) / 16 * 1".
[[nodiscard]] std::string spread_start(const std::string& start, const TilePitch& pitch);

/// MMUL33_1 for mmul33_1.
[[nodiscard]] std::string macro_prefix(const std::string& implementation);

}  // namespace kasc
