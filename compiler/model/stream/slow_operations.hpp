#pragma once
// What of an author's code takes a CPU's core longer than its operations say.

#include "library/library.hpp"

namespace kasc::model {

struct SlowOperations {
    int conditions = 0;  ///< of data, as if and ?: have them
    int divisions = 0;   ///< and square roots
    int calls = 0;       ///< of functions such as expf
};

/// In the text of the implementation's computation and of the helpers that it calls, each as often as it is written.
[[nodiscard]] SlowOperations slow_operations(const Implementation& implementation);

}  // namespace kasc::model
