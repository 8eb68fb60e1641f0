#pragma once
// Names by which a call says numbers of a program: --set NAME=…

#include <string>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Sizes, parameters, options, fields `or uniform`.
[[nodiscard]] std::vector<std::string> setting_names(const Program& program);

/// The one of them that is meant: "n" and "elements" both say how many elements there are, where nothing else of the
/// program has the name.
[[nodiscard]] std::string own_name(const Program& program, const std::string& setting);

}  // namespace kasc
