#include "graph/loop_lines.hpp"

#include <algorithm>
#include <set>

#include "graph/field_target.hpp"

namespace kasc {

namespace {

bool is_other_cell(const AxisIndex& index) {
    const auto* offset = std::get_if<Offset>(&index);
    return offset == nullptr ? std::holds_alternative<Computed>(index) : offset->cells != 0;
}

}  // namespace

std::vector<AxisId> line_axes(const Program& program, const std::vector<const FieldStatement*>& body) {
    if (body.empty()) return {};
    std::set<VariableId> assigned;
    for (const FieldStatement* statement : body) assigned.insert(statement->target);
    std::set<AxisId> along;
    for (const FieldStatement* statement : body)
        for (const Operand& operand : statement->operands) {
            if (!assigned.contains(operand.variable)) continue;
            const std::vector<AxisId>& axes = field_shape(program, operand.variable).axes;
            for (std::size_t k = 0; k < operand.indices.size(); ++k)
                if (is_other_cell(operand.indices[k])) along.insert(axes[k]);
        }
    std::vector<AxisId> all = free_axes(program, *body.front());
    std::erase_if(all, [&](AxisId axis) { return !along.contains(axis); });
    return all;
}

}  // namespace kasc
