#pragma once
// How far a run in blocks is from that of the grid.

#include <optional>
#include <string>

#include "basis/blocks.hpp"

namespace kasc::basis {

/// The largest difference from what a transform of the whole grid gives, relative to the largest value, of some hundred
/// steps of k-Wave's in 2x2x2 blocks (benchmarks/results/2026-11-28-local-basis.md).
struct KnownError {
    double smooth = 0;  ///< of waves that have several points each
    double rough = 0;   ///< of those that sources of single points make
};
/// The longest overlap that was measured and is no longer says it; none: of one so short nothing is known.
[[nodiscard]] std::optional<KnownError> known_error(long long overlap);

/// A line: what is known of the shortest overlap.
[[nodiscard]] std::string known_error_text(const Blocks& blocks);

}  // namespace kasc::basis
