#pragma once
// The flags of the commands that editors and authors call: kasc format, kasc lsp.

#include <CLI/CLI.hpp>

#include "command/options.hpp"

namespace kasc::command {

void add_format(CLI::App& app, FormatOptions& options);
void add_lsp(CLI::App& app, LspOptions& options);

}  // namespace kasc::command
