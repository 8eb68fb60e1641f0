#include "lower/field/expression.hpp"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/equal_parts.hpp"

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

    /// An expression that stands in several places is one object.
    ExprRef value(const ExpressionRef& e) {
        const auto known = values_.find(e.get());
        if (known != values_.end()) return known->second;
        const ExprRef made = new_value(e);
        reals_.insert(made.get());
        return values_[e.get()] = made;
    }

    /// What `value` has made, with names for what it computes more than once.
    ExprRef with_names(const ExprRef& e) const {
        const auto type = [&](const Expr* part) {
            return reals_.contains(part) ? std::optional(real_type(precision_)) : std::nullopt;
        };
        return with_equal_parts_named(e, type, sources_.hold);
    }

    ExprRef new_value(const ExpressionRef& e) {
        if (const ExpressionRef branch = only_branch(*e)) return value(branch);
        if (const auto constant = constant_value(*e, precision_)) return real(*constant, precision_);
        if (is_uniform(*e) && e->kind != ScalarKind::boolean && !computes_complex(*e) && !holds_long(*e)) {
            const ExprRef uniform = sources_.uniform(e, precision_);
            return e->kind == ScalarKind::integer ? convert(real_type(precision_), uniform) : uniform;
        }
        return std::visit([&](const auto& node) { return lower(node); }, e->node);
    }

    /// A number of two reals; no imaginary part: it is real.
    struct Complex {
        ExprRef re, im;
    };
    Complex complex(const ExpressionRef& e) {
        if (const ExpressionRef branch = only_branch(*e)) return complex(branch);
        if (e->kind != ScalarKind::complex) return {value(e), nullptr};
        if (const auto* use = std::get_if<OperandUse>(&e->node)) return complex_operand(use->operand);
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) return opposite(complex(u->operand));
        if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
            if (call->intrinsic == Intrinsic::make_complex) {
                const ExprRef re = value(call->arguments[0]);
                return {re, value(call->arguments[1])};
            }
            const Complex z = complex(call->arguments[0]);
            return {z.re, z.im ? negated(z.im) : nullptr};
        }
        if (const auto* c = std::get_if<Conditional>(&e->node)) {
            const ExprRef test = simple(condition(c->condition), Type::boolean);
            const Complex then = complex(c->then), otherwise = complex(c->otherwise);
            return {select(test, then.re, otherwise.re),
                    then.im || otherwise.im ? select(test, imaginary(then), imaginary(otherwise)) : nullptr};
        }
        const auto& b = std::get<BinaryOperation>(e->node);
        const Complex left = complex(b.left), right = complex(b.right);
        switch (b.op) {
            case BinaryOperator::add:
                return {binary("+", left.re, right.re), sum_of(left.im, right.im)};
            case BinaryOperator::subtract:
                return {binary("-", left.re, right.re), sum_of(left.im, right.im ? negated(right.im) : nullptr)};
            case BinaryOperator::multiply:
                return product(left, right);
            case BinaryOperator::divide_by_number:
                return {over_number(left.re, b.right), left.im ? over_number(left.im, b.right) : nullptr};
            default:
                return quotient(left, right);
        }
    }

    /// As a word of memory.
    ExprRef complex_word(const ExpressionRef& e, CellType target) {
        const Complex z = complex(e);
        const Precision stored = real_precision(target);
        const auto word = [&](const ExprRef& r) { return stored == precision_ ? r : convert(real_type(stored), r); };
        return make_complex(word(z.re), word(imaginary(z)), stored);
    }

    /// C's integer arithmetic.
    ExprRef whole(const ExpressionRef& e) {
        if (const ExpressionRef branch = only_branch(*e)) return whole(branch);
        if (const auto number = written_integer(*e)) return widened(integer(*number));
        if (is_uniform(*e) && (!is_long() || is_leaf(*e))) return widened(sources_.uniform(e, precision_));
        if (is_uniform(*e) && !in_uniform_) return in_uniform(*e).whole(e);
        if (const auto* use = std::get_if<OperandUse>(&e->node)) {
            const ExpressionSources::Word word = sources_.operand(use->operand);
            return kasc::is_long(word.type) ? word.value : widened(word.value);
        }
        if (const auto* use = std::get_if<CoordinateUse>(&e->node)) return widened(sources_.coordinate(use->axis));
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
            const ExprRef operand = whole(u->operand);
            return u->op == UnaryOperator::complement ? complement(operand) : negate(operand);
        }
        if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
            std::vector<ExprRef> arguments;
            for (const ExpressionRef& a : call->arguments)
                arguments.push_back(has_integer_form(call->intrinsic) ? whole(a) : value(a));
            return whole_call(call->intrinsic, std::move(arguments), precision_, is_long());
        }
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
            case BinaryOperator::modulo:
                return modulo(left, right);
            default:
                return whole_operation(b.op, left, right, is_long());
        }
    }

    ExprRef condition(const ExpressionRef& e) {
        if (const ExpressionRef branch = only_branch(*e)) return condition(branch);
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
    std::unordered_map<const Expression*, ExprRef> values_;  ///< known ones
    std::unordered_set<const Expr*> reals_;                  ///< these
    bool in_uniform_ = false;  ///< within an integer of 64 bits that is the same for all cells

    [[nodiscard]] bool is_long() const { return sources_.long_integers != nullptr; }
    [[nodiscard]] ExprRef widened(const ExprRef& e) const { return is_long() ? wide(e) : e; }
    [[nodiscard]] static bool is_leaf(const Expression& e) {
        return std::holds_alternative<ParameterUse>(e.node) || std::holds_alternative<LoopIndexUse>(e.node) ||
               std::holds_alternative<ExtentUse>(e.node);
    }
    /// The host computes integers of 32 bits: those of 64 that are the same for all cells are computed by each of them.
    [[nodiscard]] bool holds_long(const Expression& e) const {
        return is_long() && e.kind != ScalarKind::integer && any_part(e, [](const Expression& part) {
                   return part.kind == ScalarKind::integer && !is_leaf(part) &&
                          !std::holds_alternative<Literal>(part.node);
               });
    }
    /// As the host computes them (uniform_expression.hpp).
    [[nodiscard]] Lowering in_uniform(const Expression& integer) const {
        Lowering inside(sources_, precision_in_integer(integer, sources_.long_integers));
        inside.in_uniform_ = true;
        return inside;
    }
    /// What a parameter of a function of the device holds: of a longer integer the lower 32 bits.
    [[nodiscard]] ExprRef short_word(const ExpressionRef& e) {
        return is_long() ? convert(Type::i32, whole(e)) : whole(e);
    }

    /// What the conditional is at all cells of the path; null: it is none, or they differ.
    [[nodiscard]] ExpressionRef only_branch(const Expression& e) const {
        const auto* choice = std::get_if<Conditional>(&e.node);
        const auto settled = choice ? sources_.settled(*choice->condition) : std::nullopt;
        return !settled ? nullptr : *settled ? choice->then : choice->otherwise;
    }

    [[nodiscard]] ExprRef imaginary(const Complex& z) const { return z.im ? z.im : real(0, precision_); }
    static Complex opposite(const Complex& z) { return {negated(z.re), z.im ? negated(z.im) : nullptr}; }
    Complex complex_operand(std::size_t operand) {
        const ExpressionSources::Word word = sources_.operand(operand);
        const ExprRef z = simple(word.value, word_type(word.type));
        const auto component = [&](bool imaginary) {
            const bool converts = is_dual(word.type) != (precision_ == Precision::dual);
            return converts ? convert(real_type(precision_), part(z, imaginary)) : part(z, imaginary);
        };
        return {component(false), component(true)};
    }
    /// What may be printed several times: a name, a literal, a part of a complex register.
    ExprRef simple(const ExprRef& e, Type type) {
        const Expr* inner = e.get();
        if (const auto* n = std::get_if<Negate>(&inner->node)) inner = n->operand.get();
        if (const auto* p = std::get_if<Part>(&inner->node)) inner = p->operand.get();
        const bool short_enough =
            std::holds_alternative<Name>(inner->node) || std::holds_alternative<Real>(inner->node);
        return short_enough ? e : sources_.hold(type, e);
    }
    ExprRef simple(const ExprRef& e) { return simple(e, real_type(precision_)); }
    Complex simple(const Complex& z) { return {simple(z.re), z.im ? simple(z.im) : nullptr}; }
    [[nodiscard]] ExprRef fused(const ExprRef& a, const ExprRef& b, const ExprRef& c) const {
        return math_call(math_name("fma", precision_), {a, b, c});
    }
    static ExprRef sum_of(const ExprRef& a, const ExprRef& b) {
        if (!a || !b) return a ? a : b;
        if (const auto* n = std::get_if<Negate>(&b->node)) return binary("-", a, n->operand);
        return binary("+", a, b);
    }
    Complex product(Complex a, Complex b) {
        if (!a.im && !b.im) return {binary("*", a.re, b.re), nullptr};
        if (!a.im || !b.im) {
            const ExprRef scale = simple(a.im ? b.re : a.re);
            const Complex& z = a.im ? a : b;
            return {binary("*", scale, z.re), binary("*", scale, z.im)};
        }
        a = simple(a), b = simple(b);
        return {fused(a.re, b.re, negated(binary("*", a.im, b.im))), fused(a.re, b.im, binary("*", a.im, b.re))};
    }
    /// By a complex number: z · conj(w) / |w|², as it stands in the books, without scaling against overflow.
    Complex quotient(const Complex& a, Complex b) {
        if (!b.im) {
            const ExprRef divisor = simple(b.re);
            return {binary("/", a.re, divisor), a.im ? binary("/", a.im, divisor) : nullptr};
        }
        b = simple(b);
        const ExprRef square = simple(fused(b.re, b.re, binary("*", b.im, b.im)));
        const Complex above = product(a, {b.re, negated(b.im)});
        return {binary("/", above.re, square), binary("/", above.im, square)};
    }

    ExprRef lower(const Literal& l) { return real(l.value, precision_); }
    ExprRef lower(const ParameterUse&) { return real(0, precision_); }  // uniform: taken above
    ExprRef lower(const LoopIndexUse&) { return real(0, precision_); }  // uniform: taken above
    ExprRef lower(const ExtentUse&) { return real(0, precision_); }     // uniform: taken above
    ExprRef lower(const CoordinateUse& use) { return convert(real_type(precision_), sources_.coordinate(use.axis)); }
    ExprRef lower(const OperandUse& use) {
        const ExpressionSources::Word word = sources_.operand(use.operand);
        const Type wanted = real_type(precision_);
        return register_type(word.type) == wanted ? word.value : convert(wanted, word.value);
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
        if (takes_complex(call.intrinsic)) {
            const Complex z = complex(call.arguments[0]);
            return call.intrinsic == Intrinsic::real_part ? z.re : imaginary(z);
        }
        if (call.intrinsic == Intrinsic::to_real) return convert(real_type(precision_), whole(call.arguments[0]));
        const bool random = call.intrinsic == Intrinsic::random;
        std::vector<ExprRef> arguments;
        for (const ExpressionRef& a : call.arguments) arguments.push_back(random ? short_word(a) : value(a));
        return math_call(random ? math_name(random_number, precision_) : c_spelling(call.intrinsic, precision_),
                         std::move(arguments));
    }
    /// Statements that call functions of the library are of float.
    ExprRef lower(const FunctionWord& call) {
        std::vector<ExprRef> words;
        for (const ExpressionRef& a : call.arguments) words.push_back(value(a));
        return sources_.function(call, words);
    }
    ExprRef lower(const BinaryOperation& b) {
        if (b.op == BinaryOperator::add || b.op == BinaryOperator::subtract) return sum(b);
        const ExprRef left = value(b.left);
        if (b.op == BinaryOperator::divide_by_number) return over_number(left, b.right);
        return real_operation(b.op, left, value(b.right), precision_);
    }
    /// Two products. What they are with, the host makes of the divisor once a launch.
    ExprRef over_number(const ExprRef& left, const ExpressionRef& divisor) {
        const std::string name = math_name(kernel::over_number, precision_);
        if (!is_uniform(*divisor) || holds_long(*divisor) || constant_value(*divisor, precision_))
            return math_call(name, {left, value(divisor)});
        const auto of_host = [&](Intrinsic made) {
            return sources_.uniform(make_expression(IntrinsicCall{made, {divisor}}, ScalarKind::real, divisor->span),
                                    precision_);
        };
        const ExprRef inverse = of_host(Intrinsic::inverse);
        return math_call(name, {left, inverse, of_host(Intrinsic::inverse_rest)});
    }

    ExprRef sum(const BinaryOperation& b) {
        const bool minus = b.op == BinaryOperator::subtract;
        if (const BinaryOperation* p = fusing_product(*b.left)) {
            const ExprRef first = value(p->left), second = value(p->right), rest = value(b.right);
            return fused(first, second, minus ? negated(rest) : rest);
        }
        const ExprRef left = value(b.left);
        if (const BinaryOperation* p = fusing_product(*b.right)) {
            const ExprRef first = value(p->left), second = value(p->right);
            return fused(minus ? negated(first) : first, second, left);
        }
        return binary(minus ? "-" : "+", left, value(b.right));
    }
};

}  // namespace

