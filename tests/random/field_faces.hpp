#pragma once
// What a drawn field's boundary says.

#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_terms.hpp"

namespace kasc::random {

/// The boundary along the field's axes, as text; what it says is noted in the field. A field that is no input has
/// nothing to keep. `declared`: fields that stand before it, of which a face may read inputs.
[[nodiscard]] std::string draw_boundary(RandomField& field, const std::vector<RandomField>& declared, Draw& draw);

}  // namespace kasc::random
