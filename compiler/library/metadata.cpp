// A block and what is read from it:
//
//     /*# svmul3_1_save metadata        name = svmul3_1_save
//     Data type = vector3               key = "Data type", value = "vector3"
//     #*/

#include "library/metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kasc::library {

namespace {

constexpr std::size_t longest_key = 64;  // letters that are compared with the known ones

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// [begin, end) of the text without blanks around.
Span trimmed(const Faults& faults, std::size_t begin, std::size_t end) {
    const std::string& text = faults.source()->text;
    while (begin < end && is_blank(text[begin])) ++begin;
    while (end > begin && is_blank(text[end - 1])) --end;
    return faults.span(begin, end);
}

std::string single_blanks(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (!is_blank(c)) {
            result.push_back(c);
        } else if (!result.empty() && result.back() != ' ') {
            result.push_back(' ');
        }
    }
    return result;
}

std::optional<MetadataBlock> parse_heading(const Span& heading, Faults& faults) {
    const std::string_view text = text_of(heading);
    const std::size_t name_end = std::min(text.find_first_of(" \t"), text.size());
    const Span rest = trimmed(faults, heading.begin + name_end, heading.end);
    if (!is_identifier(text.substr(0, name_end)) || text_of(rest) != "metadata") {
        Span at = heading;
        if (at.begin == at.end) at.begin -= 1;  // an empty heading: the '#' itself
        faults.add("K0304", at, "a metadata block starts with '<name> metadata'", "",
                   "for example '/*# svmul3_1_save metadata'; for a plain comment leave out the '#'");
        return std::nullopt;
    }
    MetadataBlock block;
    block.name = std::string(text.substr(0, name_end));
    block.name_span = faults.span(heading.begin, heading.begin + name_end);
    return block;
}

void parse_line(const Span& line, MetadataBlock& block, Faults& faults) {
    const std::string_view text = text_of(line);
    if (text.empty()) return;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        faults.add("K0304", line, "a metadata line is 'KEY = value'", equals == 0 ? "no key" : "no '='",
                   "one key a line, for example 'BX = 32'");
        return;
    }
    Entry entry;
    entry.key_span = trimmed(faults, line.begin, line.begin + equals);
    entry.key = single_blanks(text_of(entry.key_span));
    entry.value_span = trimmed(faults, line.begin + equals + 1, line.end);
    entry.value = std::string(text_of(entry.value_span));
    block.entries.push_back(std::move(entry));
}

/// "INPATTERN 12" → "INPATTERN #"; other keys as they are.
std::string general_key(const std::string& key) {
    const std::size_t blank = key.rfind(' ');
    if (blank == std::string::npos || blank + 1 == key.size()) return key;
    const bool number = std::all_of(key.begin() + static_cast<std::ptrdiff_t>(blank) + 1, key.end(), is_digit);
    return number ? key.substr(0, blank) + " #" : key;
}

}  // namespace

std::optional<MetadataBlock> parse_metadata(const Token& token, Faults& faults) {
    const std::string& text = faults.source()->text;
    std::size_t at = token.begin + 3;       // after /*#
    const std::size_t end = token.end - 3;  // before #*/
    const auto line_end = [&](std::size_t from) { return std::min(text.find('\n', from), end); };
    auto block = parse_heading(trimmed(faults, at, line_end(at)), faults);
    for (at = line_end(at); at < end; at = line_end(at + 1)) {
        if (block) parse_line(trimmed(faults, at + 1, line_end(at + 1)), *block, faults);
    }
    return block;
}

Keys::Keys(const MetadataBlock& block, const std::vector<std::string>& known, Faults& faults)
    : block_(block), faults_(faults) {
    std::map<std::string, const Entry*> first;
    for (const Entry& entry : block.entries) {
        if (std::find(known.begin(), known.end(), general_key(entry.key)) == known.end()) {
            if (const auto near = nearest_name(entry.key.substr(0, longest_key), known)) meant_.push_back(*near);
            faults.add("K0305", entry.key_span, fmt::format("unknown key '{}'", entry.key),
                       fmt::format("not a key of '{}'", block.name),
                       suggest(entry.key, known, fmt::format("the keys here are: {}", fmt::join(known, ", "))));
            continue;
        }
        const auto [place, inserted] = first.emplace(entry.key, &entry);
        if (!inserted) {
            faults.add("K0306", entry.key_span, fmt::format("key '{}' stands twice", entry.key), "the second",
                       "remove one of the two", Note{place->second->key_span, "the first is here"});
        }
    }
}

const Entry* Keys::find(const std::string& key) const {
    for (const Entry& entry : block_.entries) {
        if (entry.key == key) return &entry;
    }
    return nullptr;
}

const Entry* Keys::require(const std::string& key, const std::string& example) const {
    const Entry* entry = find(key);
    if (!entry && std::find(meant_.begin(), meant_.end(), key) == meant_.end()) {
        faults_.add("K0307", block_.name_span, fmt::format("'{}' has no key '{}'", block_.name, key), "",
                    fmt::format("add a line such as '{}'", example));
    }
    return entry;
}

}  // namespace kasc::library
