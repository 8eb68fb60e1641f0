// An array's last axes that stand at positions are left aside first. By what is left, over x, y, z:
//
//   T[x, y, z - 1]                  near
//   P[x, y, z - 1], periodic        around
//   movie[x, y, z, t = n]           near, placed at n
//   T[x = px, y = py, z = pz]       placed at pz, py, px
//   s, rec[t = n], stored beside T  far, but stored at z = 0 alone: at the first
//   T[x = list[k], …]               anywhere; where z stands at list[k]: listed
#include "lower/field/span.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "frontend/same_expression.hpp"

namespace kasc::kernel {

namespace {

enum class Where { near, around, by_part, far };

/// All uses of an array.
struct Uses {
    std::optional<Where> where;
    std::optional<std::vector<ExpressionRef>> at;
    std::vector<ListedPosition> listed;
    bool only_listed = true;
    bool at_first = true;  ///< stored by calls that lack the axis, and read by none
    bool read = false, stored = false;
    bool in_order = true;  ///< its axes are all of the plan's but parts, in their order

    void add(Where own, std::vector<ExpressionRef> positions) {
        const bool alike =
            !at || std::equal(at->begin(), at->end(), positions.begin(), positions.end(), same_expression);
        where = alike && (!where || *where == own) ? own : Where::far;
        at = alike ? std::move(positions) : std::vector<ExpressionRef>{};
    }
    void add_place(const FieldCall& call, const std::vector<FieldIndex>& indices) {
        const auto* computed = indices.empty() ? nullptr : std::get_if<Computed>(&indices.back());
        only_listed = only_listed && computed != nullptr && call.statement != nullptr;
        if (only_listed) listed.push_back({call.statement->operands, computed->position});
    }
};

/// A value of the kernel that some cell has computed elsewhere than beside itself: beyond the ends of a periodic axis,
/// or at a position. What that is computed of is read there, too.
enum class Elsewhere { nowhere, around, anywhere };
Elsewhere computes_elsewhere(const FieldPlan& plan, std::size_t axis, const Program& program, const Graph& graph) {
    Elsewhere found = Elsewhere::nowhere;
    if (axis == plan.axes.size()) return found;
    for (const FieldCall& call : plan.calls) {
        for (const FieldRead& read : call.reads) {
            const FieldShape& shape = field_shape(program, graph.values[read.value].variable);
            if (!read.producer || shape.axes.empty() || shape.axes.back() != plan.axes[axis]) continue;
            const auto* moving = std::get_if<Moving>(&read.indices.back());
            if (moving == nullptr) return Elsewhere::anywhere;
            if (moving->step != 0 && shape.faces.back().low.kind == BoundaryKind::periodic) found = Elsewhere::around;
        }
    }
    return found;
}

/// How far from its own place a cell may read what it computes of others, where these stand beyond a face: a step of 2
/// through a mirror may be one of -1, to the nearest cell one of 0, and the next step counts from there. 0: it computes
/// nothing beside itself.
int reach_by_images(const FieldPlan& plan, std::size_t axis) {
    int computed = 0, read_last = 0;
    for (const FieldCall& call : plan.calls) {
        int most = 0;
        for (const FieldRead& read : call.reads)
            for (const FieldIndex& index : read.indices) {
                const auto* moving = std::get_if<Moving>(&index);
                if (moving == nullptr || moving->axis != axis) continue;
                int& farthest = read.producer ? most : read_last;
                farthest = std::max(farthest, std::abs(moving->step));
            }
        computed += most;
    }
    return computed > 0 ? computed + read_last : 0;
}

/// Its result is the same along the axis, and stored at its first cell.
bool lacks(const FieldCall& call, std::size_t axis) {
    return std::any_of(call.fixed.begin(), call.fixed.end(),
                       [&](const FixedAxis& fixed) { return fixed.axis == axis && fixed.by == FixedBy::lacking; });
}

}  // namespace

TouchedArrays touched_arrays(const std::vector<const FieldPlan*>& plans, std::size_t axis, const Program& program,
                             const Graph& graph, const std::function<ValueId(ValueId)>& array_of) {
    std::map<ValueId, Uses> uses;
    const bool has_axis = axis < plans.front()->axes.size();
    const std::optional<AxisId> last = has_axis ? std::optional(plans.front()->axes[axis]) : std::nullopt;
    const auto see = [&](const FieldPlan& plan, const FieldCall& call, ValueId value,
                         const std::vector<FieldIndex>& indices, bool stores) -> Uses& {
        const FieldShape& shape = field_shape(program, graph.values[value].variable);
        std::vector<ExpressionRef> at;
        std::size_t left = indices.size();
        for (; left > 0 && std::holds_alternative<Absolute>(indices[left - 1]); --left)
            at.push_back(std::get<Absolute>(indices[left - 1]).position);
        Where where = Where::far;
        const auto* moving = left > 0 ? std::get_if<Moving>(&indices[left - 1]) : nullptr;
        if (moving != nullptr && has_axis && plan.axes[axis] == last && moving->axis == axis &&
            shape.axes[left - 1] == last)
            where = shape.faces[left - 1].low.kind == BoundaryKind::periodic ? Where::around : Where::near;
        if (moving != nullptr && plan.is_of_parts(moving->axis) && left == 1 && at.empty() && stores)
            where = Where::by_part;
        Uses& of = uses[array_of(value)];
        (stores ? of.stored : of.read) = true;
        of.at_first = of.at_first && stores && lacks(call, axis);
        const std::vector<std::size_t> order = plan.cell_axes();
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* own = std::get_if<Moving>(&indices[k]);
            of.in_order = of.in_order && indices.size() == order.size() && own != nullptr && own->axis == order[k];
        }
        of.add(where, std::move(at));
        of.add_place(call, indices);
        return of;
    };
    for (const FieldPlan* plan : plans) {
        const Elsewhere elsewhere = computes_elsewhere(*plan, axis, program, graph);
        for (const FieldCall& call : plan->calls) {
            see(*plan, call, call.value, call.target, call.stored);
            for (const FieldRead& read : call.reads) {
                const bool was_at_first = uses[array_of(read.value)].at_first;
                Uses& of = see(*plan, call, read.value, read.indices, false);
                of.at_first = was_at_first && read.producer.has_value();
                if (read.producer || elsewhere == Elsewhere::nowhere) continue;
                of.only_listed = false;
                if (elsewhere == Elsewhere::anywhere || of.where == Where::far)
                    of.add(Where::far, {});
                else
                    of.where = Where::around;
            }
            if (call.former) see(*plan, call, call.former->value, call.former->indices, false);
        }
    }
    TouchedArrays touched;
    for (const auto& [value, of] : uses) {
        if (of.at && !of.at->empty()) touched.placed.push_back({value, *of.at});
        if (of.where == Where::near) touched.near.push_back(value);
        if (of.where == Where::around) touched.around.push_back(value);
        if (of.where == Where::by_part && !of.read) touched.by_part.push_back(value);
        if (of.where == Where::far && of.at_first) touched.at_first.push_back(value);
        if (of.where == Where::far && of.only_listed)
            touched.listed.push_back(
                {value, field_shape(program, graph.values[value].variable).axes.back(), of.listed});
        touched.stored_in_order = touched.stored_in_order && (!of.stored || of.where == Where::by_part || of.in_order);
    }
    return touched;
}

