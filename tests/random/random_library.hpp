#pragma once
// Elementary functions drawn at random, with metadata and a CPU reference, right by construction.

#include <string>

namespace kasc::random {

/// The text of one library file. It builds upon the types of elementlib/stream.
[[nodiscard]] std::string random_library(unsigned seed);

}  // namespace kasc::random
