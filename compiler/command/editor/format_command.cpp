// kasc format: each file by itself, so that what is at fault in one keeps no other from being formatted.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "command/exit.hpp"
#include "command/request.hpp"
#include "command/streams.hpp"
#include "format/format.hpp"
#include "frontend/parse.hpp"
#include "runtime/files/replacement.hpp"

namespace kasc::command {

namespace {

constexpr const char* standard_input = "-";

Outcome<SourceRef> read(const std::string& file) {
    if (file != standard_input) return read_program_file(file);
    // A program that is longer is refused for its length: more of it need not be read.
    std::string text(program_limits.bytes + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    return success(make_source("<standard input>", std::move(text)));
}

/// K0735 where the first line is that is laid out in another way.
Diagnostic not_formatted(const SourceRef& source, const std::string& formatted, const std::string& file) {
    const auto [was, is] = std::mismatch(source->text.begin(), source->text.end(), formatted.begin(), formatted.end());
    const auto at = static_cast<std::size_t>(was - source->text.begin());
    Diagnostic d = placeless("K0735", "the program is not formatted",
                             file == standard_input ? "kasc format -" : "kasc format " + file);
    d.span = {source, at, at + 1};
    d.label = "from here on";
    return d;
}

Diagnostics format_file(const FormatOptions& options, const std::string& file) {
    const auto source = read(file);
    if (!source) return source.diagnostics;
    const auto formatted = format_program(*source);
    if (!formatted) return formatted.diagnostics;
    const bool same = *formatted == (*source)->text;
    if (options.check) return same ? Diagnostics{} : Diagnostics{not_formatted(*source, *formatted, file)};
    if (file == standard_input) {
        tell(*formatted);
    } else if (!same) {
        return runtime::replace_file(file, *formatted);
    }
    return {};
}

}  // namespace

int format_command(const FormatOptions& options) {
    int status = good;
    Diagnostics all;
    for (const std::string& file : options.files) {
        const Diagnostics said = format_file(options, file);
        all.insert(all.end(), said.begin(), said.end());
    }
    if (!all.empty()) status = report(all, options.diagnostics);
    return status;
}

}  // namespace kasc::command
