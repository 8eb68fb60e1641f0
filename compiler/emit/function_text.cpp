// Library functions in emitted files: the author's text passes through untouched but for its name, behind the constants
// that it is written over (APIN0, MMUL33_1_BY). In checking mode the text is compiled over checking pointers: `float *`
// becomes kasc_pointer, token by token, so that every access to shared and global memory is seen while local floats
// stay floats.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>
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

std::string macro_name(const std::string& line) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::size_t at = line.find("define");
    if (at == std::string::npos) return {};
    at += std::string("define").size();
    while (at < line.size() && !is_word(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    return line.substr(at, end - at);
}

std::set<std::string> words_of(const std::string& text) {
    std::set<std::string> words;
    for (const std::string& token : tokens(text)) {
        if (!is_blank(token)) words.insert(token);
    }
    return words;
}

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

namespace {

using Named = std::pair<std::string, std::string>;

bool is_number(const std::string& value) {
    return std::none_of(value.begin(), value.end(), [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
}

/// "(tx*27)" → "tx * 27"
std::string as_written(std::string value) {
    int depth = 0;
    bool whole = value.starts_with('(');
    for (std::size_t i = 0; i + 1 < value.size() && whole; ++i) {
        depth += value[i] == '(' ? 1 : value[i] == ')' ? -1 : 0;
        whole = depth > 0;
    }
    if (whole) value = value.substr(1, value.size() - 2);
    std::string spaced;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const bool apart = i > 0 && (value[i] == '*' || value[i] == '+') && value.find(' ') == std::string::npos;
        spaced += apart ? fmt::format(" {} ", value[i]) : std::string(1, value[i]);
    }
    return spaced;
}

/// The author's text asks the preprocessor for it.
bool is_of_preprocessor(const std::string& text, const std::string& name) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first != std::string::npos && line[first] == '#' && words_of(line).contains(name)) return true;
    }
    return false;
}

/// What the function names, itself or through what it names.
std::vector<Named> used_macros(const kernel::FunctionVariant& function) {
    std::set<std::string> words = words_of(function.function.text);
    for (const std::string& macro : used_helpers(function).macros) words.merge(words_of(macro));
    for (const Named& macro : function.macros) {
        if (words.contains(macro.first)) words.merge(words_of(macro.second));
    }
    std::vector<Named> used;
    std::copy_if(function.macros.begin(), function.macros.end(), std::back_inserter(used),
                 [&](const Named& macro) { return words.contains(macro.first); });
    return used;
}

/// Constants in front of the body; numbers first, since others may be reckoned from them.
std::string with_constants(const std::string& text, const std::vector<Named>& constants) {
    std::string numbers, others;
    for (const auto& [name, value] : constants) {
        std::string& list = is_number(value) ? numbers : others;
        list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", name, as_written(value));
    }
    std::string inserted;
    if (!numbers.empty()) inserted += fmt::format("\n    constexpr int {};", numbers);
    if (!others.empty()) inserted += fmt::format("\n    const int {};", others);
    std::string out;
    bool done = inserted.empty();
    for (const std::string& token : tokens(text)) {
        out += token;
        if (!done && token == "{") out += inserted;
        done = done || token == "{";
    }
    return out;
}

}  // namespace

UsedHelpers used_helpers(const kernel::FunctionVariant& function) {
    std::set<std::string> words = words_of(function.function.text);
    for (std::size_t known = 0; known != words.size();) {
        known = words.size();
        for (const DeviceFunction& helper : function.helpers) {
            if (words.contains(helper.name)) words.merge(words_of(helper.text));
        }
        for (const std::string& macro : function.helper_macros) {
            if (words.contains(macro_name(macro))) words.merge(words_of(macro));
        }
    }
    UsedHelpers used;
    for (const DeviceFunction& helper : function.helpers) {
        if (words.contains(helper.name)) used.functions.push_back(helper.text);
    }
    for (const std::string& macro : function.helper_macros) {
        if (words.contains(macro_name(macro))) used.macros.push_back(macro);
    }
    return used;
}

std::set<std::string> types_in(const kernel::FunctionVariant& function, const std::vector<std::string>& types) {
    std::set<std::string> words = words_of(function.function.text), used;
    for (const std::string& helper : used_helpers(function).functions) words.merge(words_of(helper));
    for (const std::string& type : types) {
        if (words.contains(type)) used.insert(type);
    }
    return used;
}

void write_function(Writer& out, const kernel::FunctionVariant& function, Target target) {
    std::vector<Named> macros, constants;
    for (const Named& macro : used_macros(function))
        (is_of_preprocessor(function.function.text, macro.first) ? macros : constants).push_back(macro);
    const Span span = as_given(function.function.span);
    if (span.source && !span.source->text.empty()) {
        out.line("// {}:{}", std::filesystem::path(span.source->name).filename().string(),
                 line_column(*span.source, span.begin).line);
    }
    for (const auto& [macro, value] : macros) out.raw_line(fmt::format("#define {} {}", macro, value));
    const std::string text =
        with_constants(renamed(function.function.text, function.author_name, function.name), constants);
    out.raw_line(target == Target::cpu_checking ? traced_text(text) : text);
    for (const auto& macro : macros) out.raw_line(fmt::format("#undef {}", macro.first));
    out.blank();
}

void write_checked_function(Writer& out, const kernel::FunctionVariant& function, const std::string& own_file,
                            Target target) {
    for (const auto& [macro, value] : function.macros) out.raw_line(fmt::format("#define {} {}", macro, value));
    const Span span = as_given(function.function.span);
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
