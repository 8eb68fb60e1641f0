#include "model/field/reads_made.hpp"

#include <unordered_set>

#include "frontend/expression_parts.hpp"

namespace kasc::model {

namespace {

class Shares {
public:
    Shares(const Program& program, const FieldStatement& statement) : program_(program), statement_(statement) {
        made_.assign(statement.operands.size(), false);
    }

    std::vector<bool> run() {
        visit(*statement_.value);
        if (statement_.where) visit(*statement_.where);
        for (const AxisIndex& index : statement_.target_indices) visit(index);
        return std::move(made_);
    }

private:
    const Program& program_;
    const FieldStatement& statement_;
    std::vector<bool> made_;
    std::unordered_set<const Expression*> visited_;

    /// `field[x = x / d]`
    [[nodiscard]] bool is_coarse(const Operand& operand) const {
        const auto& axes = field_shape(program_, operand.variable).axes;
        const auto* computed = operand.indices.empty() ? nullptr : std::get_if<Computed>(&operand.indices.front());
        const auto* quotient = computed ? std::get_if<BinaryOperation>(&computed->position->node) : nullptr;
        if (quotient == nullptr || quotient->op != BinaryOperator::divide) return false;
        const auto* at = std::get_if<CoordinateUse>(&quotient->left->node);
        const auto* by = std::get_if<Literal>(&quotient->right->node);
        return at && by && at->axis == axes.front() && by->value > 1;
    }

    void visit(const AxisIndex& index) {
        if (const auto* computed = std::get_if<Computed>(&index)) visit(*computed->position);
    }
    void visit(const Expression& e) {
        if (!visited_.insert(&e).second) return;
        if (const auto* use = std::get_if<OperandUse>(&e.node)) {
            made_[use->operand] = true;
            for (const AxisIndex& index : statement_.operands[use->operand].indices) visit(index);
        } else if (const auto* b = std::get_if<BinaryOperation>(&e.node)) {
            visit(*b->left);
            if (b->op != BinaryOperator::logical_and || !tests_mark(*b->left)) visit(*b->right);
        } else if (const auto* c = std::get_if<Conditional>(&e.node)) {
            visit(*c->condition);
            if (!tests_mark(*c->condition)) visit(*c->then);
            visit(*c->otherwise);
        } else {
            for_each_operand_part(e, [&](const Expression& part) { visit(part); });
        }
    }

    /// True only where a coarse read is greater than something.
    [[nodiscard]] bool tests_mark(const Expression& e) const {
        const auto* b = std::get_if<BinaryOperation>(&e.node);
        if (b == nullptr) return false;
        if (b->op == BinaryOperator::logical_and) return tests_mark(*b->left) || tests_mark(*b->right);
        const auto* use = std::get_if<OperandUse>(&b->left->node);
        return b->op == BinaryOperator::greater && use != nullptr && is_coarse(statement_.operands[use->operand]);
    }
};

}  // namespace

std::vector<bool> reads_made(const Program& program, const FieldStatement& statement) {
    return Shares(program, statement).run();
}

}  // namespace kasc::model
