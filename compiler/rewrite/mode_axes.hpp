#pragma once
// Axes of a linear step's waves. They are part of the program before anything is planned, since all its sizes follow
// from its axes; where no field comes to have them they cost nothing.
//
//     x   periodic           x_modes = half(x)
//     x   between mirrors    x_image = 2 extent(x), a field and its mirror image; x_image_modes = half(x_image)

#include <set>

#include "rewrite/linear_step.hpp"
#include "rewrite/rewrite.hpp"

namespace kasc {

/// With axes for each loop that the rule `modes` may take once the other rules have written the program anew.
[[nodiscard]] Program with_mode_axes(Program program, const std::set<Rule>& left_out);

namespace rewriting {

struct ModeAxes {
    std::vector<AxisId> cells;  ///< of the field, or of the field and its image: what is transformed
    std::vector<AxisId> waves;  ///< of its transform
};
/// Requires: with_mode_axes of the program that these steps are of.
[[nodiscard]] ModeAxes mode_axes(const Program& program, const LinearStep& step);

}  // namespace rewriting
}  // namespace kasc
