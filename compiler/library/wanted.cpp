// A file is searched for the openings of its blocks, and no more is read of it:
//
//     /*# svmul3_1_load_2 metadata        function svmul3
//     /*# variants metadata               functions vadd2, vadd4, … to the block's end
//     vadd2 = vector2, 2
//     /*# vector3 metadata … Shape =      something else

#include "library/wanted.hpp"

#include <algorithm>

#include "library/c_tokens.hpp"
#include "library/part_name.hpp"

namespace kasc::library {

namespace {

std::string_view word_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    return text.substr(at, end - at);
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
}

/// Keys of a table's lines but for the first, which names the columns.
void add_rows(std::string_view block, Headings& headings) {
    for (std::size_t at = block.find('\n'); at != std::string_view::npos; at = block.find('\n', at + 1)) {
        const std::string_view key = word_at(block, skip_blanks(block, at + 1));
        if (!key.empty() && key != "function") headings.functions.emplace(key);
    }
}

}  // namespace

void add_words(std::string_view text, std::set<std::string, std::less<>>& words) {
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view word = word_at(text, at);
        if (!word.empty() && words.find(word) == words.end()) words.emplace(word);
        at += std::max<std::size_t>(word.size(), 1);
    }
}

Headings headings_of(std::string_view text) {
    Headings headings;
    // Past a block before the next is looked for: a file of openings alone takes no longer than any other.
    for (std::size_t at = text.find("/*#"), end = 0; at != std::string_view::npos; at = text.find("/*#", end)) {
        end = at + 3;
        const std::size_t begin = skip_blanks(text, end);
        const bool banner = end < text.size() && text[end] == '#';
        if (banner || (begin < text.size() && text[begin] == '$')) continue;  // the table of variants names it
        end = std::max(end, std::min(text.find("*/", end), text.size()));
        const std::string_view name = word_at(text, begin), block = text.substr(at, end - at);
        if (name == "variants") {
            add_rows(block, headings);
        } else if (name.empty() || name == "library" || block.find("Shape") != std::string_view::npos) {
            headings.has_others = true;
        } else if (const auto part = parse_part_name(name)) {
            headings.functions.insert(part->function);
        } else {
            headings.functions.emplace(name);
        }
    }
    return headings;
}

std::set<std::string, std::less<>> called_by_fields(const std::vector<SourceRef>& field_functions) {
    constexpr std::string_view keyword = "function";
    std::set<std::string, std::less<>> called, declared;
    for (const SourceRef& source : field_functions) {
        const std::string_view text = source->text;
        add_words(text, called);
        for (std::size_t at = text.find(keyword); at != std::string_view::npos; at = text.find(keyword, at + 1))
            declared.emplace(word_at(text, skip_blanks(text, at + keyword.size())));
    }
    for (const std::string& name : declared) called.erase(name);
    return called;
}

}  // namespace kasc::library
