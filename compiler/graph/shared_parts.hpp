#pragma once
// Equal parts of what a statement computes as one: whoever has looked at a part knows it again by its address.

#include "frontend/program.hpp"

namespace kasc {

/// The same statement; of the parts of its value and of its positions that are equal (same_expression) all are the
/// first one.
[[nodiscard]] FieldStatement with_shared_parts(FieldStatement statement);

}  // namespace kasc
