#include "lower/field/positions.hpp"

#include <algorithm>

#include "frontend/same_expression.hpp"

namespace kasc::kernel {

void add_position_checks(std::vector<PositionCheck>& checks, const FieldPlan& plan, const Program& program,
                         std::optional<LoopId> former) {
    const auto add = [&](VariableId field, const std::vector<AxisIndex>& indices, const Span& span,
                         const std::vector<KeptLayers>* kept) {
        const std::vector<AxisId>& axes = field_shape(program, field).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const auto* absolute = std::get_if<Absolute>(&indices[k]);
            if (!absolute) continue;
            const KeptLayers layers = kept ? (*kept)[k] : KeptLayers{};
            const bool known = std::any_of(checks.begin(), checks.end(), [&](const PositionCheck& c) {
                return c.axis == axes[k] && c.former == former && KeptLayers{c.low, c.high} == layers &&
                       same_expression(c.position, absolute->position);
            });
            const Span& own = absolute->position->span;
            if (known) continue;
            checks.push_back(
                {absolute->position, field, axes[k], layers.low, layers.high, own.source ? own : span, former});
        }
    };
    for (const FieldCall& call : plan.calls) {
        const FieldStatement& statement = *call.statement;
        add(statement.target, statement.at.empty() ? statement.target_indices : statement.at, statement.span,
            &call.kept);
        for (const Operand& operand : call.statement->operands)
            add(operand.variable, operand.indices, operand.span, nullptr);
    }
}

}  // namespace kasc::kernel
