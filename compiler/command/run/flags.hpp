#pragma once
// Flags that several commands share, told alike.

#include <optional>
#include <string>
#include <vector>

#include "command/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kasc::command {

/// --diagnostics text|json.
void add_diagnostics(CLI::App& app, DiagnosticsFormat& chosen);
CLI::Option* add_no_cache(CLI::App& sub, bool& no_cache);
/// How processes decompose transforms.
CLI::Option* add_basis(CLI::App& sub, BasisOptions& basis, const std::string& group = "Options");
[[nodiscard]] bool is_local(const BasisOptions& basis);
/// The overlap of a local one; none: it is global, or no basis.
[[nodiscard]] std::optional<int> overlap_of(const BasisOptions& basis);
/// By axis; empty: they are chosen.
[[nodiscard]] std::vector<int> blocks_asked(const BasisOptions& basis);
/// What ranks share.
CLI::Option* add_share(CLI::App& sub, std::string& share);
/// How long the passes of the compiler took.
CLI::Option* add_pass_times(CLI::App& sub, bool& timing);
/// `timing` becomes text or json; it stays empty without the flag.
CLI::Option* add_timing(CLI::App& sub, std::string& timing);

}  // namespace kasc::command
