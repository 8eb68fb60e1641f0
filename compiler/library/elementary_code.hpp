#pragma once
// What the code of an elementary function may not hold, because a fused kernel decides it: barriers, shared memory,
// which threads do the work; and what is not emitted with it.

#include "library/library.hpp"

namespace kasc::library {

/// K0426 for every word that is none of an elementary function's, in its parts and in the helpers and macros of its
/// file that they use, with the word's place. A variable of the file that a part uses is such a word, too.
[[nodiscard]] Diagnostics elementary_faults(const Implementation& implementation);

}  // namespace kasc::library
