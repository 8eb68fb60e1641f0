#pragma once
// The cells of a rider, at the start of the kernel that carries it.

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

/// `rider`: the context of a rider, of one axis or none, walked cell by cell; `carrier`: the kernel around it.
[[nodiscard]] Body rider_body(FieldContext& rider, const Walked& carrier);

}  // namespace kasc::kernel
