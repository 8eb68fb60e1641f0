#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "model/settled_value.hpp"

namespace kasc {

namespace {

constexpr double unknown_iterations = 100;

}  // namespace

std::optional<double> settled_value(const Expression& expression, const Problem& problem) {
    bool known = true;
    for_each_part(expression, [&](const Expression& part) {
        const auto* use = std::get_if<ParameterUse>(&part.node);
        if (use == nullptr) return;
        const std::size_t parameter = use->parameter.index;
        known = known && parameter < problem.parameters.size() && !std::isnan(problem.parameters[parameter]);
    });
    if (!known) return std::nullopt;
    const double value = evaluate(expression, problem.parameters, {}, problem.extents);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double estimated_iterations(const ExpressionRef& from, const ExpressionRef& to, const Problem& problem) {
    const double first = settled_value(*from, problem).value_or(0);
    return std::max(1.0, settled_value(*to, problem).value_or(first + unknown_iterations) - first);
}

}  // namespace kasc
