#include "command/run/flags.hpp"

#include <CLI/CLI.hpp>
#include <charconv>

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

namespace {

constexpr const char* local_name = "local:";
constexpr int longest_overlap = 1024, most_blocks = 4096;

/// Digits alone; none: no number from 1 to `most`.
std::optional<int> count_in(std::string_view text, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= 1 && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<int>> blocks_in(std::string_view text) {
    std::vector<int> all;
    for (bool more = true; more;) {
        const std::size_t cross = text.find('x');
        const auto count = count_in(text.substr(0, cross), most_blocks);
        if (!count) return std::nullopt;
        all.push_back(*count);
        more = cross != std::string_view::npos;
        if (more) text.remove_prefix(cross + 1);
    }
    return all;
}

}  // namespace

CLI::Option* add_basis(CLI::App& sub, BasisOptions& basis, const std::string& group) {
    const auto is_basis = [](const std::string& text) {
        return text == "global" || overlap_of({text, {}}) ? "" : "global, or local with an overlap, as local:16";
    };
    const auto are_blocks = [](const std::string& text) { return blocks_in(text) ? "" : "blocks by axis, as 2x2x2"; };
    auto* local = sub.add_option("--basis", basis.basis,
                                 "how processes decompose transforms: global gives the results of one process; "
                                 "local:16 in blocks that overlap by 16 cells, with less to send and an error that is "
                                 "known (docs/ranks.md)")
                      ->check(CLI::Validator(is_basis, ""))
                      ->type_name("global|local:N")
                      ->group(group)
                      ->capture_default_str();
    sub.add_option("--blocks", basis.blocks,
                   "of a local basis, along each transformed axis; default: as few cells as "
                   "can be in each")
        ->needs(local)
        ->check(CLI::Validator(are_blocks, ""))
        ->type_name("2x2x2")
        ->group(group);
    return local;
}

bool is_local(const BasisOptions& basis) { return basis.basis.starts_with(local_name); }

std::optional<int> overlap_of(const BasisOptions& basis) {
    if (!is_local(basis)) return std::nullopt;
    return count_in(std::string_view(basis.basis).substr(std::string_view(local_name).size()), longest_overlap);
}

std::vector<int> blocks_asked(const BasisOptions& basis) {
    return blocks_in(basis.blocks).value_or(std::vector<int>{});
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
