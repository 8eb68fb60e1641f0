#pragma once
// A library value with signatures only: what the front end needs to know of one.

#include "library/library.hpp"

namespace kasc::test {

[[nodiscard]] Library test_library();

}  // namespace kasc::test
