#include "command/run/flags.hpp"

#include <CLI/CLI.hpp>

namespace kasc::command {

void add_diagnostics(CLI::App& app, DiagnosticsFormat& chosen) {
    app.add_option_function<std::string>(
           "--diagnostics",
           [&chosen](const std::string& format) {
               chosen = format == "json" ? DiagnosticsFormat::json : DiagnosticsFormat::text;
           },
           "text or json")
        ->check(CLI::IsMember({"text", "json"}));
}

CLI::Option* add_no_cache(CLI::App& sub, bool& no_cache) {
    return sub.add_flag("--no-cache", no_cache, "build again what was built before (kasc cache --help)");
}

CLI::Option* add_pass_times(CLI::App& sub, bool& timing) {
    return sub.add_flag("--timing", timing, "say how long the passes of the compiler took; with json, in it");
}

CLI::Option* add_timing(CLI::App& sub, std::string& timing) {
    return sub
        .add_flag("--timing{text}", timing,
                  "say where the time went, phase by phase; --timing=json: in one line of JSON")
        ->check(CLI::IsMember({"text", "json"}));
}

CLI::Option* add_share(CLI::App& sub, std::string& share) {
    return sub
        .add_option(
            "--share", share,
            "among GPUs or processes: priced leaves small arrays and launches whole, always shares all that can be")
        ->check(CLI::IsMember({"priced", "always"}))
        ->capture_default_str();
}

}  // namespace kasc::command
