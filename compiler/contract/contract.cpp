// Each statement: the reads that it makes whatever its conditions say, and the positions of its target. Example:
//
//     T[x = px] += on[t = n] > 0 ? energy[m = kind] : 0;      px is asked for, kind is not: the condition may guard it
//     T = T + (a > 0 ? k[m = tissue]*a : k[m = tissue]);      tissue is: both sides read there

#include "contract/contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "contract/reach.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/list_entries.hpp"

namespace kasc {

using namespace contract;

namespace {

/// A read at a row of a loop, `px[t = n]`: all rows are read, some time.
std::vector<Operand> with_all_rows(const Program& program, std::vector<Operand> operands, std::set<AxisId>& rows) {
    for (Operand& operand : operands) {
        const std::vector<AxisId>& axes = field_shape(program, operand.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const auto* at = std::get_if<Absolute>(&operand.indices[k]);
            if (!at || !uses_loop(*at->position)) continue;
            operand.indices[k] = Offset{0};
            rows.insert(axes[k]);
        }
    }
    return operands;
}

/// T[x = int(p)] looks up what is computed of reals: the nearest cell may well be meant.
bool is_cut(const Expression& position) {
    return any_part(position, [](const Expression& part) {
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        return call && call->intrinsic == Intrinsic::to_integer;
    });
}

class ContractMaker {
public:
    explicit ContractMaker(const Program& program) : program_(program), inputs_(unchanged_inputs(program)) {
        walk(program.statements);
    }

    [[nodiscard]] Contract take() { return std::move(contract_); }
    [[nodiscard]] std::vector<ListedCells> take_added() { return std::move(added_); }

private:
    void walk(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) {
            if (const auto* field = std::get_if<FieldStatement>(&statement)) {
                note(*field);
            } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                walk((*loop)->body);
            }
        }
    }

    void note(const FieldStatement& statement) {
        std::set<AxisId> rows;
        const std::vector<Operand> operands = with_all_rows(program_, statement.operands, rows);
        for (const std::size_t number : always_read(statement)) {
            const Operand& operand = operands[number];
            for (std::size_t k = 0; k < operand.indices.size(); ++k) {
                const auto* at = std::get_if<Computed>(&operand.indices[k]);
                if (at && !is_cut(*at->position)) add(operand.variable, k, at->position, operands, {});
            }
        }
        ListedCells list{statement.target, {}, {}, operands, {}, statement.span};
        std::set<AxisId> listed;
        bool known = true, some = false;
        const FieldShape& shape = field_shape(program_, statement.target);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            const auto* at = std::get_if<Computed>(&statement.target_indices[k]);
            list.positions.push_back(at ? at->position : nullptr);
            if (!at) continue;
            some = true;
            known = known && made_of_inputs(*at->position, operands, inputs_);
            add(statement.target, k, at->position, operands, shape.faces[k]);
            if (known) add_axes(program_, *at->position, operands, listed);
        }
        if (!some || !known) return;
        list.axes.assign(listed.begin(), listed.end());
        for (const AxisId axis : list.axes) {
            const auto own = std::find(shape.axes.begin(), shape.axes.end(), axis);
            // Where the field stands at a position along the list's own axis, entries may be one cell all the same.
            const bool moves = own != shape.axes.end() &&
                               std::holds_alternative<Offset>(statement.target_indices.at(own - shape.axes.begin()));
            if (rows.contains(axis) || moves) list.rows.push_back(axis);
        }
        // What is added in pieces is so of distinct cells as well.
        if (adds_in_pieces(program_, statement)) return;
        (statement.adding ? added_ : contract_.lists).push_back(std::move(list));
    }

    void add(VariableId field, std::size_t number, const ExpressionRef& position, const std::vector<Operand>& operands,
             const Faces& kept) {
        if (!made_of_inputs(*position, operands, inputs_)) return;
        std::set<AxisId> axes;
        add_axes(program_, *position, operands, axes);
        const AxisId axis = field_shape(program_, field).axes[number];
        const std::vector<AxisId> along(axes.begin(), axes.end());
        Positions made{field, axis, kept.low.layers, kept.high.layers, along, operands, position};
        // Where the same positions are read and assigned, what is assigned asks for more.
        const auto text = std::pair(axis, position_text(program_, *position, operands));
        const auto [place, added] = numbers_.try_emplace(text, contract_.positions.size());
        if (added) {
            contract_.positions.push_back(std::move(made));
        } else if (made.kept_low + made.kept_high > 0) {
            contract_.positions[place->second] = std::move(made);
        }
    }

    const Program& program_;
    std::set<VariableId> inputs_;
    std::map<std::pair<AxisId, std::string>, std::size_t> numbers_;  // of positions
    Contract contract_;
    std::vector<ListedCells> added_;
};

}  // namespace

Contract contract_of(const Program& program) {
    return has_streams(program) ? Contract{} : ContractMaker(program).take();
}

std::vector<ListedCells> added_lists(const Program& program) {
    return has_streams(program) ? std::vector<ListedCells>{} : ContractMaker(program).take_added();
}

std::vector<std::string> contract_text(const Program& program) {
    std::vector<std::string> lines;
    for (const Requirement& requirement : program.requirements)
        lines.push_back(to_text(*requirement.condition, program, operand_texts(requirement, program)));
    const Contract contract = contract_of(program);
    for (const Positions& positions : contract.positions) lines.push_back(positions_text(program, positions));
    std::set<std::string> said;
    for (const ListedCells& list : contract.lists) {
        std::string line =
            fmt::format("{}: different cells of {}", list_text(program, list), program.variables[list.field].name);
        if (said.insert(line).second) lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace kasc
