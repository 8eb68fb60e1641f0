// A field schedule becomes a kernel in three steps: the calls resolved against the kernel's axes (field_plan), the walk
// of the threads with a body for each path (field_walk_*), and around it the parameters that the bodies asked for.
// Groups of cells need rows that start where a group may: their kernel comes with the same walk over single cells for
// extents that are no multiple of a group. Threads counted through the rows of a plane count in 32 bits: larger planes
// have a grid.
#include <fmt/format.h>

#include <algorithm>

#include "kernel/field_walk.hpp"
#include "kernel/lower.hpp"
#include "schedule/calls_functions.hpp"
#include "schedule/field_expressions.hpp"

namespace kasc {

namespace {

using namespace kernel;

/// Every absolute position that the kernel touches, once.
std::vector<PositionCheck> position_checks(const FieldPlan& plan, const Program& program) {
    std::vector<PositionCheck> checks;
    const auto add = [&](VariableId variable, const std::vector<AxisIndex>& indices, const Span& span) {
        const std::vector<AxisId>& axes = field_shape(program, variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const auto* absolute = std::get_if<Absolute>(&indices[k]);
            if (!absolute) continue;
            const bool known = std::any_of(checks.begin(), checks.end(), [&](const PositionCheck& c) {
                return c.axis == axes[k] && same_expression(c.position, absolute->position);
            });
            if (!known)
                checks.push_back(
                    {absolute->position, axes[k], absolute->position->span.source ? absolute->position->span : span});
        }
    };
    for (const FieldCall& call : plan.calls) {
        add(call.statement->target, call.statement->target_indices, call.statement->span);
        for (const Operand& operand : call.statement->operands) add(operand.variable, operand.indices, operand.span);
    }
    return checks;
}

/// The last block of a plane counts on beyond its cells.
constexpr std::int64_t most_flat_cells = 2147483647 - 1024;

Walked walk(FieldContext& context) {
    if (context.rank() == 0) return walk_single(context);
    switch (context.schedule.choice.walk) {
        case Walk::grid:
            return walk_grid(context);
        case Walk::flat:
            return walk_flat(context);
        case Walk::column:
            return walk_column(context);
        case Walk::row:
            return walk_row(context);
    }
    return walk_grid(context);
}

/// Left alone, ptxas (13.0) holds kernels that call a function of double at 48 registers and spills; with a bound on
/// the blocks of a multiprocessor, any, it takes the 62 that they need. Others would take more than they need.
bool calls_functions_of_double(const FieldPlan& plan) {
    return std::any_of(plan.calls.begin(), plan.calls.end(), [](const FieldCall& call) {
        return call.statement->precision == Precision::dual && calls_functions(*call.statement->value);
    });
}

Kernel lower_one(const FieldSchedule& schedule, const FieldPlan& plan, const Program& program, const Graph& graph,
                 const std::string& kernel_name, const std::map<ValueId, ValueId>& overwritten) {
    FieldContext context(schedule, plan, program, graph, overwritten);
    Walked walked = walk(context);
    Kernel kernel;
    kernel.name = kernel_name;
    for (const FieldCall& call : plan.calls) kernel.comment.push_back(node_text(graph, program, call.node));
    kernel.block = walked.block;
    kernel.grid = walked.grid;
    kernel.shared_words = walked.shared_words;
    kernel.body = context.preamble();
    for (kernel::Statement& s : walked.body) kernel.body.push_back(std::move(s));
    kernel.parameters = context.parameters();
    if (calls_functions_of_double(plan)) kernel.min_blocks = 1;
    kernel.positions = position_checks(plan, program);
    if (schedule.choice.vector > 1)
        kernel.requirement = Kernel::Requirement{{plan.axes[0]}, schedule.choice.vector, {}};
    if (schedule.choice.walk == Walk::flat)
        kernel.requirement = Kernel::Requirement{{plan.axes[0], plan.axes[1]}, 1, most_flat_cells};
    return kernel;
}

}  // namespace

kernel::Lowered lower_field(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                            const std::string& kernel_name, const std::map<ValueId, ValueId>& overwritten) {
    const FieldPlanResult plan = plan_fields(program, graph, schedule.fusion);
    if (!plan.value) return {};  // not a schedule that schedule_field made
    Lowered lowered;
    lowered.alternatives.push_back(lower_one(schedule, *plan.value, program, graph, kernel_name, overwritten));
    const auto also = [&](const FieldChoice& choice, const char* suffix) {
        const FieldScheduleResult made = schedule_field(program, graph, schedule.fusion, choice);
        lowered.alternatives.push_back(
            lower_one(*made.value, *plan.value, program, graph, kernel_name + suffix, overwritten));
    };
    if (schedule.choice.vector > 1) {
        FieldChoice single = schedule.choice;
        single.vector = 1;
        also(single, "_v1");
    }
    if (schedule.choice.walk == Walk::flat) {
        FieldChoice grid = schedule.choice;
        grid.walk = Walk::grid;
        also(grid, "_grid");
    }
    return lowered;
}

}  // namespace kasc
