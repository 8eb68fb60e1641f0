#pragma once
// A built unit of check_sources.hpp, loaded. Load and call it in a child process only: what it holds is the library's
// code, which may do anything.

#include <array>
#include <string>

namespace kasc::libcheck {

/// Laid out as the unit's own kasc_traced_array.
struct TracedArrayView {
    float* data = nullptr;
    long long words = 0;
    void* user = nullptr;  ///< told to `touch`
};

/// A word of an array is read (0) or written (1); the word may lie outside the array, where reads give 0.
using TouchFunction = void (*)(void* user, long long word, int writes);

struct TracedUnit {
    /// Runs a part for one thread; `at` is tx ty tz bx by bz.
    void (*trace)(int part, const int* at, const TracedArrayView* arrays, int count, TouchFunction touch) = nullptr;
    /// Runs a reference for one element.
    void (*refer)(int reference, const float* const* arguments, float* result) = nullptr;

    [[nodiscard]] explicit operator bool() const { return trace != nullptr && refer != nullptr; }
};

/// Without functions where it cannot be loaded. Stays loaded.
[[nodiscard]] TracedUnit load_traced_unit(const std::string& library);

}  // namespace kasc::libcheck
