#include "kernel/field_expression.hpp"

#include "kernel/c_spelling.hpp"

namespace kasc::kernel {

namespace {

/// -number is a number, so that no sign is left in front of a literal.
ExprRef negated(const ExprRef& e) {
    if (const auto* r = std::get_if<Real>(&e->node)) return real(-r->value);
    return negate(e);
}

class Lowering {
public:
    explicit Lowering(const ExpressionSources& sources) : sources_(sources) {}

    ExprRef value(const ExpressionRef& e) {
        if (const auto constant = constant_value(*e)) return real(*constant);
        if (is_uniform(*e) && e->kind != ScalarKind::boolean) {
            const ExprRef uniform = sources_.uniform(e);
            return e->kind == ScalarKind::integer ? to_real(uniform) : uniform;
        }
        return std::visit([&](const auto& node) { return lower(node); }, e->node);
    }

private:
    const ExpressionSources& sources_;

    ExprRef lower(const Literal& l) { return real(static_cast<float>(l.value)); }
    ExprRef lower(const ParameterUse&) { return real(0); }  // uniform: taken above
    ExprRef lower(const LoopIndexUse&) { return real(0); }  // uniform: taken above
    ExprRef lower(const OperandUse& use) { return sources_.operand(use.operand); }
    ExprRef lower(const UnaryOperation& u) {
        return u.op == UnaryOperator::negate ? negated(value(u.operand)) : logical_not(condition(u.operand));
    }
    ExprRef lower(const Conditional& c) {
        const ExprRef test = condition(c.condition);
        const ExprRef then = value(c.then);
        return select(test, then, value(c.otherwise));
    }
    ExprRef lower(const IntrinsicCall& call) {
        std::vector<ExprRef> arguments;
        for (const ExpressionRef& a : call.arguments) arguments.push_back(value(a));
        return math_call(c_spelling(call.intrinsic), std::move(arguments));
    }
    ExprRef lower(const BinaryOperation& b) {
        if (b.op == BinaryOperator::add || b.op == BinaryOperator::subtract) return sum(b);
        const ExprRef left = value(b.left);
        return operation(b.op, left, value(b.right), true);
    }

    /// The two factors, where `e` is a product that this kernel computes.
    [[nodiscard]] static const BinaryOperation* product(const ExpressionRef& e) {
        if (is_uniform(*e)) return nullptr;
        const auto* b = std::get_if<BinaryOperation>(&e->node);
        return b && b->op == BinaryOperator::multiply ? b : nullptr;
    }

    ExprRef sum(const BinaryOperation& b) {
        const bool minus = b.op == BinaryOperator::subtract;
        if (const BinaryOperation* p = product(b.left)) {
            const ExprRef first = value(p->left), second = value(p->right), rest = value(b.right);
            return math_call("fmaf", {first, second, minus ? negated(rest) : rest});
        }
        const ExprRef left = value(b.left);
        if (const BinaryOperation* p = product(b.right)) {
            const ExprRef first = value(p->left), second = value(p->right);
            return math_call("fmaf", {minus ? negated(first) : first, second, left});
        }
        return binary(minus ? "-" : "+", left, value(b.right));
    }

    ExprRef condition(const ExpressionRef& e) {
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) return logical_not(condition(u->operand));
        if (const auto* c = std::get_if<Conditional>(&e->node)) {
            return select(condition(c->condition), condition(c->then), condition(c->otherwise));
        }
        const auto* b = std::get_if<BinaryOperation>(&e->node);
        if (!b) return binary("!=", value(e), real(0));
        if (b->op == BinaryOperator::logical_and || b->op == BinaryOperator::logical_or) {
            const ExprRef left = condition(b->left);
            return binary(c_spelling(b->op), left, condition(b->right));
        }
        const bool integers = b->left->kind == ScalarKind::integer && b->right->kind == ScalarKind::integer;
        const ExprRef left = integers ? whole(b->left) : value(b->left);
        return binary(c_spelling(b->op), left, integers ? whole(b->right) : value(b->right));
    }

    /// Integers of a program are uniform: fields are real.
    ExprRef whole(const ExpressionRef& e) {
        if (const auto* l = std::get_if<Literal>(&e->node)) return integer(static_cast<std::int64_t>(l->value));
        return sources_.uniform(e);
    }
};

}  // namespace

ExprRef lower_expression(const ExpressionRef& expression, const ExpressionSources& sources) {
    return Lowering(sources).value(expression);
}

std::optional<float> constant_value(const Expression& expression) {
    if (const auto* l = std::get_if<Literal>(&expression.node)) return static_cast<float>(l->value);
    if (expression.kind != ScalarKind::real) return std::nullopt;
    if (const auto* u = std::get_if<UnaryOperation>(&expression.node)) {
        const auto operand = constant_value(*u->operand);
        if (operand && u->op == UnaryOperator::negate) return -*operand;
        return std::nullopt;
    }
    const auto* b = std::get_if<BinaryOperation>(&expression.node);
    if (!b) return std::nullopt;
    const auto left = constant_value(*b->left), right = constant_value(*b->right);
    if (!left || !right) return std::nullopt;
    switch (b->op) {
        case BinaryOperator::add:
            return *left + *right;
        case BinaryOperator::subtract:
            return *left - *right;
        case BinaryOperator::multiply:
            return *left * *right;
        case BinaryOperator::divide:
            return *left / *right;
        default:
            return std::nullopt;
    }
}

}  // namespace kasc::kernel
