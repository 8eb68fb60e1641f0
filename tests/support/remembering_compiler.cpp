// Linked into tests that have kasc build what it emits: its compiler is one that remembers, before any of them runs.
// kasc's own cache would keep the same a second time, and the user's is none of theirs: it is off.
// And threads that wait for each other sleep: tests run beside each other, and one that spins takes the core that the
// other thread needs.
#include <cstdlib>
#include <string>

namespace {

[[maybe_unused]] const bool remembering = [] {
    const char* compiler = std::getenv("CXX");
    const std::string words = REMEMBER " " + std::string(compiler == nullptr || *compiler == '\0' ? "g++" : compiler);
    setenv("CXX", words.c_str(), 1);
    setenv("KASC_CACHE", REMEMBERED "/cache", 1);
    setenv("KASC_CACHE_SIZE", "0", 1);
    setenv("OMP_WAIT_POLICY", "passive", 0);
    setenv("REMEMBERING_CXX", words.c_str(), 1);  // for scripts that stand in for it
    return setenv("KASC_REMEMBERED", REMEMBERED, 0) == 0;
}();

}  // namespace
