#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"

// Functions of complex numbers, made of those of reals where they are written:
//
//     abs(z)    hypot(real(z), imag(z))
//     arg(z)    atan2(imag(z), real(z))
//     exp(z)    complex(exp(real(z))*cos(imag(z)), exp(real(z))*sin(imag(z)))
//     sqrt(z)   with t = sqrt((abs(z) + abs(real(z)))/2), which loses no digits: complex(t, imag(z)/(2*t)) on the right
//               half of the plane, complex(abs(imag(z))/(2*t), t or -t) on the left, 0 at 0
//
// Whether an argument is complex is asked first, of its text: where it may be, it is checked as such, and is real after
// all where nothing in it was complex.

namespace kasc::frontend {

namespace {

ExpressionRef real_call(Intrinsic intrinsic, std::vector<ExpressionRef> arguments, const Span& span) {
    return make_expression(IntrinsicCall{intrinsic, std::move(arguments)}, ScalarKind::real, span);
}
ExpressionRef real_operation(BinaryOperator op, ExpressionRef left, ExpressionRef right, const Span& span) {
    return make_expression(BinaryOperation{op, std::move(left), std::move(right)}, ScalarKind::real, span);
}
ExpressionRef number(double value, const Span& span) { return make_expression(Literal{value}, ScalarKind::real, span); }

/// Its parts, and what they are put together from.
class ComplexFunction {
public:
    ComplexFunction(const ExpressionRef& z, const Span& span)
        : span_(span),
          re_(real_call(Intrinsic::real_part, {z}, span)),
          im_(real_call(Intrinsic::imaginary_part, {z}, span)) {}

    [[nodiscard]] ExpressionRef magnitude() const { return real_call(Intrinsic::hypot, {re_, im_}, span_); }
    [[nodiscard]] ExpressionRef phase() const { return real_call(Intrinsic::atan2, {im_, re_}, span_); }
    [[nodiscard]] ExpressionRef exponential() const {
        const ExpressionRef size = real_call(Intrinsic::exp, {re_}, span_);
        return complex(times(size, real_call(Intrinsic::cos, {im_}, span_)),
                       times(size, real_call(Intrinsic::sin, {im_}, span_)));
    }
    [[nodiscard]] ExpressionRef root() const {
        const ExpressionRef zero = number(0, span_);
        const ExpressionRef sum = real_operation(BinaryOperator::add, magnitude(), absolute(re_), span_);
        const ExpressionRef t = real_call(Intrinsic::sqrt, {over(sum, number(2, span_))}, span_);
        const ExpressionRef other = over(im_, times(number(2, span_), t));
        const ExpressionRef minus_t =
            make_expression(UnaryOperation{UnaryOperator::negate, t}, ScalarKind::real, span_);
        const ExpressionRef right = compare(BinaryOperator::greater_equal, re_, zero);
        const ExpressionRef re = choose(right, t, absolute(other));
        const ExpressionRef im = choose(right, other, choose(compare(BinaryOperator::less, im_, zero), minus_t, t));
        return complex(re, choose(compare(BinaryOperator::greater, t, zero), im, zero));
    }

private:
    Span span_;
    ExpressionRef re_, im_;

    [[nodiscard]] ExpressionRef complex(const ExpressionRef& re, const ExpressionRef& im) const {
        return make_expression(IntrinsicCall{Intrinsic::make_complex, {re, im}}, ScalarKind::complex, span_);
    }
    [[nodiscard]] ExpressionRef times(const ExpressionRef& a, const ExpressionRef& b) const {
        return real_operation(BinaryOperator::multiply, a, b, span_);
    }
    [[nodiscard]] ExpressionRef over(const ExpressionRef& a, const ExpressionRef& b) const {
        return real_operation(BinaryOperator::divide, a, b, span_);
    }
    [[nodiscard]] ExpressionRef absolute(const ExpressionRef& a) const { return real_call(Intrinsic::abs, {a}, span_); }
    [[nodiscard]] ExpressionRef compare(BinaryOperator op, const ExpressionRef& a, const ExpressionRef& b) const {
        return make_expression(BinaryOperation{op, a, b}, ScalarKind::boolean, span_);
    }
    [[nodiscard]] ExpressionRef choose(const ExpressionRef& condition, const ExpressionRef& a,
                                       const ExpressionRef& b) const {
        return make_expression(Conditional{condition, a, b}, ScalarKind::real, span_);
    }
};

}  // namespace

ExpressionRef ExpressionChecker::complex_function(Wanted wanted, Intrinsic intrinsic, const ast::Call& node,
                                                  const Span& span) {
    const bool gives = intrinsic == Intrinsic::exp || intrinsic == Intrinsic::sqrt;
    ExpressionRef z = complex(*node.arguments.front());
    if (!z) return nullptr;
    if (z->kind != ScalarKind::complex && intrinsic != Intrinsic::phase) return real_call(intrinsic, {z}, span);
    if (gives &&
        !complex_may_stand(wanted, span, fmt::format("'{}' of a complex number gives another", node.callee.text)))
        return nullptr;
    const ComplexFunction of(z, span);
    return intrinsic == Intrinsic::abs     ? of.magnitude()
           : intrinsic == Intrinsic::phase ? of.phase()
           : intrinsic == Intrinsic::exp   ? of.exponential()
                                           : of.root();
}

/// Its text names something complex; of a transform back, whose result the axes decide, it is taken for so.
bool ExpressionChecker::may_be_complex(const ast::Expression& e) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return false;
    const auto named = [&](const std::string& name) {
        if (const auto argument = argument_index(name)) {
            ExpressionChecker caller = *this;
            caller.frame_ = frame_->caller;
            return caller.may_be_complex(*frame_->arguments[*argument]);
        }
        const Symbol* symbol = checking_.names.find(name);
        const auto* id = symbol ? std::get_if<VariableId>(&symbol->meaning) : nullptr;
        return id && !checking_.ast.calls_alone && is_complex(field_shape(checking_.program, *id).type);
    };
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return named(use->name);
    if (const auto* access = std::get_if<ast::Access>(&e.node)) return named(access->variable.text);
    if (const auto* unary = std::get_if<ast::Unary>(&e.node)) return may_be_complex(*unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&e.node))
        return is_arithmetic(binary->op) && (may_be_complex(*binary->left) || may_be_complex(*binary->right));
    if (const auto* choice = std::get_if<ast::Conditional>(&e.node)) {
        const ast::Expression* only = only_branch(*choice);
        return only ? may_be_complex(*only) : may_be_complex(*choice->then) || may_be_complex(*choice->otherwise);
    }
    const auto* call = std::get_if<ast::Call>(&e.node);
    return call && call_may_be_complex(*call);
}

bool ExpressionChecker::call_may_be_complex(const ast::Call& call) const {
    const auto some_argument = [&] {
        return std::any_of(call.arguments.begin(), call.arguments.end(),
                           [&](const ast::ExpressionRef& argument) { return may_be_complex(*argument); });
    };
    if (const auto intrinsic = intrinsic_of(call))
        return gives_complex(*intrinsic) ||
               ((*intrinsic == Intrinsic::exp || *intrinsic == Intrinsic::sqrt) && some_argument());
    if (is_transform(call.callee.text)) return is_fourier(call.callee.text);
    if (call.callee.text == axis_sum_name) return some_argument();
    return of_function(
        call, [](const ExpressionChecker& inside, const ast::Expression& body) { return inside.may_be_complex(body); });
}

}  // namespace kasc::frontend
