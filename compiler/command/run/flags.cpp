#include "command/run/flags.hpp"

#include <CLI/CLI.hpp>

namespace kasc::command {

CLI::Option* add_no_cache(CLI::App& sub, bool& no_cache) {
    return sub.add_flag("--no-cache", no_cache, "build again what was built before (kasc cache --help)");
}

CLI::Option* add_timing(CLI::App& sub, std::string& timing) {
    return sub
        .add_flag("--timing{text}", timing,
                  "say where the time went, phase by phase; --timing=json: in one line of JSON")
        ->check(CLI::IsMember({"text", "json"}));
}

}  // namespace kasc::command
