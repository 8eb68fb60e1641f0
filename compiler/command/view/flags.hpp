#pragma once
// The flags of kasc view.

#include <CLI/CLI.hpp>

#include "command/options.hpp"

namespace kasc::command {

void add_view(CLI::App& app, ViewOptions& options);

}  // namespace kasc::command
