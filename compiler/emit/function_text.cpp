// Library functions in emitted files: the author's text passes through untouched but for its name. In checking mode
// the text is compiled over checking pointers: `float *` becomes kasc_pointer, token by token, so that every access to
// shared and global memory is seen while local floats stay floats.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <vector>

#include "emit/kernel_text.hpp"

namespace kasc::emit {

namespace {

/// Pieces of C text: identifiers, single other characters, and whole comments, literals and runs of blanks.
std::vector<std::string> tokens(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t j = i + 1;
        const auto c = static_cast<unsigned char>(text[i]);
        if (std::isalpha(c) != 0 || c == '_') {
            while (j < text.size() && (std::isalnum(static_cast<unsigned char>(text[j])) != 0 || text[j] == '_')) ++j;
        } else if (std::isspace(c) != 0) {
            while (j < text.size() && std::isspace(static_cast<unsigned char>(text[j])) != 0) ++j;
        } else if (text.compare(i, 2, "//") == 0) {
            j = std::min(text.find('\n', i), text.size());
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            j = end == std::string::npos ? text.size() : end + 2;
        } else if (c == '"' || c == '\'') {
            while (j < text.size() && text[j] != text[i]) j += text[j] == '\\' ? 2 : 1;
            j = std::min(j + 1, text.size());
        }
        all.push_back(text.substr(i, j - i));
        i = j;
    }
    return all;
}

bool is_blank(const std::string& token) {
    return std::isspace(static_cast<unsigned char>(token.front())) != 0 || token.starts_with("/*") ||
           token.starts_with("//");
}

/// Index of the first token at or after i that is no blank.
std::size_t skip(const std::vector<std::string>& all, std::size_t i) {
    while (i < all.size() && is_blank(all[i])) ++i;
    return i;
}

std::string renamed(const std::string& text, const std::string& from, const std::string& to) {
    std::string out;
    for (const std::string& token : tokens(text)) out += token == from ? to : token;
    return out;
}

}  // namespace

std::string traced_text(const std::string& author_text) {
    const std::vector<std::string> all = tokens(author_text);
    std::string out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // reinterpret_cast < [const] float4 * >  and  ( [const] float4 * )
        if (all[i] == "reinterpret_cast") {
            std::size_t k = skip(all, i + 1);
            if (k < all.size() && all[k] == "<") {
                k = skip(all, k + 1);
                if (k < all.size() && all[k] == "const") k = skip(all, k + 1);
                const std::size_t star = skip(all, k + 1), close = skip(all, star + 1);
                if (close < all.size() && all[k] == "float4" && all[star] == "*" && all[close] == ">") {
                    out += "kasc_pointer4";
                    i = close;
                    continue;
                }
            }
        }
        const bool after_const = all[i] == "const";
        const std::size_t type = after_const ? skip(all, i + 1) : i;
        if (type < all.size() && all[type] == "float") {
            std::size_t star = skip(all, type + 1);
            if (star < all.size() && all[star] == "const") star = skip(all, star + 1);
            if (star < all.size() && all[star] == "*") {
                out += "kasc_pointer ";
                i = star;
                const std::size_t next = skip(all, star + 1);
                if (next < all.size() && (all[next] == "__restrict__" || all[next] == "const")) i = next;
                continue;
            }
        }
        out += all[i];
    }
    return out;
}

void write_function(Writer& out, const kernel::FunctionVariant& function, const std::string& own_file, Target target) {
    for (const auto& [macro, value] : function.macros) out.raw_line(fmt::format("#define {} {}", macro, value));
    const auto& span = function.function.span;
    if (span.source && !span.source->text.empty()) {
        out.raw_line(fmt::format("#line {} \"{}\"", line_column(*span.source, span.begin).line,
                                 std::filesystem::path(span.source->name).filename().string()));
    }
    const std::string text = renamed(function.function.text, function.author_name, function.name);
    out.raw_line(target == Target::cpu_checking ? traced_text(text) : text);
    out.raw_line(fmt::format("#line {} \"{}\"", out.next_line() + 1, own_file));
    for (const auto& macro : function.macros) out.raw_line(fmt::format("#undef {}", macro.first));
    out.blank();
}

}  // namespace kasc::emit
