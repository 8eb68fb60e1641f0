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

namespace {

using Words = std::set<std::string, std::less<>>;

/// What stands before and behind a part in braces: "laplace{n}_x" is {"laplace", "_x"}.
using Affixes = std::pair<std::string, std::string>;

bool in_word(char c) { return is_letter(c) || is_digit(c); }

void add_affixes(std::string_view text, std::set<Affixes>& affixes) {
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
        const std::size_t close = open + 1 + word_at(text, open + 1).size();
        if (close == open + 1 || close >= text.size() || text[close] != '}') continue;
        if (open > 0 && text[open - 1] == '}')
            continue;  // of more parts than one the first letters alone are looked at
        std::size_t begin = open;
        while (begin > 0 && in_word(text[begin - 1])) --begin;
        const std::string_view behind = word_at(text, close + 1);
        const std::size_t end = close + 1 + behind.size();
        const bool more = (begin > 0 && text[begin - 1] == '}') || (end < text.size() && text[end] == '{');
        const std::string before(text.substr(begin, open - begin));
        if (more) affixes.insert({before, "*"});
        if (!more && (begin < open || !behind.empty())) affixes.insert({before, std::string(behind)});
    }
}

bool is_made_of(std::string_view name, const Affixes& affixes, const Words& words) {
    const auto& [before, behind] = affixes;
    if (!name.starts_with(before)) return false;
    if (behind == "*") return true;
    if (!name.ends_with(behind) || name.size() <= before.size() + behind.size()) return false;
    const std::string_view part = name.substr(before.size(), name.size() - before.size() - behind.size());
    return words.contains(part) || std::all_of(part.begin(), part.end(), [](char c) { return is_digit(c); });
}

Words declared_in(std::string_view text) {
    constexpr std::string_view keyword = "function";
    Words declared;
    for (std::size_t at = text.find(keyword); at != std::string_view::npos; at = text.find(keyword, at + 1)) {
        const std::size_t name = skip_blanks(text, at + keyword.size());
        const bool word = (at == 0 || !in_word(text[at - 1])) && name > at + keyword.size();
        if (word && !word_at(text, name).empty()) declared.emplace(word_at(text, name));
    }
    return declared;
}

}  // namespace

std::vector<SourceRef> called_files(const std::vector<SourceRef>& field_functions,
                                    const std::vector<std::string_view>& texts, std::vector<std::string>& unread) {
    Words words;
    std::set<Affixes> affixes;
    const auto add = [&](std::string_view text) {
        add_words(text, words);
        add_affixes(text, affixes);
    };
    for (const std::string_view text : texts) add(text);
    const auto is_called = [&](const std::string& name) {
        return words.contains(name) || std::any_of(affixes.begin(), affixes.end(),
                                                   [&](const Affixes& some) { return is_made_of(name, some, words); });
    };
    std::vector<bool> wanted(field_functions.size(), false);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < field_functions.size(); ++i) {
            const std::string_view text = field_functions[i]->text;
            const Words declared = declared_in(text);
            if (wanted[i] || std::none_of(declared.begin(), declared.end(), is_called)) continue;
            wanted[i] = more = true;
            add(text);
        }
    }
    std::vector<SourceRef> called;
    for (std::size_t i = 0; i < field_functions.size(); ++i) {
        if (wanted[i]) {
            called.push_back(field_functions[i]);
        } else {
            const Words declared = declared_in(field_functions[i]->text);
            unread.insert(unread.end(), declared.begin(), declared.end());
        }
    }
    return called;
}

std::set<std::string, std::less<>> called_by_fields(const std::vector<SourceRef>& field_functions) {
    std::set<std::string, std::less<>> called, declared;
    for (const SourceRef& source : field_functions) {
        add_words(source->text, called);
        declared.merge(declared_in(source->text));
    }
    for (const std::string& name : declared) called.erase(name);
    return called;
}

}  // namespace kasc::library
