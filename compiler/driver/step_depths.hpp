#pragma once
// Steps of a time loop in a kernel: what each number of them that was compared would move, compute and take.

#include <vector>

#include "driver/variants.hpp"

namespace kasc {

/// `steps`: of each variant, the first's are 1.
[[nodiscard]] std::vector<StepDepth> step_depths(const std::vector<Variant>& variants, const std::vector<int>& steps,
                                                 std::size_t taken);

/// Several steps in a kernel are predicted to be faster than one by more than predictions of their kind are off. Both
/// have a plan.
[[nodiscard]] Verdict is_sure(const Variant& several, const Variant& one);

/// A line each; empty where there are none.
[[nodiscard]] std::string depths_text(const std::vector<StepDepth>& depths);

}  // namespace kasc
