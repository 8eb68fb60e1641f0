#pragma once
// Options → a compile request.

#include <map>
#include <string>

#include "command/options.hpp"
#include "driver/compilation.hpp"

namespace kasc::command {

/// Reads the program's file and the settings. K0700 no such program file; K0901, K0902 for the call.
[[nodiscard]] Outcome<CompileRequest> make_request(const CommonOptions& options, const std::string& default_device);

}  // namespace kasc::command
