#pragma once
// What tests have kasc build of emitted code is remembered (tests/remember.sh), from one run of the tests to the next:
// the call alone is kasc's, and most of a test's time would be the compiler's.

#include <cstdlib>
#include <string>

namespace kasc::test {

/// Words behind all others that this process' calls of kasc give the compiler: "-O0" where running is short.
inline void build_with(const std::string& more) { setenv("KASC_BUILD_MORE", more.c_str(), 1); }
inline void build_as_ever() { unsetenv("KASC_BUILD_MORE"); }

}  // namespace kasc::test