void set_span(Kernel& kernel, const FieldContext& context, const std::optional<BlocksAlong>& along) {
    const FieldPlan& plan = context.plan;
    const std::vector<std::size_t> order = plan.cell_axes();
    // A kernel of one cell has no axis, but arrays that it stands in at positions.
    const std::size_t axis = along ? along->axis : order.empty() ? plan.axes.size() : order.back();
    TouchedArrays touched = touched_arrays({&plan}, axis, context.program, context.graph,
                                           [&](ValueId value) { return context.value_of_array(value); });
    kernel.placed = std::move(touched.placed);
    if (order.empty() || !along || (along->numbered && !touched.stored_in_order)) return;
    const FieldWork& work = *context.schedule.work;
    BlockSpan span;
    span.along = static_cast<std::size_t>(along->dimension);
    span.axis = plan.axes[axis];
    span.cells = along->cells, span.blocks = along->blocks;
    span.block_cells = along->block_cells;
    span.numbered = along->numbered;
    span.reach = std::max({work.reach_low[axis], work.reach_high[axis], reach_by_images(plan, axis)}) + along->ahead;
    span.near = std::move(touched.near), span.around = std::move(touched.around);
    if (span.numbered) span.by_block = std::move(touched.by_part);
    if (!span.numbered) span.at_first = std::move(touched.at_first);
    if (span.near.empty() && span.around.empty()) return;
    kernel.span = std::move(span);
    kernel.listed = std::move(touched.listed);
}

}  // namespace kasc::kernel
