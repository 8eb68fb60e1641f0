#pragma once
// Fields of pairs that are made anew behind a fold of them.

#include "rewrite/remake_fields.hpp"

namespace kasc {

/// Fields that statements read which wait for a fold, made by lines and numbers alone, are made anew there.
[[nodiscard]] RemadeFields remake_behind_folds(const Program& program);

}  // namespace kasc
