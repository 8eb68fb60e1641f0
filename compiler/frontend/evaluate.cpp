// A walk over the tree: dt / (dx * dx) with dt = 0.1, dx = 0.5 is 0.1 / 0.25 = 0.4. An integer node truncates what its
// operation gives, so 7 / 2 is 3. The depth of a tree is bounded by the front end.

#include "frontend/evaluate.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace kasc {

namespace {

class Evaluator {
public:
    Evaluator(const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices,
              const std::vector<long long>& extents)
        : parameters_(parameters), loop_indices_(loop_indices), extents_(extents) {}

    [[nodiscard]] double value(const Expression& expression) const {
        const double real = std::visit([&](const auto& node) { return of_node(node); }, expression.node);
        return expression.kind == ScalarKind::integer ? std::trunc(real) : real;
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
        return apply(node.op, value(*node.left), value(*node.right));
    }
    [[nodiscard]] double of_node(const Conditional& node) const {
        return value(*node.condition) != 0 ? value(*node.then) : value(*node.otherwise);
    }
    [[nodiscard]] double of_node(const IntrinsicCall& node) const {
        const double second = node.arguments.size() > 1 ? value(*node.arguments[1]) : 0;
        return apply(node.intrinsic, value(*node.arguments.at(0)), second);
    }

    [[nodiscard]] double of_node(const FunctionWord&) const { return std::numeric_limits<double>::quiet_NaN(); }

    const std::vector<double>& parameters_;
    const std::map<LoopId, double>& loop_indices_;
    const std::vector<long long>& extents_;
};

}  // namespace

double evaluate(const Expression& expression, const std::vector<double>& parameters,
                const std::map<LoopId, double>& loop_indices, const std::vector<long long>& extents) {
    return Evaluator(parameters, loop_indices, extents).value(expression);
}

double apply(UnaryOperator op, double operand) {
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
    }
    throw std::logic_error("an unknown operator has no value");
}

double apply(Intrinsic intrinsic, double first, double second) {
    switch (intrinsic) {
        case Intrinsic::exp:
            return std::exp(first);
        case Intrinsic::exp2:
            return std::exp2(first);
        case Intrinsic::log:
            return std::log(first);
        case Intrinsic::sqrt:
            return std::sqrt(first);
        case Intrinsic::pow:
            return std::pow(first, second);
        case Intrinsic::sin:
            return std::sin(first);
        case Intrinsic::cos:
            return std::cos(first);
        case Intrinsic::tan:
            return std::tan(first);
        case Intrinsic::tanh:
            return std::tanh(first);
        case Intrinsic::abs:
            return std::abs(first);
        case Intrinsic::floor:
            return std::floor(first);
        case Intrinsic::minimum:
            return std::fmin(first, second);
        case Intrinsic::maximum:
            return std::fmax(first, second);
        case Intrinsic::make_complex:
        case Intrinsic::conjugate:
        case Intrinsic::real_part:
        case Intrinsic::imaginary_part:
            break;  // of complex numbers
    }
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace kasc
