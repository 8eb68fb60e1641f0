// Structural comparison, node by node. `px + 1` equals `px + 1`, not `1 + px`: a position that is only proved equal by
// algebra is treated as another one, which costs a fusion and never correctness.
#include "frontend/same_expression.hpp"

#include <algorithm>

namespace kasc {

namespace {

bool same(const Literal& a, const Literal& b) { return a.value == b.value; }
bool same(const ParameterUse& a, const ParameterUse& b) { return a.parameter == b.parameter; }
bool same(const LoopIndexUse& a, const LoopIndexUse& b) { return a.loop == b.loop; }
bool same(const CoordinateUse& a, const CoordinateUse& b) { return a.axis == b.axis; }
bool same(const ExtentUse& a, const ExtentUse& b) { return a.axis == b.axis; }
bool same(const OperandUse& a, const OperandUse& b) { return a.operand == b.operand; }
bool same(const UnaryOperation& a, const UnaryOperation& b) {
    return a.op == b.op && same_expression(a.operand, b.operand);
}
bool same(const BinaryOperation& a, const BinaryOperation& b) {
    return a.op == b.op && same_expression(a.left, b.left) && same_expression(a.right, b.right);
}
bool same(const Conditional& a, const Conditional& b) {
    return same_expression(a.condition, b.condition) && same_expression(a.then, b.then) &&
           same_expression(a.otherwise, b.otherwise);
}
bool same(const IntrinsicCall& a, const IntrinsicCall& b) {
    return a.intrinsic == b.intrinsic &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(), same_expression);
}

bool same(const FunctionWord& a, const FunctionWord& b) {
    return a.function == b.function && a.word == b.word &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(), same_expression);
}

}  // namespace

bool same_expression(const ExpressionRef& left, const ExpressionRef& right) {
    if (left == right) return true;
    if (!left || !right || left->kind != right->kind || left->node.index() != right->node.index()) return false;
    return std::visit([&](const auto& node) { return same(node, std::get<std::decay_t<decltype(node)>>(right->node)); },
                      left->node);
}

}  // namespace kasc
