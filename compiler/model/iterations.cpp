#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "model/settled_value.hpp"

namespace kasc {

namespace {

constexpr double unknown_iterations = 100;
/// What a loop that runs none weighs: it may have some in a run of other lengths.
constexpr double no_iterations = 0.01;

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

double estimated_iterations(const ExpressionRef& from, const ExpressionRef& to, const Problem& problem, int by,
                            bool may_end_earlier) {
    // An integer that is not known counts as many iterations as are assumed, so that steps / 4 of them are a quarter.
    Problem assumed = problem;
    for (const ExpressionRef& bound : {from, to}) {
        for_each_part(*bound, [&](const Expression& part) {
            const auto* use = std::get_if<ParameterUse>(&part.node);
            if (use == nullptr || part.kind != ScalarKind::integer) return;
            if (use->parameter.index >= assumed.parameters.size()) return;
            double& value = assumed.parameters[use->parameter.index];
            if (std::isnan(value)) value = unknown_iterations;
        });
    }
    const double first = settled_value(*from, assumed).value_or(0);
    const double iterations = settled_value(*to, assumed).value_or(first + unknown_iterations) - first;
    // Nobody knows how many of the runs of a loop within another have iterations: half of those of an `if`.
    if (uses_loop(*from) || uses_loop(*to)) return std::max(0.5, iterations);
    if (may_end_earlier) return std::clamp(iterations, no_iterations, unknown_iterations);
    return iterations > 0 ? std::max(1.0, std::ceil(iterations / by)) : no_iterations;
}

}  // namespace kasc
