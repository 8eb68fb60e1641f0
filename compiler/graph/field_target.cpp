// T[x,y,z] = …          free axes x, y, z
// rec[x, t = n] = …     free axis x, a slice: the other instants keep what they hold
// T[x = px, y = py] = … with px[p]: free axis p, listed cells: the others keep what they hold

#include "graph/field_target.hpp"

#include <algorithm>
#include <string>

#include "frontend/expression_parts.hpp"

namespace kasc {

std::vector<AxisId> free_axes(const Program& program, const FieldStatement& statement) {
    const auto& shape = std::get<FieldShape>(program.variables[statement.target].shape);
    std::vector<AxisId> axes = statement.listed;
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        if (std::holds_alternative<Offset>(statement.target_indices.at(i))) axes.push_back(shape.axes[i]);
    }
    if (statement.fold) axes.insert(axes.end(), statement.fold->axes.begin(), statement.fold->axes.end());
    return axes;
}

std::vector<AxisId> cell_axes(const Program& program, const FieldStatement& statement) {
    std::vector<AxisId> axes = free_axes(program, statement);
    if (statement.fold) std::erase_if(axes, [&](AxisId axis) { return axis == statement.fold->parts; });
    return axes;
}

bool is_plain(const Operand& operand) {
    return std::all_of(operand.indices.begin(), operand.indices.end(), [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        return offset && offset->cells == 0;
    });
}

bool calls_library(const FieldStatement& statement) {
    const auto in_positions = [](const std::vector<AxisIndex>& indices) {
        return std::any_of(indices.begin(), indices.end(), [](const AxisIndex& index) {
            const auto* computed = std::get_if<Computed>(&index);
            return computed && calls_library(*computed->position);
        });
    };
    return calls_library(*statement.value) || (statement.where && calls_library(*statement.where)) ||
           in_positions(statement.target_indices) ||
           std::any_of(statement.operands.begin(), statement.operands.end(),
                       [&](const Operand& operand) { return in_positions(operand.indices); });
}

bool joins_cells(const FieldStatement& statement) {
    return statement.fold || statement.running || makes_pieces(statement);
}

bool is_whole(const Program& program, const FieldStatement& statement) {
    return is_plain(Operand{statement.target, statement.target_indices, {}}) && statement.listed.empty() &&
           !statement.where && !joins_cells(statement) && !statement.adding &&
           !field_shape(program, statement.target).keeps_layers();
}

bool is_own_cell(const Program& program, const FieldStatement& statement, const Operand& operand) {
    return is_plain(operand) &&
           field_shape(program, operand.variable).axes == field_shape(program, statement.target).axes;
}

bool assigns_slice(const FieldStatement& statement) {
    return std::any_of(statement.target_indices.begin(), statement.target_indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Absolute>(index); });
}

bool is_listed(const FieldStatement& statement) {
    return std::any_of(statement.target_indices.begin(), statement.target_indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
}

bool adds_in_any_order(const Program& program, const FieldStatement& statement) {
    return statement.adding && statement.adding->part == Adding::Part::entries &&
           adds_at_once(field_shape(program, statement.target).type);
}

bool makes_pieces(const FieldStatement& statement) {
    return statement.adding && statement.adding->part == Adding::Part::pieces;
}

bool updates_some_cells(const FieldStatement& statement) { return is_listed(statement) || statement.where; }

bool are_slices_apart(const FieldStatement& a, const FieldStatement& b) {
    if (a.target != b.target) return false;
    const auto number = [](const AxisIndex& index) -> std::optional<double> {
        const auto* absolute = std::get_if<Absolute>(&index);
        const auto* literal = absolute != nullptr ? std::get_if<Literal>(&absolute->position->node) : nullptr;
        return literal != nullptr ? std::optional(literal->value) : std::nullopt;
    };
    for (std::size_t k = 0; k < a.target_indices.size(); ++k) {
        const auto one = number(a.target_indices[k]), other = number(b.target_indices[k]);
        if (one && other && *one != *other) return true;
    }
    return false;
}

bool updates_in_place(const FieldStatement& statement) {
    return (assigns_slice(statement) || updates_some_cells(statement)) && !makes_pieces(statement);
}

namespace {

/// A position as something and a number: "px" is px + 0, "extent(x) - 1" is extent(x) + -1, "3" is 3 alone.
struct Sum {
    std::string base;
    double number = 0;
};

Sum sum_of(const Expression& e, const Program& program, const std::vector<std::string>& operands) {
    if (const auto* literal = std::get_if<Literal>(&e.node)) return {"", literal->value};
    const auto* node = std::get_if<BinaryOperation>(&e.node);
    const auto* added = node ? std::get_if<Literal>(&node->right->node) : nullptr;
    if (added && node->op == BinaryOperator::add) return {to_text(*node->left, program, operands), added->value};
    if (added && node->op == BinaryOperator::subtract) return {to_text(*node->left, program, operands), -added->value};
    return {to_text(e, program, operands), 0};
}

const Expression* position_of(const AxisIndex& index) {
    if (const auto* absolute = std::get_if<Absolute>(&index)) return absolute->position.get();
    const auto* computed = std::get_if<Computed>(&index);
    return computed ? computed->position.get() : nullptr;
}

}  // namespace

bool reads_what_it_assigns(const Program& program, const FieldStatement& statement) {
    if (!assigns_slice(statement) && !is_listed(statement)) return false;  // colours are told apart by the front end
    const std::vector<std::string> operands = operand_texts(statement, program);
    return std::any_of(statement.operands.begin(), statement.operands.end(), [&](const Operand& operand) {
        if (operand.variable != statement.target) return false;
        if (statement.adding) {
            // Whatever else it reads of its target may be added to by other entries.
            const auto number = static_cast<std::size_t>(&operand - statement.operands.data());
            return number != statement.adding->running;
        }
        bool own_cell = true;
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            const Expression *from = position_of(operand.indices[k]), *to = position_of(statement.target_indices[k]);
            const auto* offset = std::get_if<Offset>(&operand.indices[k]);
            if (!from || !to) {
                own_cell = own_cell && !to && offset && offset->cells == 0;
                continue;
            }
            const Sum a = sum_of(*from, program, operands), b = sum_of(*to, program, operands);
            const bool uniform = is_uniform(*from) && is_uniform(*to);
            if (uniform && a.base == b.base && a.number != b.number) return false;  // another slice
            own_cell = own_cell && a.base == b.base && a.number == b.number;
        }
        return !own_cell;
    });
}

bool keeps_former(const Program& program, const FieldStatement& statement) {
    return updates_in_place(statement) || field_shape(program, statement.target).keeps_layers();
}

}  // namespace kasc
