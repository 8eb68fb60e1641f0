#include <algorithm>

#include "model/prediction.hpp"

namespace kasc {

namespace {

constexpr double unknown_iterations = 100;

double constant_value(const Expression& e, const Program& program, double unknown) {
    if (const auto* literal = std::get_if<Literal>(&e.node)) return literal->value;
    if (const auto* use = std::get_if<ParameterUse>(&e.node)) {
        const ExpressionRef& fallback = program.parameters[use->parameter].fallback;
        return fallback ? constant_value(*fallback, program, unknown) : unknown;
    }
    return unknown;
}

}  // namespace

double estimated_iterations(const ExpressionRef& from, const ExpressionRef& to, const Program& program) {
    const double first = constant_value(*from, program, 0);
    return std::max(1.0, constant_value(*to, program, first + unknown_iterations) - first);
}

}  // namespace kasc
