#include "graph/handed_on.hpp"

#include <algorithm>
#include <set>

#include "frontend/expression.hpp"

namespace kasc {

namespace {

bool at_own_cell(const std::vector<AxisIndex>& indices) {
    return std::all_of(indices.begin(), indices.end(), [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        return offset != nullptr && offset->cells == 0;
    });
}

/// What is assigned to fields from some statements on, loops among them.
struct Touched {
    std::map<VariableId, int> assigned;
    std::set<VariableId> read, in_part;  ///< in_part: assigned at some cells

    explicit Touched(const std::vector<Statement>& statements, std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) std::visit([this](const auto& s) { add(s); }, statements[k]);
    }

private:
    void add(const CallStatement& call) {
        ++assigned[call.target];
        read.insert(call.arguments.begin(), call.arguments.end());
    }
    void add(const TransformStatement& transform) {
        ++assigned[transform.target];
        read.insert(transform.source);
    }
    void add(const FieldStatement& field) {
        ++assigned[field.target];
        for (const Operand& operand : field.operands) read.insert(operand.variable);
        if (field.where || !at_own_cell(field.target_indices)) in_part.insert(field.target);
    }
    void add(const std::shared_ptr<const LoopStatement>& loop) {
        for (const Statement& s : loop->body) std::visit([this](const auto& inner) { add(inner); }, s);
    }
};

/// Null: the statement computes something.
const Operand* copied(const Program& program, const FieldStatement& field) {
    if (field.operands.size() != 1 || field.fold || !std::holds_alternative<OperandUse>(field.value->node))
        return nullptr;
    const Operand& operand = field.operands.front();
    const FieldShape& from = field_shape(program, operand.variable);
    const FieldShape& to = field_shape(program, field.target);
    const bool alike = from.axes == to.axes && from.type == to.type && !from.keeps_layers() && !to.keeps_layers();
    return alike && at_own_cell(operand.indices) && at_own_cell(field.target_indices) ? &operand : nullptr;
}

}  // namespace

std::map<const Statement*, VariableId> handed_on(const Program& program, const LoopStatement& loop) {
    const std::vector<Statement>& body = loop.body;
    const Touched whole(program.statements, 0, program.statements.size());
    std::map<const Statement*, VariableId> all;
    std::set<VariableId> handed;
    for (std::size_t k = 0; k < body.size(); ++k) {
        const auto* field = std::get_if<FieldStatement>(&body[k]);
        const Operand* from = field != nullptr && !field->where ? copied(program, *field) : nullptr;
        if (from == nullptr || whole.in_part.contains(field->target) || whole.in_part.contains(from->variable))
            continue;
        const Touched before(body, 0, k), after(body, k + 1, body.size());
        const VariableId target = field->target, source = from->variable;
        const bool enters = !before.assigned.contains(source) && after.assigned.contains(source);
        const bool last = before.read.contains(target) && !before.assigned.contains(target) &&
                          !after.read.contains(target) && !after.assigned.contains(target);
        if (enters && last && handed.insert(source).second) all[&body[k]] = source;
    }
    return all;
}

}  // namespace kasc
