#pragma once
// Kernels that measure one implementation of a library function: one that only loads, one that repeats the computation
// with its data resident, one that only saves; all tiles in shared memory, for each of several block sizes.

#include <optional>
#include <string>
#include <vector>

#include "emit/target.hpp"
#include "library/library.hpp"

namespace kasc::tune {

struct BenchSource {
    std::string text;           ///< exports kasc_bench (runtime/runs/bench_entry.hpp)
    std::vector<int> elements;  ///< a block: ascending
};

/// Kernels for those of the wanted numbers of elements that the implementation allows; where it allows none, for its
/// own. None: no block can be measured.
[[nodiscard]] std::optional<BenchSource> bench_source(const Library& library, const Function& function,
                                                      const Implementation& implementation,
                                                      const std::vector<int>& wanted, emit::Target target);

}  // namespace kasc::tune
