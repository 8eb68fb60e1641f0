#include "contract/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/expression_parts.hpp"

namespace kasc::contract {

namespace {

void remove_assigned(const std::vector<Statement>& statements, std::set<VariableId>& inputs) {
    for (const Statement& statement : statements) {
        if (const auto* field = std::get_if<FieldStatement>(&statement)) inputs.erase(field->target);
        if (const auto* call = std::get_if<CallStatement>(&statement)) inputs.erase(call->target);
        if (const auto* transform = std::get_if<TransformStatement>(&statement)) inputs.erase(transform->target);
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement))
            remove_assigned((*loop)->body, inputs);
    }
}

class AlwaysRead {
public:
    explicit AlwaysRead(const std::vector<Operand>& operands) : operands_(operands) {}

    [[nodiscard]] std::set<std::size_t> of(const Expression& e) const {
        if (const auto* use = std::get_if<OperandUse>(&e.node)) return of_operand(use->operand);
        if (const auto* b = std::get_if<BinaryOperation>(&e.node)) {
            const bool stops = b->op == BinaryOperator::logical_and || b->op == BinaryOperator::logical_or;
            return stops ? of(*b->left) : both(of(*b->left), of(*b->right));
        }
        if (const auto* c = std::get_if<Conditional>(&e.node)) {
            const std::set<std::size_t> then = of(*c->then), otherwise = of(*c->otherwise);
            std::set<std::size_t> either;
            std::set_intersection(then.begin(), then.end(), otherwise.begin(), otherwise.end(),
                                  std::inserter(either, either.end()));
            return both(of(*c->condition), std::move(either));
        }
        std::set<std::size_t> all;
        for_each_operand_part(e, [&](const Expression& part) { all = both(std::move(all), of(part)); });
        return all;
    }

private:
    static std::set<std::size_t> both(std::set<std::size_t> a, std::set<std::size_t> b) {
        a.merge(b);
        return a;
    }
    [[nodiscard]] std::set<std::size_t> of_operand(std::size_t number) const {
        std::set<std::size_t> all{number};
        for (const AxisIndex& index : operands_[number].indices) {
            if (const auto* at = std::get_if<Computed>(&index)) all = both(std::move(all), of(*at->position));
        }
        return all;
    }

    const std::vector<Operand>& operands_;
};

}  // namespace

std::set<VariableId> unchanged_inputs(const Program& program) {
    std::set<VariableId> inputs(program.inputs.begin(), program.inputs.end());
    remove_assigned(program.statements, inputs);
    return inputs;
}

std::set<std::size_t> always_read(const FieldStatement& statement) {
    const AlwaysRead reads(statement.operands);
    std::set<std::size_t> all = reads.of(*statement.value);
    for (const AxisIndex& index : statement.target_indices) {
        if (const auto* at = std::get_if<Computed>(&index)) all.merge(reads.of(*at->position));
    }
    return all;
}

bool made_of_inputs(const Expression& expression, const std::vector<Operand>& operands,
                    const std::set<VariableId>& inputs) {
    bool some = false, only = true;
    for_each_part(expression, [&](const Expression& part) {
        if (std::holds_alternative<CoordinateUse>(part.node) || std::holds_alternative<LoopIndexUse>(part.node))
            only = false;
        const auto* use = std::get_if<OperandUse>(&part.node);
        if (!use) return;
        some = true;
        const Operand& operand = operands.at(use->operand);
        only = only && inputs.contains(operand.variable);
        for (const AxisIndex& index : operand.indices) {
            const auto* offset = std::get_if<Offset>(&index);
            const auto* at = std::get_if<Computed>(&index);
            // A neighbour sees what its boundary says: no data of a list.
            if (offset && offset->cells != 0) only = false;
            if (at) only = only && made_of_inputs(*at->position, operands, inputs);
        }
    });
    return some && only;
}

std::vector<InputUse> input_uses(const Program& program, const std::vector<Operand>& operands,
                                 const std::vector<ExpressionRef>& expressions) {
    std::vector<InputUse> uses;
    const auto add = [&](const auto& self, const Expression& expression) -> void {
        for_each_part(expression, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (!use) return;
            const Operand& operand = operands.at(use->operand);
            const auto input = std::find(program.inputs.begin(), program.inputs.end(), operand.variable);
            uses.push_back({static_cast<std::size_t>(input - program.inputs.begin()), &operand});
            for (const AxisIndex& index : operand.indices) {
                if (const auto* at = std::get_if<Computed>(&index)) self(self, *at->position);
            }
        });
    };
    for (const ExpressionRef& expression : expressions) {
        if (expression) add(add, *expression);
    }
    return uses;
}

void add_axes(const Program& program, const Expression& expression, const std::vector<Operand>& operands,
              std::set<AxisId>& axes) {
    for_each_part(expression, [&](const Expression& part) {
        const auto* use = std::get_if<OperandUse>(&part.node);
        if (!use) return;
        const Operand& operand = operands.at(use->operand);
        const std::vector<AxisId>& own = field_shape(program, operand.variable).axes;
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (std::holds_alternative<Offset>(operand.indices[k])) axes.insert(own[k]);
            if (const auto* at = std::get_if<Computed>(&operand.indices[k]))
                add_axes(program, *at->position, operands, axes);
        }
    });
}

std::string position_text(const Program& program, const Expression& position, const std::vector<Operand>& operands) {
    std::vector<std::string> texts;
    for (const Operand& operand : operands) texts.push_back(to_text(operand, program, texts));
    return to_text(position, program, texts);
}

std::string positions_text(const Program& program, const Positions& positions) {
    const std::string& axis = program.axes[positions.axis].name;
    return fmt::format("{}: positions along {}, from {} to extent({}) - {}",
                       position_text(program, *positions.position, positions.operands), axis, positions.kept_low, axis,
                       1 + positions.kept_high);
}

std::string list_text(const Program& program, const ListedCells& list) {
    std::string text;
    const std::vector<AxisId>& axes = field_shape(program, list.field).axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (!list.positions[k]) continue;
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", program.axes[axes[k]].name,
                            position_text(program, *list.positions[k], list.operands));
    }
    return "(" + text + ")";
}

}  // namespace kasc::contract
