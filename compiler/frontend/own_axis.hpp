#pragma once
// Axes that the compiler adds to a program: nobody gives their lengths, which follow from those of others.

#include <functional>
#include <optional>
#include <string>

#include "frontend/program.hpp"

namespace kasc {

/// The axis of the compiler's that has this length, and is half of no other.
[[nodiscard]] std::optional<AxisId> find_own_axis(const Program& program, const ExpressionRef& length);
/// One that is there already, or a new one called `wish`, with as many '_' behind as make the name free. `taken`: names
/// of what the program does not have yet.
AxisId own_axis(Program& program, const std::string& wish, const ExpressionRef& length, const Span& span,
                const std::function<bool(const std::string&)>& taken = {});

/// The axis of the wave numbers 0 … extent(of)/2.
[[nodiscard]] std::optional<AxisId> find_half_axis(const Program& program, AxisId of);
AxisId half_axis(Program& program, const std::string& wish, AxisId of,
                 const std::function<bool(const std::string&)>& taken = {});

}  // namespace kasc
