#include "graph/handed_on.hpp"

#include <algorithm>

#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc {

namespace {

/// Null: the statement computes something.
const Operand* copied(const Program& program, const FieldStatement& field) {
    if (field.operands.size() != 1 || !std::holds_alternative<OperandUse>(field.value->node)) return nullptr;
    const Operand& operand = field.operands.front();
    if (!is_whole(program, field) || !is_own_cell(program, field, operand)) return nullptr;
    const FieldShape& from = field_shape(program, operand.variable);
    return from.type == field_shape(program, field.target).type && !from.keeps_layers() ? &operand : nullptr;
}

}  // namespace

VariableSet assigned_in_part(const Program& program) {
    VariableSet all;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field != nullptr && updates_in_place(*field)) all.insert(field->target);
    });
    return all;
}

std::map<const Statement*, VariableId> handed_on(const Program& program, const LoopStatement& loop,
                                                 const VariableSet& in_part) {
    const std::vector<Statement>& body = loop.body;
    const auto read = [&](VariableId variable, std::size_t first, std::size_t end) {
        return std::any_of(body.begin() + static_cast<std::ptrdiff_t>(first),
                           body.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](const Statement& s) { return statements::reads(s, variable); });
    };
    std::map<const Statement*, VariableId> all;
    VariableSet handed;
    for (std::size_t k = 0; k < body.size(); ++k) {
        const auto* field = std::get_if<FieldStatement>(&body[k]);
        const Operand* from = field != nullptr ? copied(program, *field) : nullptr;
        if (from == nullptr || in_part.contains(field->target) || in_part.contains(from->variable)) continue;
        const VariableId target = field->target, source = from->variable;
        const auto kept = [&](VariableId variable, std::size_t first, std::size_t end) {
            return statements::unchanged(body, variable, first, end);
        };
        const bool enters = kept(source, 0, k) && !kept(source, k + 1, body.size());
        const bool last = read(target, 0, k) && kept(target, 0, k) && !read(target, k + 1, body.size()) &&
                          kept(target, k + 1, body.size());
        if (enters && last && handed.insert(source).second) all[&body[k]] = source;
    }
    return all;
}

}  // namespace kasc
