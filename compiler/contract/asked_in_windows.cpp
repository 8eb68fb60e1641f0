// A window holds rows of one axis: what reads two cells of it at a time can be told if both stand in the same row.
//
//     require(q < r)          q[x, t], r[x, t]: yes, rows of both come together
//     require(q[t = 0] > 0)   no: row 0 is gone when the others come

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "contract/check_data.hpp"
#include "contract/reach.hpp"
#include "frontend/expression_parts.hpp"

namespace kasc {

using namespace contract;

namespace {

/// Calls `visit(operands, parts, span)` for all that is asked of the data.
template <class Visit>
void for_each_clause(const Program& program, const Contract& contract, const Visit& visit) {
    for (const Requirement& r : program.requirements)
        visit(r.operands, std::vector<ExpressionRef>{r.condition}, r.condition->span);
    for (const Positions& p : contract.positions)
        visit(p.operands, std::vector<ExpressionRef>{p.position}, p.position->span);
    for (const ListedCells& list : contract.lists) visit(list.operands, list.positions, list.span);
}

/// What a clause reads of windowed inputs: which, and whether it reads all of them row by row of one axis.
struct WindowedUse {
    std::vector<std::size_t> inputs;
    bool by_rows = true;
};

WindowedUse windowed_use(const Program& program, const std::vector<bool>& windowed,
                         const std::vector<Operand>& operands, const std::vector<ExpressionRef>& parts) {
    WindowedUse use;
    std::set<AxisId> axes;
    for (const auto& [input, operand] : input_uses(program, operands, parts)) {
        if (!windowed.at(input)) continue;
        use.inputs.push_back(input);
        axes.insert(field_shape(program, operand->variable).axes.back());
        use.by_rows = use.by_rows && std::holds_alternative<Offset>(operand->indices.back());
    }
    use.by_rows = use.by_rows && axes.size() <= 1;
    return use;
}

/// Marks the inputs that positions are made of.
void mark_positions(const Program& program, const std::vector<Operand>& operands, const std::vector<AxisIndex>& indices,
                    std::vector<bool>& marked) {
    for (const AxisIndex& index : indices) {
        const auto* at = std::get_if<Computed>(&index);
        if (at == nullptr) continue;
        for_each_part(*at->position, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (use == nullptr) return;
            const auto input =
                std::find(program.inputs.begin(), program.inputs.end(), operands.at(use->operand).variable);
            if (input != program.inputs.end())
                marked.at(static_cast<std::size_t>(input - program.inputs.begin())) = true;
        });
    }
}

void mark_positions(const Program& program, const std::vector<Statement>& statements, std::vector<bool>& marked) {
    for (const Statement& statement : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement))
            mark_positions(program, (*loop)->body, marked);
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr) continue;
        mark_positions(program, field->operands, field->target_indices, marked);
        for (const Operand& operand : field->operands)
            mark_positions(program, field->operands, operand.indices, marked);
    }
}

}  // namespace

Outcome<std::vector<bool>> asked_in_windows(const Program& program, const Contract& contract,
                                            const std::vector<bool>& windowed) {
    std::vector<bool> asked(windowed.size(), false);
    Diagnostics said;
    for_each_clause(program, contract, [&](const auto& operands, const auto& parts, const Span& span) {
        const WindowedUse use = windowed_use(program, windowed, operands, parts);
        for (const std::size_t input : use.inputs) asked[input] = true;
        if (use.by_rows) return;
        Diagnostic d;
        d.code = "K0745";
        d.message = fmt::format("'{}' passes through memory row by row, and this needs more than a row at a time",
                                program.variables[program.inputs[use.inputs.back()]].name);
        d.span = span;
        d.help = "allow more with --memory, or ask for less: a condition of one cell of a series";
        said.push_back(std::move(d));
    });
    if (!said.empty()) return failure<std::vector<bool>>(std::move(said));
    return success(std::move(asked));
}

std::vector<bool> asked_whole(const Program& program, const Contract& contract, const std::vector<bool>& in_rows) {
    std::vector<bool> whole(in_rows.size(), false);
    mark_positions(program, program.statements, whole);
    for_each_clause(program, contract, [&](const auto& operands, const auto& parts, const Span&) {
        const WindowedUse use = windowed_use(program, in_rows, operands, parts);
        for (const std::size_t input : use.inputs) whole[input] = whole[input] || !use.by_rows;
    });
    return whole;
}

}  // namespace kasc
