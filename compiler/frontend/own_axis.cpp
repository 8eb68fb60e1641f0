#include "frontend/own_axis.hpp"

#include <algorithm>

#include "frontend/expressions_at.hpp"
#include "frontend/same_expression.hpp"

namespace kasc {

namespace {

using Taken = std::function<bool(const std::string&)>;

AxisId add(Program& program, std::string name, Axis axis, const Taken& taken) {
    const auto is_there = [&] {
        const auto is = [&](const auto& entry) { return entry.name == name; };
        return std::any_of(program.axes.begin(), program.axes.end(), is) ||
               std::any_of(program.variables.begin(), program.variables.end(), is) ||
               std::any_of(program.parameters.begin(), program.parameters.end(), is) ||
               std::any_of(program.loops.begin(), program.loops.end(), is) || (taken && taken(name));
    };
    while (is_there()) name += "_";
    axis.name = std::move(name);
    axis.declared = axis.own = true;
    return program.axes.add(std::move(axis));
}

}  // namespace

std::optional<AxisId> find_own_axis(const Program& program, const ExpressionRef& length) {
    for (const AxisId id : program.axes.ids()) {
        const Axis& axis = program.axes[id];
        if (axis.own && !axis.half_of && same_expression(axis.fallback_extent, length)) return id;
    }
    return std::nullopt;
}

AxisId own_axis(Program& program, const std::string& wish, const ExpressionRef& length, const Span& span,
                const Taken& taken) {
    const auto found = find_own_axis(program, length);
    return found ? *found : add(program, wish, {"", span, length, {}}, taken);
}

std::optional<AxisId> find_half_axis(const Program& program, AxisId of) {
    for (const AxisId id : program.axes.ids())
        if (program.axes[id].half_of == of) return id;
    return std::nullopt;
}

AxisId half_axis(Program& program, const std::string& wish, AxisId of, const Taken& taken) {
    if (const auto found = find_half_axis(program, of)) return *found;
    const Span span = program.axes[of].span;
    const ExpressionsAt at{span};
    const ExpressionRef length = at.whole(
        BinaryOperator::add, at.whole(BinaryOperator::divide, at.extent(of), at.whole_number(2)), at.whole_number(1));
    return add(program, wish, {"", span, length, of}, taken);
}

}  // namespace kasc
