// A walk over the tree: dt / (dx * dx) with dt = 0.1, dx = 0.5 is 0.1 / 0.25 = 0.4. An integer node truncates what its
// operation gives, so 7 / 2 is 3. The depth of a tree is bounded by the front end.

#include "frontend/evaluate.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "frontend/real_function.hpp"

namespace kasc {

namespace {

class Evaluator {
public:
    Evaluator(const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices,
              const std::vector<long long>& extents, Precision precision)
        : parameters_(parameters), loop_indices_(loop_indices), extents_(extents), precision_(precision) {}

    [[nodiscard]] double value(const Expression& expression) const {
        const double real = std::visit([&](const auto& node) { return of_node(node); }, expression.node);
        if (expression.kind == ScalarKind::integer) return std::trunc(real);
        // After + - * / and sqrt, rounding the double's result gives float's own, bit for bit.
        const bool rounds = expression.kind == ScalarKind::real && precision_ == Precision::single;
        return rounds ? static_cast<double>(static_cast<float>(real)) : real;
    }

private:
    [[nodiscard]] double of_node(const Literal& node) const { return node.value; }
    [[nodiscard]] double of_node(const ParameterUse& node) const { return parameters_.at(node.parameter.index); }
    [[nodiscard]] double of_node(const LoopIndexUse& node) const {
        const auto index = loop_indices_.find(node.loop);
        return index == loop_indices_.end() ? 0 : index->second;
    }
    [[nodiscard]] double of_node(const CoordinateUse&) const { return std::numeric_limits<double>::quiet_NaN(); }
    [[nodiscard]] double of_node(const ExtentUse& node) const {
        return node.axis.index < extents_.size() ? static_cast<double>(extents_[node.axis.index]) : 0;
    }
    [[nodiscard]] double of_node(const OperandUse&) const { return std::numeric_limits<double>::quiet_NaN(); }
    [[nodiscard]] double of_node(const UnaryOperation& node) const { return apply(node.op, value(*node.operand)); }
    [[nodiscard]] double of_node(const BinaryOperation& node) const {
        if (node.op == BinaryOperator::add || node.op == BinaryOperator::subtract) {
            const bool minus = node.op == BinaryOperator::subtract;
            if (const BinaryOperation* p = fusing_product(*node.left))
                return fused(value(*p->left), value(*p->right), minus ? -value(*node.right) : value(*node.right));
            if (const BinaryOperation* p = fusing_product(*node.right))
                return fused(minus ? -value(*p->left) : value(*p->left), value(*p->right), value(*node.left));
        }
        return apply(node.op, value(*node.left), value(*node.right));
    }
    [[nodiscard]] double fused(double a, double b, double c) const {
        if (precision_ == Precision::dual) return std::fma(a, b, c);
        return static_cast<double>(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    }
    [[nodiscard]] double of_node(const Conditional& node) const {
        return value(*node.condition) != 0 ? value(*node.then) : value(*node.otherwise);
    }
    [[nodiscard]] double of_node(const IntrinsicCall& node) const {
        const double second = node.arguments.size() > 1 ? value(*node.arguments[1]) : 0;
        // Integers are taken as doubles: not every one of them is held by a float.
        const Precision precision = has_integer_form(node.intrinsic) ? Precision::dual : precision_;
        return apply(node.intrinsic, value(*node.arguments.at(0)), second, precision);
    }

    [[nodiscard]] double of_node(const FunctionWord&) const { return std::numeric_limits<double>::quiet_NaN(); }

    const std::vector<double>& parameters_;
    const std::map<LoopId, double>& loop_indices_;
    const std::vector<long long>& extents_;
    Precision precision_;
};

}  // namespace

double evaluate(const Expression& expression, const std::vector<double>& parameters,
                const std::map<LoopId, double>& loop_indices, const std::vector<long long>& extents,
                Precision precision) {
    return Evaluator(parameters, loop_indices, extents, precision).value(expression);
}

double evaluate_integer(const Expression& expression, const Program& program, const std::vector<double>& parameters,
                        const std::map<LoopId, double>& loop_indices, const std::vector<long long>& extents) {
    const Precision precision =
        precision_in_integer(expression, [&](ParameterId id) { return program.parameters[id].precision; });
    return evaluate(expression, parameters, loop_indices, extents, precision);
}

namespace {

/// Operators of bits, on 32 bits. A count of a shift is taken modulo 32.
double bits(BinaryOperator op, double left, double right) {
    const std::int32_t a = cut_to_integer(left), b = cut_to_integer(right);
    switch (op) {
        case BinaryOperator::bit_and:
            return a & b;
        case BinaryOperator::bit_or:
            return a | b;
        case BinaryOperator::bit_xor:
            return a ^ b;
        case BinaryOperator::shift_left:
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << (b & 31));
        default:
            return a >> (b & 31);
    }
}

}  // namespace

double apply(UnaryOperator op, double operand) {
    if (op == UnaryOperator::complement) return ~cut_to_integer(operand);
    return op == UnaryOperator::negate ? -operand : static_cast<double>(operand == 0);
}

double apply(BinaryOperator op, double left, double right) {
    switch (op) {
        case BinaryOperator::add:
            return left + right;
        case BinaryOperator::subtract:
            return left - right;
        case BinaryOperator::multiply:
            return left * right;
        case BinaryOperator::divide:
        case BinaryOperator::divide_by_number:
            return left / right;
        case BinaryOperator::modulo:
            return std::fmod(left, right);
        case BinaryOperator::less:
            return static_cast<double>(left < right);
        case BinaryOperator::less_equal:
            return static_cast<double>(left <= right);
        case BinaryOperator::greater:
            return static_cast<double>(left > right);
        case BinaryOperator::greater_equal:
            return static_cast<double>(left >= right);
        case BinaryOperator::equal:
            return static_cast<double>(left == right);
        case BinaryOperator::not_equal:
            return static_cast<double>(left != right);
        case BinaryOperator::logical_and:
            return static_cast<double>(left != 0 && right != 0);
        case BinaryOperator::logical_or:
            return static_cast<double>(left != 0 || right != 0);
        case BinaryOperator::bit_and:
        case BinaryOperator::bit_or:
        case BinaryOperator::bit_xor:
        case BinaryOperator::shift_left:
        case BinaryOperator::shift_right:
            return bits(op, left, right);
    }
    throw std::logic_error("an unknown operator has no value");
}

double apply(Intrinsic intrinsic, double first, double second, Precision precision) {
    if (intrinsic == Intrinsic::to_integer) return cut_to_integer(first);
    if (intrinsic == Intrinsic::to_real) return first;
    const RealFunction* function = real_function(intrinsic);
    if (function == nullptr) return std::numeric_limits<double>::quiet_NaN();  // of complex numbers
    if (precision == Precision::dual)
        return function->two != nullptr ? function->two(first, second) : function->one(first);
    const auto a = static_cast<float>(first), b = static_cast<float>(second);
    return static_cast<double>(function->two != nullptr ? function->two_single(a, b) : function->one_single(a));
}

}  // namespace kasc
