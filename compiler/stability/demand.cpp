// From the last node to the first: who is needed at a position needs what it reads there.
//
//   L = T[-1] + T[1] - 2 * T         needed: L at 0          → T at -1, 0, 1
//   T = T + dt * L                   needed: T.leaving at 0  → T at 0, L at 0
//
// Two stencils in a row add their reaches, so a long chain of wide stencils needs a number of positions that grows with
// the cube of its length: bounded.

#include "stability/demand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/evaluate.hpp"
#include "graph/field_target.hpp"

namespace kasc::stability {

namespace {

// Two 13-point steps in one body need some 80 positions; beyond this a check before a run would be felt.
constexpr std::size_t most_positions = 20'000;

/// Far outside of every grid; reads are clamped to it.
int saturated(double position) {
    constexpr double far = 1 << 30;
    return std::isnan(position) ? 0 : static_cast<int>(std::clamp(position, -far, far));
}

}  // namespace

Coordinate read_coordinate(const AxisIndex& index, const Coordinate& at, const Uniforms& uniforms) {
    if (const auto* offset = std::get_if<Offset>(&index)) return {at.cells + offset->cells, at.fixed};
    const Expression& absolute = *std::get<Absolute>(index).position;
    return {saturated(evaluate(absolute, uniforms.parameters, uniforms.loop_indices, uniforms.extents)), true};
}

Position read_position(const Program& program, const Operand& operand, const Position& at, const Uniforms& uniforms) {
    Position position(at.size(), Coordinate{0, true});
    const std::vector<AxisId>& axes = field_shape(program, operand.variable).axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Coordinate& coordinate = position.at(axes[i].index);
        coordinate = read_coordinate(operand.indices.at(i), at.at(axes[i].index), uniforms);
    }
    return position;
}

bool is_gathered(const Operand& operand) {
    return std::any_of(operand.indices.begin(), operand.indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
}

bool passes_former(const FieldUpdate& update) { return updates_in_place(update.statement); }

bool add_needed(const Program& program, const Graph& graph, NodeId end, const Uniforms& uniforms, Demand& demand) {
    std::size_t positions = 0;
    for (const auto& [value, at] : demand) positions += at.size();
    for (std::uint32_t i = end.index; i-- > 0;) {
        const Node& node = graph.nodes[NodeId{i}];
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        if (!update) continue;
        const auto needed = demand.find(node.writes.at(0));
        if (needed == demand.end()) continue;
        const std::set<Position> here = needed->second;  // a copy: the map grows
        for (const Position& at : here) {
            if (passes_former(*update)) {
                if (update->former) positions += demand[*update->former].insert(at).second;
                continue;
            }
            if (joins_cells(update->statement)) continue;
            for (std::size_t k = 0; k < update->statement.operands.size(); ++k) {
                if (is_gathered(update->statement.operands[k])) continue;
                const Position read = read_position(program, update->statement.operands[k], at, uniforms);
                positions += demand[node.reads.at(k)].insert(read).second;
            }
            if (positions > most_positions) return false;
        }
    }
    return true;
}

}  // namespace kasc::stability
