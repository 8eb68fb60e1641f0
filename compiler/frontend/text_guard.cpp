#include "frontend/text_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "frontend/parse.hpp"

namespace kasc::frontend {

namespace {

/// Where a comment opens that is never closed. No name of a file has such signs.
std::optional<std::size_t> unclosed_comment(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size();) {
        if (text[i] != '/' || (text[i + 1] != '/' && text[i + 1] != '*')) {
            ++i;
            continue;
        }
        const bool line = text[i + 1] == '/';
        const std::size_t end = line ? text.find('\n', i) : text.find("*/", i + 2);
        if (end == std::string_view::npos) return line ? std::nullopt : std::optional(i);
        i = end + (line ? 1 : 2);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> lexer_text(const SourceRef& source, Report& report) {
    const std::string& text = source->text;
    if (text.size() > program_limits.bytes) {
        report.error("K0106", fmt::format("the program is longer than {} bytes", program_limits.bytes),
                     {source, program_limits.bytes, program_limits.bytes + 1}, "from here on");
        return std::nullopt;
    }
    if (const auto open = unclosed_comment(text)) {
        report.error("K0103", "the comment is not closed", {source, *open, *open + 2}, "opens here").help =
            "close it with '*/'";
        return std::nullopt;
    }
    return ascii_of(text);
}

std::string ascii_of(const std::string& text) {
    std::string ascii = text;
    std::replace_if(
        ascii.begin(), ascii.end(), [](char c) { return c == '\0' || static_cast<unsigned char>(c) >= 0x80; }, '\x7F');
    if (text.starts_with("\xEF\xBB\xBF")) ascii.replace(0, 3, "   ");  // the byte order mark of some editors
    return ascii;
}

}  // namespace kasc::frontend
