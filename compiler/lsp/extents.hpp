#pragma once

#include <string>
#include <vector>

#include "driver/compilation.hpp"

namespace kasc::lsp {

/// "`x` = 256, of the input T; `t` = 100, to steps, the loop's end; planned for": where the length of each axis comes
/// from, and for which one the program is planned.
[[nodiscard]] std::string extents_text(const CheckedProgram& checked, const std::vector<std::string>& axes);

}  // namespace kasc::lsp
