#include "rewrite/known_values.hpp"

#include <cmath>
#include <limits>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/rewrite_expression.hpp"

namespace kasc::rewriting {

namespace {

/// An integer is computed here where 32 bits hold it, so that none goes round.
bool counts_exactly(double value) {
    return std::abs(value) <= static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

}  // namespace

std::optional<double> known_value(const Expression& e, Precision precision) {
    const bool open = any_part(e, [](const Expression& part) {
        return (is_leaf(part) && !std::holds_alternative<Literal>(part.node)) || part.kind == ScalarKind::complex;
    });
    if (open || calls_library(e)) return std::nullopt;
    const double value = evaluate(e, {}, {}, {}, precision);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

ExpressionRef number(double value, ScalarKind kind, const Span& span) {
    const ExpressionRef size = make_expression(Literal{std::abs(value)}, kind, span);
    return std::signbit(value) && (value != 0 || kind == ScalarKind::real)
               ? make_expression(UnaryOperation{UnaryOperator::negate, size}, kind, span)
               : size;
}

ExpressionRef rounded_as(const ExpressionRef& before, const ExpressionRef& made) {
    if (fusing_product(*before) != nullptr || fusing_product(*made) == nullptr) return made;
    const auto opposite = [](const ExpressionRef& e) {
        return make_expression(UnaryOperation{UnaryOperator::negate, e}, e->kind, e->span);
    };
    return opposite(opposite(made));
}

ExpressionRef with_known_values(const ExpressionRef& e, Precision precision) {
    const auto* operation = std::get_if<BinaryOperation>(&e->node);
    const bool adds = operation != nullptr && e->kind == ScalarKind::real &&
                      (operation->op == BinaryOperator::add || operation->op == BinaryOperator::subtract);
    const ExpressionRef whole = with_parts(e, [&](const ExpressionRef& part, bool) {
        ExpressionRef made = with_known_values(part, precision);
        return adds ? rounded_as(part, made) : made;
    });
    if (const auto* c = std::get_if<Conditional>(&whole->node)) {
        if (const auto holds = known_value(*c->condition, precision)) return *holds != 0 ? c->then : c->otherwise;
    }
    if (whole->kind != ScalarKind::integer || is_leaf(*whole)) return whole;
    const auto value = known_value(*whole, precision);
    return value && counts_exactly(*value) ? number(*value, whole->kind, whole->span) : whole;
}

}  // namespace kasc::rewriting
