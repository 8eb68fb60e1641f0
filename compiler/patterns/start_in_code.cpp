// "ty*3+tx" in a function of (…, int tx, int ty): yes. In one of (…, int tx): no, it does not take ty.

#include "patterns/start_in_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "patterns/expression.hpp"

namespace kasc::patterns {

Verdict start_in_code(const Pattern& pattern, const DeviceFunction& function, const std::string& implementation) {
    const auto refuse = [&](const std::string& why) {
        return Verdict::no(fmt::format("the start \"{}\" cannot stand in {}: {}", pattern.start, function.name, why));
    };
    const CheckedExpression checked =
        check_expression(pattern.start, pattern.start_span, ExpressionRole::start, dimension_names(implementation));
    if (!checked.used) return refuse(checked.diagnostic.message);
    if (pattern.start.find_first_of("?:<>=!") != std::string::npos) return refuse("it is a choice by a condition");
    for (std::size_t c = 0; c < coordinate_names.size(); ++c) {
        const auto coordinate = static_cast<Coordinate>(c);
        const auto& taken = function.coordinates;
        if (checked.used->uses(coordinate) && std::find(taken.begin(), taken.end(), coordinate) == taken.end())
            return refuse(fmt::format("the function does not take {}", coordinate_names[c]));
    }
    return Verdict::yes("C computes it as kasc does");
}

}  // namespace kasc::patterns
