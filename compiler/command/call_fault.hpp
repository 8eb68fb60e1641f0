#pragma once
// A command line that is not understood, as a diagnostic.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command/options.hpp"
#include "foundation/diagnostic.hpp"

namespace kasc::command {

/// The format that the call wants, which the parser may not have come to. `arguments`: behind the program's name.
[[nodiscard]] DiagnosticsFormat wanted_format(const std::vector<std::string>& arguments);

/// K0916, with what the parser says, and the command or the value that may be meant.
[[nodiscard]] Diagnostic call_fault(const CLI::App& app, const CLI::ParseError& error,
                                    const std::vector<std::string>& arguments);

}  // namespace kasc::command
