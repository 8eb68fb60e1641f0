#pragma once
// What may be spent on the search: schedules that are priced, or seconds. A budget in seconds is the one thing for
// which a plan may depend on the clock; without one nothing does.

#include <chrono>
#include <optional>
#include <string>

#include "foundation/diagnostic.hpp"

namespace kasc {

/// A budget of schedules or of seconds; neither: as much as the search takes.
struct Budget {
    std::optional<double> schedules;
    std::optional<double> seconds;
};

/// "2000": schedules. "5s", "500ms", "2m": seconds. Empty: none. K0915: it is none of them.
[[nodiscard]] Diagnostics budget_faults(const std::string& text);
/// Requires: there are no faults.
[[nodiscard]] Budget read_budget(const std::string& text);

/// "2000 schedules", "5 s". Requires: it is one.
[[nodiscard]] std::string budget_text(const Budget& budget);

/// A share of it.
[[nodiscard]] Budget part_of(const Budget& budget, double share);
/// What is left now of a budget in seconds.
[[nodiscard]] Budget what_is_left(const Budget& budget, std::chrono::steady_clock::time_point started);

}  // namespace kasc
