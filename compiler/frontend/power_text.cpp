#include "frontend/power_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "frontend/token_words.hpp"

namespace kasc::frontend {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool opens(char c) { return c == '(' || c == '['; }
bool closes(char c) { return c == ')' || c == ']'; }

/// Where the operand begins that ends before `end`.
std::size_t operand_before(std::string_view text, std::size_t end) {
    std::size_t at = end;
    while (at > 0 && closes(text[at - 1])) {
        std::size_t depth = 0;
        do {
            --at;
            if (closes(text[at])) ++depth;
            if (opens(text[at])) --depth;
        } while (at > 0 && depth > 0);
    }
    while (at > 0 && is_of_word(text[at - 1])) --at;
    return at;
}

/// Where the operand ends that begins at `begin`, a sign before it or not.
std::size_t operand_behind(std::string_view text, std::size_t begin) {
    std::size_t at = begin;
    if (at < text.size() && text[at] == '-') ++at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    while (at < text.size() && opens(text[at])) {
        std::size_t depth = 0;
        do {
            if (opens(text[at])) ++depth;
            if (closes(text[at])) --depth;
            ++at;
        } while (at < text.size() && depth > 0);
    }
    return at;
}

/// (x - 5) is x - 5 as an argument.
std::string without_brackets(std::string text) {
    if (text.size() < 3 || text.front() != '(' || operand_behind(text, 0) != text.size()) return text;
    return text.substr(1, text.size() - 2);
}

}  // namespace

PowerText power_at(const Span& sign) {
    const std::string_view text = sign.source->text;
    std::size_t before = sign.begin, behind = sign.end;
    while (before > 0 && text[before - 1] == ' ') --before;
    while (behind < text.size() && text[behind] == ' ') ++behind;
    PowerText power;
    power.span = {sign.source, operand_before(text, before), operand_behind(text, behind)};
    power.base = without_brackets(short_text({sign.source, power.span.begin, before}));
    power.exponent = without_brackets(short_text({sign.source, behind, power.span.end}));
    std::size_t around = power.span.begin;
    while (around > 0 && text[around - 1] == ' ') --around;
    power.divides = around > 0 && (text[around - 1] == '/' || text[around - 1] == '%');
    return power;
}

std::string help_for_power(const PowerText& power, bool of_products) {
    const std::string base = power.base.empty() ? "a" : power.base;
    const std::string exponent = power.exponent.empty() ? "b" : power.exponent;
    const bool name = std::all_of(base.begin(), base.end(), is_of_word) && is_word(base);
    const auto product = [&](std::string_view times) {
        const std::string factor = name ? base : fmt::format("({})", base);
        const std::string all = times == "3" ? fmt::format("{0}*{0}*{0}", factor) : fmt::format("{0}*{0}", factor);
        return power.divides ? fmt::format("({})", all) : all;
    };
    if (of_products)
        return exponent == "2" || exponent == "3" ? fmt::format("a power is a product: '{}'", product(exponent))
                                                  : "a power is a product: 'z*z'";
    const bool digits = exponent.find_first_not_of("0123456789", exponent.front() == '-' ? 1 : 0) == std::string::npos;
    if (base == "10" && digits) return fmt::format("a power of ten is '1e{}'", exponent);
    if (exponent == "2" && name) return fmt::format("a power is 'pow({}, 2)', a square '{}'", base, product("2"));
    if (exponent == "0.5") return fmt::format("a power is 'pow({0}, 0.5)', a root 'sqrt({0})'", base);
    return fmt::format("a power is 'pow({}, {})'", base, exponent);
}

}  // namespace kasc::frontend
