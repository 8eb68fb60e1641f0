#include "rewrite/expressions.hpp"

#include <algorithm>

#include "frontend/make_expression.hpp"

namespace kasc::rewriting {

bool same(const Expression& a, const Expression& b) {
    if (a.node.index() != b.node.index() || a.kind != b.kind) return false;
    struct Visitor {
        const Expression& other;
        bool operator()(const Literal& n) const { return n.value == std::get<Literal>(other.node).value; }
        bool operator()(const ParameterUse& n) const {
            return n.parameter == std::get<ParameterUse>(other.node).parameter;
        }
        bool operator()(const LoopIndexUse& n) const { return n.loop == std::get<LoopIndexUse>(other.node).loop; }
        bool operator()(const CoordinateUse& n) const { return n.axis == std::get<CoordinateUse>(other.node).axis; }
        bool operator()(const ExtentUse& n) const { return n.axis == std::get<ExtentUse>(other.node).axis; }
        bool operator()(const OperandUse& n) const { return n.operand == std::get<OperandUse>(other.node).operand; }
        bool operator()(const UnaryOperation& n) const {
            const auto& o = std::get<UnaryOperation>(other.node);
            return n.op == o.op && same(*n.operand, *o.operand);
        }
        bool operator()(const BinaryOperation& n) const {
            const auto& o = std::get<BinaryOperation>(other.node);
            return n.op == o.op && same(*n.left, *o.left) && same(*n.right, *o.right);
        }
        bool operator()(const Conditional& n) const {
            const auto& o = std::get<Conditional>(other.node);
            return same(*n.condition, *o.condition) && same(*n.then, *o.then) && same(*n.otherwise, *o.otherwise);
        }
        bool operator()(const IntrinsicCall& n) const {
            const auto& o = std::get<IntrinsicCall>(other.node);
            return n.intrinsic == o.intrinsic &&
                   std::equal(n.arguments.begin(), n.arguments.end(), o.arguments.begin(), o.arguments.end(),
                              [](const ExpressionRef& x, const ExpressionRef& y) { return same(*x, *y); });
        }
        bool operator()(const FunctionWord& n) const {
            const auto& o = std::get<FunctionWord>(other.node);
            return n.function == o.function && n.word == o.word &&
                   std::equal(n.arguments.begin(), n.arguments.end(), o.arguments.begin(), o.arguments.end(),
                              [](const ExpressionRef& x, const ExpressionRef& y) { return same(*x, *y); });
        }
    };
    return std::visit(Visitor{b}, a.node);
}

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
    if (b && (b->op == BinaryOperator::multiply || b->op == BinaryOperator::divide)) {
        add_factors(b->left, divides, all);
        add_factors(b->right, divides != (b->op == BinaryOperator::divide), all);
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
        if (!f.divides)
            made = product(made, f.value);
        else
            made = binary(BinaryOperator::divide,
                          made ? made : make_expression(Literal{1}, ScalarKind::real, f.value->span), f.value);
    }
    return made;
}

}  // namespace kasc::rewriting
