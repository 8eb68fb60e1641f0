#include "schedule/field/calls_functions.hpp"

#include <algorithm>

#include "frontend/expression_parts.hpp"

namespace kasc {

bool calls_functions(const Expression& expression) {
    struct Visitor {
        bool operator()(const Literal&) const { return false; }
        bool operator()(const ParameterUse&) const { return false; }
        bool operator()(const LoopIndexUse&) const { return false; }
        bool operator()(const CoordinateUse&) const { return false; }
        bool operator()(const ExtentUse&) const { return false; }
        bool operator()(const OperandUse&) const { return false; }
        bool operator()(const UnaryOperation& node) const { return calls_functions(*node.operand); }
        bool operator()(const BinaryOperation& node) const {
            return calls_functions(*node.left) || calls_functions(*node.right);
        }
        bool operator()(const Conditional& node) const {
            return calls_functions(*node.condition) || calls_functions(*node.then) || calls_functions(*node.otherwise);
        }
        bool operator()(const IntrinsicCall& node) const {
            switch (node.intrinsic) {
                case Intrinsic::abs:
                case Intrinsic::floor:
                case Intrinsic::sqrt:
                case Intrinsic::minimum:
                case Intrinsic::maximum:
                case Intrinsic::make_complex:
                case Intrinsic::conjugate:
                case Intrinsic::real_part:
                case Intrinsic::imaginary_part:
                    return std::any_of(node.arguments.begin(), node.arguments.end(),
                                       [](const ExpressionRef& argument) { return calls_functions(*argument); });
                default:
                    return true;
            }
        }
        bool operator()(const FunctionWord&) const { return true; }
    };
    return std::visit(Visitor{}, expression.node);
}

bool has_slow_path(const Expression& expression) {
    return any_part(expression, [](const Expression& part) {
        if (is_uniform(part)) return false;
        if (std::holds_alternative<FunctionWord>(part.node)) return true;
        if (const auto* b = std::get_if<BinaryOperation>(&part.node))
            return b->op == BinaryOperator::divide && part.kind != ScalarKind::integer;
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        if (call == nullptr) return false;
        switch (call->intrinsic) {
            case Intrinsic::sqrt:
            case Intrinsic::pow:
            case Intrinsic::sin:
            case Intrinsic::cos:
            case Intrinsic::tan:
            case Intrinsic::tanh:
                return true;
            default:
                return false;
        }
    });
}

}  // namespace kasc
