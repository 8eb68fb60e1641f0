#pragma once
// Fields that the compiler adds to a program.

#include "frontend/program.hpp"

namespace kasc {

/// A field without boundaries, named `wish` or, where that is taken, wish_2, wish_3, …
VariableId new_field(Program& program, const std::string& wish, const std::vector<AxisId>& axes, CellType type,
                     const Span& span);

/// The same for a list of the target's, called after it; what assigns it is not printed (Variable::of_list).
VariableId new_field_of_list(Program& program, VariableId target, const char* what, const std::vector<AxisId>& axes,
                             CellType type, const Span& span);

}  // namespace kasc
