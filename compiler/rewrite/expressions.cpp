#include "rewrite/expressions.hpp"

#include "frontend/make_expression.hpp"

namespace kasc::rewriting {

ExpressionRef binary(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const bool complex = left->kind == ScalarKind::complex || right->kind == ScalarKind::complex;
    return make_expression(BinaryOperation{op, left, right}, complex ? ScalarKind::complex : ScalarKind::real,
                           left->span);
}

ExpressionRef product(const ExpressionRef& left, const ExpressionRef& right) {
    if (!left || !right) return left ? left : right;
    return binary(BinaryOperator::multiply, left, right);
}

namespace {

void add_summands(const ExpressionRef& e, bool negative, std::vector<Summand>& all) {
    const auto* b = std::get_if<BinaryOperation>(&e->node);
    const auto* u = std::get_if<UnaryOperation>(&e->node);
    if (b && (b->op == BinaryOperator::add || b->op == BinaryOperator::subtract)) {
        add_summands(b->left, negative, all);
        add_summands(b->right, negative != (b->op == BinaryOperator::subtract), all);
    } else if (u && u->op == UnaryOperator::negate) {
        add_summands(u->operand, !negative, all);
    } else {
        all.push_back({e, negative});
    }
}

void add_factors(const ExpressionRef& e, bool divides, std::vector<Factor>& all) {
    const auto* b = std::get_if<BinaryOperation>(&e->node);
    if (b && (b->op == BinaryOperator::multiply || is_quotient(b->op))) {
        add_factors(b->left, divides, all);
        add_factors(b->right, divides != is_quotient(b->op), all);
    } else {
        all.push_back({e, divides});
    }
}

}  // namespace

std::vector<Summand> summands(const ExpressionRef& e) {
    std::vector<Summand> all;
    add_summands(e, false, all);
    return all;
}

ExpressionRef sum(const std::vector<Summand>& summands) {
    ExpressionRef total;
    for (const Summand& s : summands) {
        if (total)
            total = binary(s.negative ? BinaryOperator::subtract : BinaryOperator::add, total, s.value);
        else
            total = s.negative
                        ? make_expression(UnaryOperation{UnaryOperator::negate, s.value}, s.value->kind, s.value->span)
                        : s.value;
    }
    return total;
}

bool is_scalar(const Expression& e) { return is_uniform(e) && e.kind != ScalarKind::complex; }

std::vector<Factor> factors(const ExpressionRef& e) {
    std::vector<Factor> all;
    add_factors(e, false, all);
    return all;
}

ExpressionRef product(const std::vector<Factor>& factors) {
    ExpressionRef made;
    for (const Factor& f : factors) {
        if (!f.divides) {
            made = product(made, f.value);
            continue;
        }
        if (!made) made = make_expression(Literal{1}, ScalarKind::real, f.value->span);
        made = binary(quotient_operator(*made, *f.value), made, f.value);
    }
    return made;
}

}  // namespace kasc::rewriting
