#include "kernel/uniform_expression.hpp"

#include "frontend/expression_parts.hpp"
#include "kernel/c_spelling.hpp"

namespace kasc::kernel {

namespace {

Precision precision_in(const Expression& integer, const UniformSources& sources) {
    return precision_in_integer(integer, sources.precision);
}

/// Expression of the program → expression of the kernel IR, whose printer does the rest. `real`: stands in real
/// arithmetic of the precision, so integers and reals of the other precision convert.
struct Converter {
    const UniformSources& sources;
    Precision precision;
    bool in_integer;  ///< what is converted is a part of an integer, whose precision is that of all its parts

    [[nodiscard]] ExprRef convert(const Expression& e, bool real) const {
        return std::visit([&](const auto& node) { return visit(node, e, real); }, e.node);
    }

private:
    [[nodiscard]] ExprRef as_real(ExprRef e, bool converts) const {
        return converts ? kernel::convert(real_type(precision), std::move(e)) : e;
    }

    [[nodiscard]] ExprRef visit(const Literal& l, const Expression&, bool real) const {
        return real ? kernel::real(l.value, precision) : kernel::integer(static_cast<std::int64_t>(l.value));
    }
    [[nodiscard]] ExprRef visit(const ParameterUse& p, const Expression& e, bool real) const {
        const bool other = e.kind == ScalarKind::integer || sources.precision(p.parameter) != precision;
        return as_real(sources.parameter(p.parameter), real && other);
    }
    [[nodiscard]] ExprRef visit(const LoopIndexUse& l, const Expression&, bool real) const {
        return as_real(sources.loop(l.loop), real);
    }
    [[nodiscard]] ExprRef visit(const ExtentUse& use, const Expression&, bool real) const {
        return sources.extent(use.axis, real ? real_type(precision) : Type::i32);
    }
    [[nodiscard]] static ExprRef visit(const CoordinateUse&, const Expression&, bool) {
        return integer(0);
    }  // not uniform
    [[nodiscard]] static ExprRef visit(const OperandUse&, const Expression&, bool) {
        return integer(0);
    }  // not uniform
    [[nodiscard]] ExprRef visit(const UnaryOperation& u, const Expression&, bool real) const {
        if (u.op == UnaryOperator::logical_not) return logical_not(convert(*u.operand, false));
        if (u.op == UnaryOperator::complement) return complement(convert(*u.operand, false));
        return negate(convert(*u.operand, real));
    }
    [[nodiscard]] ExprRef visit(const BinaryOperation& b, const Expression& e, bool real) const {
        const bool logical = b.op == BinaryOperator::logical_and || b.op == BinaryOperator::logical_or;
        const bool reals = e.kind == ScalarKind::boolean
                               ? !logical && (b.left->kind == ScalarKind::real || b.right->kind == ScalarKind::real)
                               : real;
        if (reals && (b.op == BinaryOperator::add || b.op == BinaryOperator::subtract)) return sum(b);
        const ExprRef left = convert(*b.left, reals), right = convert(*b.right, reals);
        return reals ? real_operation(b.op, left, right, precision) : whole_operation(b.op, left, right);
    }
    /// A product that is added is not rounded by itself, as in cells (lower/field/expression.hpp).
    [[nodiscard]] ExprRef sum(const BinaryOperation& b) const {
        const bool minus = b.op == BinaryOperator::subtract;
        const auto fused = [&](const BinaryOperation& p, bool negates, ExprRef added) {
            ExprRef first = convert(*p.left, true);
            return math_call(math_name("fma", precision), {negates ? negate(std::move(first)) : std::move(first),
                                                           convert(*p.right, true), std::move(added)});
        };
        if (const BinaryOperation* p = fusing_product(*b.left)) {
            ExprRef rest = convert(*b.right, true);
            return fused(*p, false, minus ? negate(std::move(rest)) : std::move(rest));
        }
        if (const BinaryOperation* p = fusing_product(*b.right)) return fused(*p, minus, convert(*b.left, true));
        return real_operation(b.op, convert(*b.left, true), convert(*b.right, true), precision);
    }
    [[nodiscard]] ExprRef visit(const Conditional& c, const Expression&, bool real) const {
        return select(convert(*c.condition, false), convert(*c.then, real), convert(*c.otherwise, real));
    }
    [[nodiscard]] ExprRef visit(const IntrinsicCall& c, const Expression& e, bool) const {
        if (c.intrinsic == Intrinsic::to_real) {
            const Expression& integer = *c.arguments.front();
            const Converter inside{sources, in_integer ? precision : precision_in(integer, sources), true};
            return as_real(inside.convert(integer, false), true);
        }
        const bool whole = e.kind == ScalarKind::integer && has_integer_form(c.intrinsic);
        std::vector<ExprRef> arguments;
        for (const ExpressionRef& a : c.arguments) arguments.push_back(convert(*a, !whole));
        if (e.kind == ScalarKind::integer) return whole_call(c.intrinsic, std::move(arguments), precision);
        return math_call(c_spelling(c.intrinsic, precision), std::move(arguments));
    }
    [[nodiscard]] static ExprRef visit(const FunctionWord&, const Expression&, bool) {
        return integer(0);
    }  // not uniform
};

}  // namespace

ExprRef uniform_expression(const Expression& expression, const UniformSources& sources, Precision precision) {
    if (expression.kind != ScalarKind::real)
        return Converter{sources, precision_in(expression, sources), true}.convert(expression, false);
    return Converter{sources, precision, false}.convert(expression, true);
}

}  // namespace kasc::kernel
