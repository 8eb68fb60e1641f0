#include "basis/domains.hpp"

#include <algorithm>

#include "graph/statements.hpp"

namespace kasc::basis {

Domains::Domains(const Program& program, const Blocks& blocks) : program_(program), blocks_(blocks) {
    for (const VariableId v : program.variables.ids()) {
        const auto* field = std::get_if<FieldShape>(&program.variables[v].shape);
        for (std::size_t k = 0; field != nullptr && k < field->axes.size(); ++k) {
            if (program.axes[field->axes[k]].half_of && cut(field->axes[k]) != nullptr) tell({v, k}, Along::waves);
        }
    }
    find(program.statements);
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* transform = std::get_if<TransformStatement>(&statement);
        if (transform == nullptr) return;
        const auto both = [&](VariableId v) {
            const auto& axes = field_shape(program, v).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const auto told = told_.find(root({v, k}));
                if (cut(axes[k]) != nullptr && told != told_.end() && told->second.first && told->second.second)
                    return true;
            }
            return false;
        };
        if (both(transform->source) || both(transform->target)) contradictions_.push_back(transform);
    });
}

const CutAxis* Domains::cut(AxisId axis) const {
    const auto& whole = program_.axes[axis].half_of;
    return blocks_.find(whole ? *whole : axis);
}

Along Domains::along(VariableId variable, std::size_t place) const {
    const auto told = told_.find(root({variable, place}));
    return told != told_.end() && told->second.second ? Along::waves : Along::cells;
}

std::optional<Along> Domains::along(const FieldStatement& statement, AxisId axis) const {
    const auto of = [&](VariableId v, const std::vector<AxisIndex>& indices) -> std::optional<Along> {
        const auto& axes = field_shape(program_, v).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (axes[k] == axis && std::holds_alternative<Offset>(indices.at(k))) return along(v, k);
        }
        return std::nullopt;
    };
    auto found = of(statement.target, statement.target_indices);
    for (const Operand& operand : statement.operands) {
        if (!found) found = of(operand.variable, operand.indices);
    }
    return found;
}

bool Domains::runs_along_waves(const FieldStatement& statement) const {
    const auto axes = program_.axes.ids();
    return std::any_of(axes.begin(), axes.end(),
                       [&](AxisId axis) { return cut(axis) != nullptr && along(statement, axis) == Along::waves; });
}

bool Domains::has_waves(VariableId variable) const {
    const auto& axes = field_shape(program_, variable).axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (cut(axes[k]) != nullptr && along(variable, k) == Along::waves) return true;
    }
    return false;
}

std::vector<AxisId> Domains::cell_axes(VariableId variable) const {
    const auto& axes = field_shape(program_, variable).axes;
    std::vector<AxisId> all;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (cut(axes[k]) != nullptr && along(variable, k) == Along::cells) all.push_back(axes[k]);
    }
    return all;
}

Domains::Node Domains::root(Node node) const {
    for (auto at = parents_.find(node); at != parents_.end(); at = parents_.find(node)) node = at->second;
    return node;
}

void Domains::join(const Node& a, const Node& b) {
    const Node kept = std::min(root(a), root(b)), gone = std::max(root(a), root(b));
    if (kept == gone) return;
    parents_[gone] = kept;
    if (const auto told = told_.find(gone); told != told_.end()) {
        auto& [cells, waves] = told_[kept];
        cells = cells || told->second.first;
        waves = waves || told->second.second;
    }
}

void Domains::tell(const Node& node, Along along) {
    auto& [cells, waves] = told_[root(node)];
    (along == Along::cells ? cells : waves) = true;
}

void Domains::find(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
        if (const auto* field = std::get_if<FieldStatement>(&statement)) find(*field);
        if (const auto* transform = std::get_if<TransformStatement>(&statement)) find(*transform);
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) find((*loop)->body);
    }
}

void Domains::find(const FieldStatement& statement) {
    std::map<AxisId, Node> first;
    const auto add = [&](VariableId v, const std::vector<AxisIndex>& indices) {
        const auto& axes = field_shape(program_, v).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (cut(axes[k]) == nullptr || !std::holds_alternative<Offset>(indices.at(k))) continue;
            const Node node{v, k};
            join(first.try_emplace(axes[k], node).first->second, node);
        }
    };
    add(statement.target, statement.target_indices);
    for (const Operand& operand : statement.operands) add(operand.variable, operand.indices);
}

void Domains::find(const TransformStatement& statement) {
    const auto& axes = field_shape(program_, statement.source).axes;
    const bool forward = statement.direction == Direction::forward;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (cut(axes[k]) == nullptr) continue;
        const Node source{statement.source, k}, target{statement.target, k};
        if (std::find(statement.axes.begin(), statement.axes.end(), k) == statement.axes.end()) {
            join(source, target);
        } else {
            tell(source, forward ? Along::cells : Along::waves);
            tell(target, forward ? Along::waves : Along::cells);
        }
    }
}

}  // namespace kasc::basis
