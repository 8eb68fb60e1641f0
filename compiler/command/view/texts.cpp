#include "command/view/texts.hpp"

#include <algorithm>
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
    if (const auto index = read_number<std::uint64_t>(text)) return Place{Place::Kind::index, *index};
    Place place{Place::Kind::cell};
    std::string_view rest = text;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto parts = halves(rest, ',');
        if (parts.has_value() != (k < 2)) return std::nullopt;
        const auto index = read_number<std::uint64_t>(parts ? parts->first : rest);
        if (!index) return std::nullopt;
        place.cell.at(k) = *index;
        if (parts) rest = parts->second;
    }
    return place;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> read_span(const std::string& text) {
    const auto parts = halves(text, '-').value_or(std::pair<std::string_view, std::string_view>(text, text));
    const auto first = read_number<std::uint64_t>(parts.first), last = read_number<std::uint64_t>(parts.second);
    if (!first || !last || *first > *last) return std::nullopt;
    return std::pair(*first, *last);
}

std::optional<AxisSpacing> read_spacing(const std::string& text) {
    const auto parts = halves(text, '=');
    if (!parts || parts->first.empty()) return std::nullopt;
    const std::string_view length = parts->second;
    AxisSpacing spacing{std::string(parts->first), 1, ""};
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), spacing.step);
    if (error != std::errc{} || !std::isfinite(spacing.step) || !(spacing.step > 0)) return std::nullopt;
    std::string_view unit = length.substr(static_cast<std::size_t>(end - length.data()));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    spacing.unit = unit;
    constexpr std::array<std::pair<std::string_view, double>, 8> prefixes{
        {{"p", 1e12}, {"n", 1e9}, {"u", 1e6}, {"µ", 1e6}, {"m", 1e3}, {"c", 1e2}, {"", 1}, {"k", 1e-3}}};
    for (const std::string_view base : {"m", "s"}) {
        for (const auto& [prefix, parts_of_one] : prefixes) {
            if (unit != std::string(prefix) + std::string(base)) continue;
            spacing.step /= parts_of_one;
            spacing.unit = base;
            return spacing;
        }
    }
    return spacing;
}

std::optional<std::pair<double, double>> read_range(const std::string& text) {
    const auto parts = halves(text, ':');
    if (!parts) return std::nullopt;
    const auto low = read_number<double>(parts->first), high = read_number<double>(parts->second);
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low < *high)) return std::nullopt;
    return std::pair(*low, *high);
}

}  // namespace kasc::command
