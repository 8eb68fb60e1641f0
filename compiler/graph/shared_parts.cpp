// From the leaves up: a part is known by what it is and by which parts it is made of, which are shared already. A
// weight that a function names three times is walked through three times in a tree:
//
//   w * a + w * b + w, w = exp(-d * d)     15 parts     8, each once: d, d * d, -, exp, w * a, w * b, the two sums, a,
//   b
#include "graph/shared_parts.hpp"

#include <bit>
#include <cstdint>
#include <unordered_map>

#include "foundation/part_key.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"

namespace kasc {

namespace {

/// What a node is beside its parts.
struct Own {
    PartKey& key;
    void operator()(const Literal& node) const { key.push_back(std::bit_cast<std::uint64_t>(node.value)); }
    void operator()(const ParameterUse& node) const { key.push_back(node.parameter.index); }
    void operator()(const LoopIndexUse& node) const { key.push_back(node.loop.index); }
    void operator()(const CoordinateUse& node) const { key.push_back(node.axis.index); }
    void operator()(const ExtentUse& node) const { key.push_back(node.axis.index); }
    void operator()(const OperandUse& node) const { key.push_back(node.operand); }
    void operator()(const UnaryOperation& node) const { key.push_back(static_cast<std::uint64_t>(node.op)); }
    void operator()(const BinaryOperation& node) const { key.push_back(static_cast<std::uint64_t>(node.op)); }
    void operator()(const Conditional&) const {}
    void operator()(const IntrinsicCall& node) const { key.push_back(static_cast<std::uint64_t>(node.intrinsic)); }
    void operator()(const FunctionWord& node) const {
        key.push_back(node.function.index);
        key.push_back(static_cast<std::uint64_t>(node.word));
    }
};

class Sharing {
public:
    ExpressionRef shared(const ExpressionRef& e) {
        if (const auto known = made_.find(e.get()); known != made_.end()) return known->second;
        const ExpressionRef mine = of_shared_parts(e);
        PartKey key{static_cast<std::uint64_t>(mine->kind), mine->node.index()};
        std::visit(Own{key}, mine->node);
        for_each_operand_part(*mine,
                              [&](const Expression& part) { key.push_back(std::bit_cast<std::uintptr_t>(&part)); });
        const ExpressionRef& first = parts_.try_emplace(std::move(key), mine).first->second;
        made_.emplace(e.get(), first);
        return first;
    }

private:
    std::unordered_map<PartKey, ExpressionRef, PartKeyHash> parts_;
    std::unordered_map<const Expression*, ExpressionRef> made_;

    ExpressionRef of_shared_parts(const ExpressionRef& e) {
        Expression::Node node = e->node;
        bool changed = false;
        const auto into = [&](ExpressionRef& part) {
            ExpressionRef first = shared(part);
            changed = changed || first != part;
            part = std::move(first);
        };
        if (auto* unary = std::get_if<UnaryOperation>(&node)) into(unary->operand);
        if (auto* binary = std::get_if<BinaryOperation>(&node)) {
            into(binary->left);
            into(binary->right);
        }
        if (auto* choice = std::get_if<Conditional>(&node)) {
            into(choice->condition);
            into(choice->then);
            into(choice->otherwise);
        }
        if (auto* call = std::get_if<IntrinsicCall>(&node))
            for (ExpressionRef& argument : call->arguments) into(argument);
        if (auto* call = std::get_if<FunctionWord>(&node))
            for (ExpressionRef& argument : call->arguments) into(argument);
        return changed ? make_expression(std::move(node), e->kind, e->span) : e;
    }
};

}  // namespace

FieldStatement with_shared_parts(FieldStatement statement) {
    Sharing sharing;
    const auto in_positions = [&](std::vector<AxisIndex>& indices) {
        for (AxisIndex& index : indices)
            if (auto* computed = std::get_if<Computed>(&index)) computed->position = sharing.shared(computed->position);
    };
    statement.value = sharing.shared(statement.value);
    for (Operand& operand : statement.operands) in_positions(operand.indices);
    in_positions(statement.target_indices);
    return statement;
}

}  // namespace kasc
