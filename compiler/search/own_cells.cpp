// Blocks are shared out along the outermost axis of their cells. A call beside them that stands at a position along it
// stores what one of the blocks has, which is known as the kernel runs, and no sooner.
#include "search/own_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/field_target.hpp"
#include "search/prologue.hpp"

namespace kasc {

namespace {

/// The array and the operands of a statement, each with what it is indexed by.
template <class Act>
void each_use(const FieldStatement& s, const Act& act) {
    act(s.target, s.target_indices);
    for (const Operand& operand : s.operands) act(operand.variable, operand.indices);
}

bool has(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// Among the axes of the cells that the call goes through.
std::optional<AxisId> outermost_axis(const Program& program, const FieldStatement& s) {
    const std::vector<AxisId> cells = cell_axes(program, s);
    std::optional<AxisId> outermost;
    each_use(s, [&](VariableId variable, const auto&) {
        const std::vector<AxisId>& axes = field_shape(program, variable).axes;
        const auto last = std::find_if(axes.rbegin(), axes.rend(), [&](AxisId axis) { return has(cells, axis); });
        if (!outermost && last != axes.rend()) outermost = *last;
    });
    return outermost;
}

bool stands_at_position(const Program& program, const FieldStatement& s, AxisId axis) {
    bool found = false;
    if (has(cell_axes(program, s), axis)) return false;
    each_use(s, [&](VariableId variable, const auto& indices) {
        found = found || position_along(field_shape(program, variable).axes, indices, axis) != nullptr;
    });
    return found;
}

}  // namespace

ExpressionRef position_along(const std::vector<AxisId>& axes, const std::vector<AxisIndex>& indices, AxisId axis) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] != axis) continue;
        if (const auto* absolute = std::get_if<Absolute>(&indices.at(i))) return absolute->position;
    }
    return nullptr;
}

Verdict have_own_cells(const Program& program, const Graph& graph, const PrologueRoles& roles, NodeId first,
                       NodeId second) {
    for (const auto& [cells, other] : {std::pair(first, second), std::pair(second, first)}) {
        const auto* of_cells = std::get_if<FieldUpdate>(&graph.nodes[cells].what);
        const auto* of_other = std::get_if<FieldUpdate>(&graph.nodes[other].what);
        if (of_cells == nullptr || of_other == nullptr) continue;
        const std::string name = program.variables[of_other->statement.target].name;
        const auto along = outermost_axis(program, of_cells->statement);
        if (along && stands_at_position(program, of_other->statement, *along))
            return Verdict::no(fmt::format("{} stands at a position along {}, along which processes share the kernel",
                                           name, program.axes[*along].name));
        const auto role = roles[other.index];
        const bool comes_before = role == PrologueRole::join || (role && of_cells->statement.fold);
        if (comes_before && !roles[cells.index])
            return Verdict::no(fmt::format("each process would compute {} before its cells, of all parts", name));
    }
    return Verdict::yes("each block stores its own cells");
}

}  // namespace kasc
