#pragma once
// Fields that the compiler adds to a program.

#include "frontend/program.hpp"

namespace kasc {

/// A field without boundaries, named `wish` or, where that is taken, wish_2, wish_3, …
VariableId new_field(Program& program, const std::string& wish, const std::vector<AxisId>& axes, CellType type,
                     const Span& span);

}  // namespace kasc
