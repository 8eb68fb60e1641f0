#include "rewrite/known_values.hpp"

#include <cmath>
#include <limits>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"

namespace kasc::rewriting {

namespace {

/// An integer is computed here where 32 bits hold it, so that none goes round.
bool counts_exactly(double value) {
    return std::abs(value) <= static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

bool is_leaf(const Expression& e) {
    bool parts = false;
    for_each_operand_part(e, [&](const Expression&) { parts = true; });
    return !parts;
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

ExpressionRef with_known_values(const ExpressionRef& e, Precision precision) {
    const auto known = [&](const ExpressionRef& part) { return with_known_values(part, precision); };
    const auto made = [&](auto node) { return make_expression(std::move(node), e->kind, e->span); };
    ExpressionRef whole = e;
    if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
        whole = made(UnaryOperation{u->op, known(u->operand)});
    } else if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
        whole = made(BinaryOperation{b->op, known(b->left), known(b->right)});
    } else if (const auto* c = std::get_if<Conditional>(&e->node)) {
        const ExpressionRef condition = known(c->condition);
        if (const auto holds = known_value(*condition, precision)) return known(*holds != 0 ? c->then : c->otherwise);
        whole = made(Conditional{condition, known(c->then), known(c->otherwise)});
    } else if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
        IntrinsicCall again = *call;
        for (ExpressionRef& argument : again.arguments) argument = known(argument);
        whole = made(std::move(again));
    } else if (const auto* word = std::get_if<FunctionWord>(&e->node)) {
        FunctionWord again = *word;
        for (ExpressionRef& argument : again.arguments) argument = known(argument);
        whole = made(std::move(again));
    }
    if (whole->kind != ScalarKind::integer || is_leaf(*whole)) return whole;
    const auto value = known_value(*whole, precision);
    return value && counts_exactly(*value) ? number(*value, whole->kind, whole->span) : whole;
}

}  // namespace kasc::rewriting
