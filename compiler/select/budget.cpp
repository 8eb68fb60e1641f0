#include "select/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace kasc {

namespace {

/// A week, and more schedules than a week prices.
constexpr double most_seconds = 7 * 24 * 3600, most_schedules = 1e10;

std::optional<Budget> parse_budget(const std::string& text) {
    if (text.empty()) return Budget{};
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || !std::isfinite(number) || number <= 0) return std::nullopt;
    const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
    if (unit.empty()) {
        const bool whole = number == std::floor(number) && number <= most_schedules;
        return whole ? std::make_optional(Budget{number, std::nullopt}) : std::nullopt;
    }
    for (const auto& [name, seconds] : {std::pair{"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}}) {
        if (unit == name && number * seconds <= most_seconds) return Budget{std::nullopt, number * seconds};
    }
    return std::nullopt;
}

}  // namespace

Diagnostics budget_faults(const std::string& text) {
    if (parse_budget(text)) return {};
    Diagnostic d = placeless("K0915", fmt::format("'{}' is no budget", text),
                             "write how many schedules may be priced, --budget 2000, or for how long, --budget 5s");
    return {d};
}

Budget read_budget(const std::string& text) { return parse_budget(text).value_or(Budget{}); }

std::string budget_text(const Budget& budget) {
    return budget.seconds ? fmt::format("{:.2g} s", *budget.seconds)
                          : fmt::format("{:.0f} schedules", *budget.schedules);
}

Budget part_of(const Budget& budget, double share) {
    Budget part = budget;
    if (part.schedules) part.schedules = std::floor(*part.schedules * share);
    if (part.seconds) part.seconds = *part.seconds * share;
    return part;
}

Budget what_is_left(const Budget& budget, std::chrono::steady_clock::time_point started) {
    if (!budget.seconds) return budget;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return {std::nullopt, std::max(0.0, *budget.seconds - spent.count())};
}

}  // namespace kasc
