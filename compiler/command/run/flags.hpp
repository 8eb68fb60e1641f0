#pragma once
// Flags that several commands share, told alike.

#include <string>

#include "command/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kasc::command {

/// --diagnostics text|json.
void add_diagnostics(CLI::App& app, DiagnosticsFormat& chosen);
CLI::Option* add_no_cache(CLI::App& sub, bool& no_cache);
/// What ranks share.
CLI::Option* add_share(CLI::App& sub, std::string& share);
/// How long the passes of the compiler took.
CLI::Option* add_pass_times(CLI::App& sub, bool& timing);
/// `timing` becomes text or json; it stays empty without the flag.
CLI::Option* add_timing(CLI::App& sub, std::string& timing);

}  // namespace kasc::command
