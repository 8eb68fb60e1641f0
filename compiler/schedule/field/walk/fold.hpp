#pragma once
// How a block folds cells: lanes, each with an accumulator, and the tree that joins them.

#include "frontend/reduction.hpp"
#include "search/choice.hpp"

namespace kasc {

/// The one choice of a kernel that folds its cells.
[[nodiscard]] FieldChoice choice_of_fold(const Fold& fold, bool cpu);
/// The step of the tree that joins lanes `half` apart is an exchange within each warp: lanes lie along the first
/// dimension of a block of a GPU, and both are threads of one warp wherever the lower one still counts.
[[nodiscard]] bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half);

}  // namespace kasc