ExprRef lower_expression(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    Lowering lowering(sources, precision);
    return lowering.with_names(lowering.value(expression));
}

ExprRef lower_integer(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    return Lowering(sources, precision).whole(expression);
}

ExprRef lower_position(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    const ExprRef position = lower_integer(expression, sources, precision);
    if (!sources.long_integers || is_uniform(*expression)) return position;
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min(), most = -(least + 1);
    return convert(Type::i32, maximum(minimum(position, wide(integer(most))), wide(integer(least))));
}

ExprRef lower_condition(const ExpressionRef& expression, const ExpressionSources& sources, Precision precision) {
    return Lowering(sources, precision).condition(expression);
}

ExprRef lower_value(const FieldStatement& statement, CellType target, const ExpressionSources& sources) {
    Lowering lowering(sources, statement.precision);
    if (is_complex(target)) return lowering.with_names(lowering.complex_word(statement.value, target));
    if (is_integer(target)) {
        const ExprRef value = lowering.with_names(lowering.whole(statement.value));
        // As wide as a register of the target's is.
        if (sources.long_integers && !is_long(target)) return convert(word_type(target), value);
        return target == CellType::uint8 ? convert(Type::u8, value) : value;
    }
    const ExprRef value = lowering.with_names(lowering.value(statement.value));
    return word_type(target) == real_type(statement.precision) ? value : convert(word_type(target), value);
}

ExprRef folded_value(const FieldStatement& statement, Type accumulator, const ExpressionSources& sources) {
    if (accumulator == Type::i32) return lower_integer(statement.value, sources, statement.precision);
    if (accumulator == Type::i64) {
        const ExprRef number = lower_integer(statement.value, sources, statement.precision);
        return sources.long_integers ? number : wide(number);
    }
    // A double holds integers of 53 bits: those of a mean are not rounded to float before.
    if (statement.value->kind == ScalarKind::integer)
        return convert(accumulator, lower_integer(statement.value, sources, statement.precision));
    const ExprRef number = lower_expression(statement.value, sources, statement.precision);
    return accumulator == real_type(statement.precision) ? number : convert(accumulator, number);
}

namespace {

double rounded(double value, Precision precision) {
    return precision == Precision::dual ? value : static_cast<double>(static_cast<float>(value));
}

}  // namespace

std::optional<double> constant_value(const Expression& expression, Precision precision) {
    if (const auto* l = std::get_if<Literal>(&expression.node)) return rounded(l->value, precision);
    if (const auto number = written_integer(expression)) return rounded(static_cast<double>(*number), precision);
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
