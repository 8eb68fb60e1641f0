#include "command/view/texts.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace kasc::command {

namespace {

/// The whole text as a number.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Around the first of these letters.
std::optional<std::pair<std::string_view, std::string_view>> halves(std::string_view text, char between) {
    const std::size_t at = text.find(between);
    if (at == std::string_view::npos) return std::nullopt;
    return std::pair(text.substr(0, at), text.substr(at + 1));
}

}  // namespace

std::optional<Place> read_place(const std::string& text) {
    if (text == "peak") return Place{};
    if (text == "middle") return Place{Place::Kind::middle};
    const auto index = read_number<std::uint64_t>(text);
    if (!index) return std::nullopt;
    return Place{Place::Kind::index, *index};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> read_span(const std::string& text) {
    const auto parts = halves(text, '-').value_or(std::pair<std::string_view, std::string_view>(text, text));
    const auto first = read_number<std::uint64_t>(parts.first), last = read_number<std::uint64_t>(parts.second);
    if (!first || !last || *first > *last) return std::nullopt;
    return std::pair(*first, *last);
}

std::optional<std::pair<double, double>> read_range(const std::string& text) {
    const auto parts = halves(text, ':');
    if (!parts) return std::nullopt;
    const auto low = read_number<double>(parts->first), high = read_number<double>(parts->second);
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low < *high)) return std::nullopt;
    return std::pair(*low, *high);
}

}  // namespace kasc::command
