#include "rewrite/statements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "rewrite/expressions.hpp"

namespace kasc::rewriting {

namespace {

using Loop = std::shared_ptr<const LoopStatement>;

ExpressionRef position_of(const AxisIndex& index) {
    const auto* computed = std::get_if<Computed>(&index);
    return computed ? computed->position : nullptr;
}

void collect_operands(const Expression& e, std::set<std::size_t>& all) {
    for_each_part(e, [&](const Expression& part) {
        if (const auto* use = std::get_if<OperandUse>(&part.node)) all.insert(use->operand);
    });
}

}  // namespace

Statements with_lists(const Statements& list, const std::function<Statements(Statements)>& change) {
    Statements all;
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<Loop>(&statement);
        if (loop == nullptr) {
            all.push_back(statement);
            continue;
        }
        LoopStatement made = **loop;
        made.body = with_lists(made.body, change);
        all.emplace_back(std::make_shared<const LoopStatement>(std::move(made)));
    }
    return change(std::move(all));
}

std::set<std::size_t> operands_of_positions(const FieldStatement& statement) {
    std::set<std::size_t> all;
    const auto add = [&](const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices) {
            if (const ExpressionRef position = position_of(index)) collect_operands(*position, all);
        }
    };
    add(statement.target_indices);
    for (const Operand& operand : statement.operands) add(operand.indices);
    if (statement.where) collect_operands(*statement.where, all);
    return all;
}

bool is_seen_outside(const Program& program, const Statements& list, VariableId variable) {
    const auto readers_in = [&](const Statements& statements) {
        std::size_t count = 0;
        each_statement(statements, [&](const Statement& s) { count += reads(s, variable) ? 1 : 0; });
        return count;
    };
    const auto loops = program.loops.ids();
    return std::find(program.outputs.begin(), program.outputs.end(), variable) != program.outputs.end() ||
           std::any_of(loops.begin(), loops.end(),
                       [&](LoopId loop) { return program.loops[loop].alive == variable; }) ||
           readers_in(program.statements) > readers_in(list);
}

std::string free_name(const Program& program, std::string wish) {
    const auto is_taken = [&](const auto& table) {
        return std::any_of(table.begin(), table.end(), [&](const auto& entry) { return entry.name == wish; });
    };
    while (is_taken(program.loops) || is_taken(program.variables) || is_taken(program.parameters) ||
           is_taken(program.axes))
        wish += "_";
    return wish;
}

std::string statement_text(const Program& program, const Statement& statement) {
    if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
        const std::vector<AxisId>& all = field_shape(program, transform->target).axes;
        std::string axes;
        if (transform->axes.size() < all.size())
            for (const std::size_t k : transform->axes) axes += ", " + program.axes[all[k]].name;
        return fmt::format("{} = {}({}{})", program.variables[transform->target].name, name_of(transform->direction),
                           program.variables[transform->source].name, axes);
    }
    const auto& field = std::get<FieldStatement>(statement);
    const std::vector<std::string> operands = operand_texts(field, program);
    const std::string target = to_text(Operand{field.target, field.target_indices, {}}, program, operands);
    if (field.running)
        return fmt::format("{} = {}", target,
                           running_text(*field.running, program, to_text(*field.value, program, operands)));
    if (!field.fold) return fmt::format("{} = {}", target, to_text(*field.value, program, operands));
    const FieldStatement* parts =
        field.fold->parts ? &field : statement_of_parts(program, field.operands.at(0).variable);
    return fmt::format("{} = {}({})", target, name_of(field.fold->op),
                       to_text(*parts->value, program, operand_texts(*parts, program)));
}

FieldStatement reading(FieldStatement statement, const std::map<VariableId, VariableId>& others) {
    for (Operand& operand : statement.operands) {
        const auto other = others.find(operand.variable);
        if (other != others.end() && is_plain(operand)) operand.variable = other->second;
    }
    return statement;
}

Span written_span(const Program& program, const Statement& statement) {
    const std::string text = statement_text(program, statement);
    return {make_source("a statement that kasc wrote", text), 0, text.size()};
}

FieldStatement written(const Program& program, const FieldStatement& statement) {
    FieldStatement made = with_equal_operands_once(statement);
    made.span = written_span(program, made);
    return made;
}

FieldStatement written(const Program& program, VariableId target, const ExpressionRef& value,
                       std::vector<Operand> operands, Precision precision, const Span& span) {
    const std::vector<AxisIndex> own(field_shape(program, target).axes.size(), Offset{0});
    return written(program, {span, target, own, std::move(operands), value, precision, {}, nullptr});
}

}  // namespace kasc::rewriting
