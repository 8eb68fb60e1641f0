#pragma once
// The test library with kasc's own functions for programs over fields, elementlib/field.

#include "library/library.hpp"

namespace kasc::test {

[[nodiscard]] Library field_library();

}  // namespace kasc::test
