// T[x,y,z] = …          free axes x, y, z
// rec[x, t = n] = …     free axis x, a slice: the other instants keep what they hold
// T[x = px, y = py] = … with px[p]: free axis p, listed cells: the others keep what they hold

#include "graph/field_target.hpp"

#include <algorithm>

namespace kasc {

std::vector<AxisId> free_axes(const Program& program, const FieldStatement& statement) {
    const auto& shape = std::get<FieldShape>(program.variables[statement.target].shape);
    std::vector<AxisId> axes = statement.listed;
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        if (std::holds_alternative<Offset>(statement.target_indices.at(i))) axes.push_back(shape.axes[i]);
    }
    return axes;
}

bool assigns_slice(const FieldStatement& statement) {
    return std::any_of(statement.target_indices.begin(), statement.target_indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Absolute>(index); });
}

bool is_listed(const FieldStatement& statement) {
    return std::any_of(statement.target_indices.begin(), statement.target_indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
}

bool updates_in_place(const FieldStatement& statement) {
    return assigns_slice(statement) || is_listed(statement) || statement.where;
}

bool keeps_former(const Program& program, const FieldStatement& statement) {
    return updates_in_place(statement) || field_shape(program, statement.target).keeps_layers();
}

}  // namespace kasc
