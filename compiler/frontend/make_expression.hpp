#pragma once

#include <utility>

#include "frontend/expression.hpp"

namespace kasc {

[[nodiscard]] inline ExpressionRef make_expression(Expression::Node node, ScalarKind kind, const Span& span) {
    return std::make_shared<const Expression>(Expression{std::move(node), kind, span});
}

[[nodiscard]] inline ExpressionRef make_integer(Expression::Node node, const Span& span) {
    return make_expression(std::move(node), ScalarKind::integer, span);
}

}  // namespace kasc
