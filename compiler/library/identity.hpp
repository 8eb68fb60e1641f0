#pragma once
// What of a library makes a measurement of it comparable: all that the compiler reads of a type or an implementation.

#include <string>

#include "library/library.hpp"

namespace kasc {

[[nodiscard]] std::string identity_text(const StreamType& type);
[[nodiscard]] std::string identity_text(const Implementation& implementation, const Library& library);

/// A UUID of version 5 (SHA-1): the same text has the same one, everywhere.
[[nodiscard]] std::string hash_of(const std::string& text);

}  // namespace kasc
