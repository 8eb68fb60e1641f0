#include "kernel/field_expression.hpp"

#include "kernel/c_spelling.hpp"

namespace kasc::kernel {

namespace {

/// -number is a number, so that no sign is left in front of a literal.
ExprRef negated(const ExprRef& e) {
    if (const auto* r = std::get_if<Real>(&e->node)) return real(-r->value, r->precision);
    return negate(e);
}

class Lowering {
public:
    Lowering(const ExpressionSources& sources, Precision precision) : sources_(sources), precision_(precision) {}

    ExprRef value(const ExpressionRef& e) {
        if (const auto constant = constant_value(*e, precision_)) return real(*constant, precision_);
        if (is_uniform(*e) && e->kind != ScalarKind::boolean) {
            const ExprRef uniform = sources_.uniform(e, precision_);
            return e->kind == ScalarKind::integer ? convert(real_type(precision_), uniform) : uniform;
        }
        return std::visit([&](const auto& node) { return lower(node); }, e->node);
    }

    /// C's integer arithmetic.
    ExprRef whole(const ExpressionRef& e) {
        if (const auto* l = std::get_if<Literal>(&e->node)) return integer(static_cast<std::int64_t>(l->value));
        if (is_uniform(*e)) return sources_.uniform(e, precision_);
        if (const auto* use = std::get_if<OperandUse>(&e->node)) return sources_.operand(use->operand).value;
        if (const auto* use = std::get_if<CoordinateUse>(&e->node)) return sources_.coordinate(use->axis);
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) return negate(whole(u->operand));
        if (const auto* c = std::get_if<Conditional>(&e->node)) {
            const ExprRef test = condition(c->condition);
            const ExprRef then = whole(c->then);
            return select(test, then, whole(c->otherwise));
        }
        const auto& b = std::get<BinaryOperation>(e->node);
        const ExprRef left = whole(b.left), right = whole(b.right);
        switch (b.op) {
            case BinaryOperator::add:
                return add(left, right);
            case BinaryOperator::subtract:
                return subtract(left, right);
            case BinaryOperator::multiply:
                return multiply(left, right);
            case BinaryOperator::divide:
                return divide(left, right);
            default:
                return modulo(left, right);
        }
    }

    ExprRef condition(const ExpressionRef& e) {
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) return logical_not(condition(u->operand));
        if (const auto* c = std::get_if<Conditional>(&e->node)) {
            return select(condition(c->condition), condition(c->then), condition(c->otherwise));
        }
        const auto* b = std::get_if<BinaryOperation>(&e->node);
        if (!b) return binary("!=", value(e), real(0, precision_));
        if (b->op == BinaryOperator::logical_and || b->op == BinaryOperator::logical_or) {
            const ExprRef left = condition(b->left);
            return binary(c_spelling(b->op), left, condition(b->right));
        }
        const bool integers = b->left->kind == ScalarKind::integer && b->right->kind == ScalarKind::integer;
        const ExprRef left = integers ? whole(b->left) : value(b->left);
        return binary(c_spelling(b->op), left, integers ? whole(b->right) : value(b->right));
    }

private:
    const ExpressionSources& sources_;
    Precision precision_;

    ExprRef lower(const Literal& l) { return real(l.value, precision_); }
    ExprRef lower(const ParameterUse&) { return real(0, precision_); }  // uniform: taken above
    ExprRef lower(const LoopIndexUse&) { return real(0, precision_); }  // uniform: taken above
    ExprRef lower(const ExtentUse&) { return real(0, precision_); }     // uniform: taken above
    ExprRef lower(const CoordinateUse& use) { return convert(real_type(precision_), sources_.coordinate(use.axis)); }
    ExprRef lower(const OperandUse& use) {
        const ExpressionSources::Word word = sources_.operand(use.operand);
        const Type wanted = real_type(precision_);
        return word_type(word.type) == wanted ? word.value : convert(wanted, word.value);
    }
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
        return math_call(c_spelling(call.intrinsic, precision_), std::move(arguments));
    }
    ExprRef lower(const BinaryOperation& b) {
        if (b.op == BinaryOperator::add || b.op == BinaryOperator::subtract) return sum(b);
        const ExprRef left = value(b.left);
        return real_operation(b.op, left, value(b.right), precision_);
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
            return math_call(math_name("fma", precision_), {first, second, minus ? negated(rest) : rest});
        }
        const ExprRef left = value(b.left);
        if (const BinaryOperation* p = product(b.right)) {
            const ExprRef first = value(p->left), second = value(p->right);
            return math_call(math_name("fma", precision_), {minus ? negated(first) : first, second, left});
        }
        return binary(minus ? "-" : "+", left, value(b.right));
    }
};

}  // namespace

ExprRef lower_expression(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    return Lowering(sources, precision).value(expression);
}

ExprRef lower_integer(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    return Lowering(sources, precision).whole(expression);
}

ExprRef lower_condition(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    return Lowering(sources, precision).condition(expression);
}

ExprRef lower_value(const FieldStatement& statement, CellType target, const ExpressionSources& sources) {
    Lowering lowering(sources, statement.precision);
    if (is_integer(target)) {
        const ExprRef value = lowering.whole(statement.value);
        return target == CellType::uint8 ? convert(Type::u8, value) : value;
    }
    const ExprRef value = lowering.value(statement.value);
    return word_type(target) == real_type(statement.precision) ? value : convert(word_type(target), value);
}

namespace {

double rounded(double value, Precision precision) {
    return precision == Precision::dual ? value : static_cast<double>(static_cast<float>(value));
}

}  // namespace

std::optional<double> constant_value(const Expression& expression, Precision precision) {
    if (const auto* l = std::get_if<Literal>(&expression.node)) return rounded(l->value, precision);
    if (expression.kind != ScalarKind::real) return std::nullopt;
    if (const auto* u = std::get_if<UnaryOperation>(&expression.node)) {
        const auto operand = constant_value(*u->operand, precision);
        if (operand && u->op == UnaryOperator::negate) return -*operand;
        return std::nullopt;
    }
    const auto* b = std::get_if<BinaryOperation>(&expression.node);
    if (!b) return std::nullopt;
    const auto left = constant_value(*b->left, precision), right = constant_value(*b->right, precision);
    if (!left || !right) return std::nullopt;
    // One operation on floats, in double and rounded once, is the operation in float: a double has more than twice as
    // many digits (Figueroa, When is double rounding innocuous?, 1995).
    switch (b->op) {
        case BinaryOperator::add:
            return rounded(*left + *right, precision);
        case BinaryOperator::subtract:
            return rounded(*left - *right, precision);
        case BinaryOperator::multiply:
            return rounded(*left * *right, precision);
        case BinaryOperator::divide:
            return rounded(*left / *right, precision);
        default:
            return std::nullopt;
    }
}

}  // namespace kasc::kernel
