#pragma once
// What an input file says of a program beyond its inputs: datasets of one number, named as an option, a parameter or a
// field `or uniform` of the program.

#include "driver/compilation.hpp"

namespace kasc::command {

/// The request with those numbers among its settings; what the request sets itself comes first. A file that cannot be
/// read changes nothing: reading the inputs will say so.
[[nodiscard]] CompileRequest with_file_settings(CompileRequest request, const std::string& path);

}  // namespace kasc::command
