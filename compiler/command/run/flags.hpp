#pragma once
// Flags that several commands share, told alike.

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kasc::command {

CLI::Option* add_no_cache(CLI::App& sub, bool& no_cache);
/// `timing` becomes text or json; it stays empty without the flag.
CLI::Option* add_timing(CLI::App& sub, std::string& timing);

}  // namespace kasc::command
