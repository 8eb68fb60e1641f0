#include "graph/statements.hpp"

#include <algorithm>

namespace kasc::statements {

namespace {

using Loop = std::shared_ptr<const LoopStatement>;

}  // namespace

std::set<VariableId> targets(const Statement& statement) {
    if (const auto* field = std::get_if<FieldStatement>(&statement)) return {field->target};
    if (const auto* transform = std::get_if<TransformStatement>(&statement)) return {transform->target};
    if (const auto* call = std::get_if<CallStatement>(&statement)) return {call->target};
    std::set<VariableId> all;
    for (const Statement& inner : std::get<Loop>(statement)->body) all.merge(targets(inner));
    return all;
}

bool assigns(const Statement& statement, VariableId variable) { return targets(statement).contains(variable); }

std::optional<std::size_t> definition(const Statements& list, VariableId variable, std::size_t at) {
    while (at > 0) {
        if (assigns(list[--at], variable)) return at;
    }
    return std::nullopt;
}

bool unchanged(const Statements& list, VariableId variable, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        if (assigns(list[i], variable)) return false;
    }
    return true;
}

bool reads(const Statement& statement, VariableId variable) {
    if (const auto* field = std::get_if<FieldStatement>(&statement)) {
        return std::any_of(field->operands.begin(), field->operands.end(),
                           [&](const Operand& o) { return o.variable == variable; });
    }
    if (const auto* transform = std::get_if<TransformStatement>(&statement)) return transform->source == variable;
    if (const auto* call = std::get_if<CallStatement>(&statement))
        return std::find(call->arguments.begin(), call->arguments.end(), variable) != call->arguments.end();
    const auto& loop = *std::get<Loop>(statement);
    const auto& body = loop.body;
    return loop.going == variable ||
           std::any_of(body.begin(), body.end(), [&](const Statement& inner) { return reads(inner, variable); });
}

void each_statement(const Statements& list, const std::function<void(const Statement&)>& visit) {
    for (const Statement& statement : list) {
        if (const auto* loop = std::get_if<Loop>(&statement))
            each_statement((*loop)->body, visit);
        else
            visit(statement);
    }
}

}  // namespace kasc::statements
