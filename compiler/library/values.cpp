#include "library/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kasc::library {

namespace {

bool is_space_in_line(char c) { return c == ' ' || c == '\t' || c == '\r'; }

Word trimmed_word(const Span& span) {
    const std::string_view text = text_of(span);
    std::size_t begin = 0, end = text.size();
    while (begin < end && is_space_in_line(text[begin])) ++begin;
    while (end > begin && is_space_in_line(text[end - 1])) --end;
    return {std::string(text.substr(begin, end - begin)), {span.source, span.begin + begin, span.begin + end}};
}

}  // namespace

std::optional<int> read_integer(const Word& value, int least, int most, Faults& faults) {
    int number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto [stop, error] = std::from_chars(value.text.data(), end, number);
    const bool digits = !value.text.empty() && std::all_of(value.text.begin(), value.text.end(), is_digit);
    if (digits && error == std::errc() && stop == end && number >= least && number <= most) return number;
    faults.add("K0308", value.span, fmt::format("expected an integer from {} to {}", least, most), "",
               value.text.empty() ? "the value is missing"
               : digits           ? "choose a value in this range"
                                  : "write it in decimal digits");
    return std::nullopt;
}

std::optional<Extent> read_extent(const Entry& entry, int most, Faults& faults) {
    const std::string_view text = entry.value;
    Extent extent;
    if (!text.starts_with("size")) {
        if (text.empty() || !is_digit(text.front())) {
            faults.add("K0308", entry.value_span, fmt::format("'{}' is an integer or 'size'", entry.key), "",
                       "write for example '32', 'size' or 'size (recommended 32)'");
            return std::nullopt;
        }
        extent.fixed = read_integer({entry.value, entry.value_span}, 1, most, faults);
        return extent.fixed ? std::optional(extent) : std::nullopt;
    }
    const Span after_size{entry.value_span.source, entry.value_span.begin + 4, entry.value_span.end};
    const Word rest = trimmed_word(after_size);
    if (rest.text.empty()) return extent;

    constexpr std::string_view opening = "(recommended";
    if (!rest.text.starts_with(opening) || rest.text.back() != ')') {
        faults.add("K0308", rest.span, "expected '(recommended <n>)' after 'size'", "",
                   "write 'size' alone or 'size (recommended 32)'");
        return std::nullopt;
    }
    const Span inside{rest.span.source, rest.span.begin + opening.size(), rest.span.end - 1};
    extent.recommended = read_integer(trimmed_word(inside), 1, most, faults);
    return extent.recommended ? std::optional(extent) : std::nullopt;
}

std::vector<Word> read_list(const Entry& entry, Faults& faults) {
    std::vector<Word> words;
    if (entry.value.empty()) return words;
    std::size_t begin = 0;
    while (begin <= entry.value.size()) {
        const std::size_t end = std::min(entry.value.find(',', begin), entry.value.size());
        const Span part{entry.value_span.source, entry.value_span.begin + begin, entry.value_span.begin + end};
        words.push_back(trimmed_word(part));
        if (words.back().text.empty()) {
            faults.add("K0308", words.back().span, fmt::format("an item of '{}' is missing", entry.key), "",
                       "separate the items by single commas");
        }
        begin = end + 1;
    }
    return words;
}

}  // namespace kasc::library
