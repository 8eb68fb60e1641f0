#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "frontend/foreign_parts.hpp"

// A number and what follows it without a sign between: 0xFF, 1.0d0, 2f, 10L, 1_000, 2j, and products, 2T.

namespace kasc::frontend {

namespace {

bool consists_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == std::string_view::npos;
}

std::string integer_of(std::string_view digits, int base) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const bool whole = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
    return whole && value < 1U << 31U ? std::to_string(value) : std::string();
}

struct Spelling {
    std::string here;        ///< empty: it is no number
    std::size_t tokens = 0;  ///< of the text from what was found on
};

/// 1.0d0 is a name behind a number, 1d-3 is one before a sign.
Spelling exponent(const SyntaxFault& fault) {
    const std::string_view number = text_of(fault.previous), suffix = text_of(fault.found);
    if (suffix.front() != 'd' && suffix.front() != 'D') return {};
    const std::string_view digits = suffix.substr(1);
    if (!digits.empty()) {
        const bool whole = consists_of(digits, "0123456789");
        return whole ? Spelling{fmt::format("{}e{}", number, digits), 1} : Spelling{};
    }
    const std::string_view sign = word_at(fault.tokens, fault.at + 1), power = word_at(fault.tokens, fault.at + 2);
    if ((sign != "-" && sign != "+") || !is_number(power) || !adjoin(fault.found, fault.tokens[fault.at + 1]))
        return {};
    return {fmt::format("{}e{}{}", number, sign, power), 3};
}

Spelling spelling(const SyntaxFault& fault) {
    const std::string_view number = text_of(fault.previous), suffix = text_of(fault.found);
    const std::string_view digits = suffix.substr(1);
    if (number == "0" && (suffix.front() == 'x' || suffix.front() == 'X')) return {integer_of(digits, 16), 1};
    if (number == "0" && (suffix.front() == 'b' || suffix.front() == 'B')) return {integer_of(digits, 2), 1};
    if (number == "0" && (suffix.front() == 'o' || suffix.front() == 'O')) return {integer_of(digits, 8), 1};
    if (suffix == "f" || suffix == "F") return {fmt::format("{}.0f", number), 1};
    if (consists_of(suffix, "uUlL") && suffix.size() < 4) return {std::string(number), 1};
    if (consists_of(suffix, "_0123456789")) {
        std::string both = std::string(number) + std::string(suffix);
        both.erase(std::remove(both.begin(), both.end(), '_'), both.end());
        return {both, 1};
    }
    return exponent(fault);
}

}  // namespace

bool report_foreign_number(const SyntaxFault& fault, Report& report) {
    const std::string_view number = text_of(fault.previous), found = text_of(fault.found);
    const bool product = is_word(found) || found == "(";
    if (!is_number(number) || !product || starts_line(fault.tokens, fault.at)) return false;
    const bool one = adjoin(fault.previous, fault.found);
    Span both{fault.found.source, fault.previous.begin, fault.found.end};
    if (const Spelling here = one && is_word(found) ? spelling(fault) : Spelling{}; !here.here.empty()) {
        both.end = fault.tokens[fault.at + here.tokens - 1].end;
        report.error("K0101", fmt::format("there is no number '{}'", text_of(both)), both).help =
            fmt::format("write '{}'", here.here);
        return true;
    }
    // Words of other languages between two numbers, 'T > 1 and T < 2', are no factors.
    static constexpr std::array<std::string_view, 16> between{
        "and", "or", "if", "else", "then", "for", "in", "is", "not", "to", "div", "mod", "xor", "where", "do", "step"};
    if (!one && (found == "(" || fault.rule == SyntaxRule::loop_head || fault.rule == SyntaxRule::table ||
                 std::find(between.begin(), between.end(), found) != between.end()))
        return false;
    const std::size_t next = fault.at + 1;
    const bool called = word_at(fault.tokens, next) == "(" || word_at(fault.tokens, next) == "[";
    std::string factor(found);
    if (is_word(found) && called) factor = shown(fault, {fault.at, closing(fault.tokens, next) + 1}, factor);
    if (found == "(") factor = shown(fault, {fault.at, closing(fault.tokens, fault.at) + 1}, "(...)");
    report.error("K0101", "a product is written with '*'", both).help =
        found == "j" || found == "i" || found == "im" || found == "I"
            ? fmt::format("write '{0}*{1}', or 'complex(0, {0})' where it is imaginary", number, found)
            : fmt::format("write '{}*{}'", number, factor);
    return true;
}

}  // namespace kasc::frontend
