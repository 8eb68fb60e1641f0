#include "lower/field/span.hpp"

#include <algorithm>
#include <set>

namespace kasc::kernel {

namespace {

/// Beyond what cells ask for: words that are loaded with others, or ahead of the plane that needs them.
constexpr int reach_of_rows = 8, reach_of_planes = 1;

bool moves_along_last(const std::vector<FieldIndex>& indices, std::size_t last) {
    const auto* moving = indices.empty() ? nullptr : std::get_if<Moving>(&indices.back());
    return moving != nullptr && moving->axis == last;
}

/// Some cell has a value of the kernel computed elsewhere than beside itself: beyond the ends of a periodic axis, or at
/// a position. What that is computed of is read there, too.
bool computes_elsewhere(const FieldPlan& plan, const Program& program, const Graph& graph) {
    const auto elsewhere = [&](const FieldRead& read) {
        const FieldShape& shape = field_shape(program, graph.values[read.value].variable);
        if (!read.producer || shape.axes.empty() || shape.axes.back() != plan.axes.back()) return false;
        const auto* moving = std::get_if<Moving>(&read.indices.back());
        return moving == nullptr || (moving->step != 0 && shape.faces.back().low.kind == BoundaryKind::periodic);
    };
    return std::any_of(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& call) {
        return std::any_of(call.reads.begin(), call.reads.end(), elsewhere);
    });
}

/// The dimension of the grid and a block's cells along the last axis; none: another walk.
std::optional<std::pair<std::size_t, int>> blocks_along_last(const FieldSchedule& schedule) {
    const FieldChoice& choice = schedule.choice;
    const std::size_t rank = schedule.plan().axes.size();
    if (rank == 0 || rank > 3 || !schedule.plan().parts.empty()) return std::nullopt;
    switch (choice.walk) {
        case Walk::grid:
            return std::pair{rank - 1, choice.tile(rank - 1)};
        case Walk::column:
            return std::pair{rank - 1, choice.chunk};
        case Walk::warp:
            if (rank == 1) return std::nullopt;
            return rank == 3 ? std::pair{std::size_t{2}, 1} : std::pair{std::size_t{1}, choice.chunk};
        case Walk::flat:
            if (rank != 3) return std::nullopt;
            return std::pair{std::size_t{1}, 1};
        default:
            return std::nullopt;
    }
}

}  // namespace

std::vector<ValueId> near_values(const std::vector<const FieldPlan*>& plans, const Program& program,
                                 const Graph& graph) {
    std::set<ValueId> near, far;
    const AxisId axis = plans.front()->axes.back();
    const auto see = [&](const FieldPlan& plan, ValueId value, const std::vector<FieldIndex>& indices) {
        const FieldShape& shape = field_shape(program, graph.values[value].variable);
        const bool is_near = plan.axes.back() == axis && !shape.axes.empty() && shape.axes.back() == axis &&
                             moves_along_last(indices, plan.axes.size() - 1) &&
                             shape.faces.back().low.kind != BoundaryKind::periodic;
        (is_near ? near : far).insert(value);
    };
    for (const FieldPlan* plan : plans) {
        const bool anywhere = computes_elsewhere(*plan, program, graph);
        for (const FieldCall& call : plan->calls) {
            see(*plan, call.value, call.target);
            for (const FieldRead& read : call.reads) {
                see(*plan, read.value, read.indices);
                if (anywhere && !read.producer) far.insert(read.value);
            }
            if (call.former) see(*plan, call.former->value, call.former->indices);
        }
    }
    std::vector<ValueId> only;
    std::set_difference(near.begin(), near.end(), far.begin(), far.end(), std::back_inserter(only));
    return only;
}

std::optional<BlockSpan> block_span(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const auto blocks = blocks_along_last(schedule);
    if (!blocks) return std::nullopt;
    const FieldWork& work = *schedule.work;
    const FieldPlan& plan = schedule.plan();
    BlockSpan span{blocks->first, plan.axes.back(), blocks->second,
                   std::max(work.reach_low.back(), work.reach_high.back()) +
                       (plan.axes.size() == 1 ? reach_of_rows : reach_of_planes)};
    span.near = near_values({&plan}, program, graph);
    if (span.near.empty()) return std::nullopt;
    return span;
}

}  // namespace kasc::kernel
