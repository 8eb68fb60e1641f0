#pragma once
// How transforms back are scaled: `ifft` divides by the number of cells that it transforms, before its first pass or
// wherever it is read. Internal to this folder.

#include <set>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::basis {

/// A transform back, by its last pass.
struct BackScale {
    const TransformStatement* last = nullptr;
    std::multiset<AxisId> axes{};  ///< that all its passes transform, as cells
    VariableId source{};           ///< of its first pass
    bool where_made = false;       ///< the source is scaled; else it is scaled where it is read, or nowhere
};
[[nodiscard]] std::vector<BackScale> scales_back(const Program& program);

/// `1 / (extent(x) * extent(y)) * …`, of these axes.
[[nodiscard]] bool is_scaled(const Expression& e, const std::multiset<AxisId>& axes);

}  // namespace kasc::basis
