// heat3d: T[x,y,z], rec[t] indexed by a loop of 500 iterations    extents x, y, z 256 and t 500

#include <algorithm>

#include "frontend/reduction.hpp"
#include "model/prediction.hpp"

namespace kasc {

namespace {

/// Large enough that launches and caches do not decide, small enough for any device.
constexpr long long flat_extent = 4096, deep_extent = 256;
constexpr long long iterations = 100;  // of a loop whose bound is not known when compiling
constexpr double largest_extent = 1e9;

/// An axis that no program moves along: it is always at an absolute position.
void mark_moving(const Program& program, VariableId variable, const std::vector<AxisIndex>& indices,
                 std::vector<bool>& moving) {
    const auto& axes = std::get<FieldShape>(program.variables[variable].shape).axes;
    for (std::size_t k = 0; k < axes.size() && k < indices.size(); ++k) {
        if (std::holds_alternative<Offset>(indices[k])) moving.at(axes[k].index) = true;
    }
}

void mark_moving(const Program& program, const std::vector<Statement>& statements, std::vector<bool>& moving) {
    for (const Statement& statement : statements) {
        if (const auto* update = std::get_if<FieldStatement>(&statement)) {
            mark_moving(program, update->target, update->target_indices, moving);
            for (const Operand& operand : update->operands)
                mark_moving(program, operand.variable, operand.indices, moving);
        } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            for (const VariableId v : {transform->target, transform->source}) {
                for (const AxisId axis : field_shape(program, v).axes) moving.at(axis.index) = true;
            }
        } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            mark_moving(program, (*loop)->body, moving);
        }
    }
}

long long known_extent(const Program& program, ExpressionRef expression) {
    while (expression) {
        if (const auto* literal = std::get_if<Literal>(&expression->node)) {
            return literal->value >= 1 && literal->value <= largest_extent ? static_cast<long long>(literal->value)
                                                                           : iterations;
        }
        const auto* use = std::get_if<ParameterUse>(&expression->node);
        if (use == nullptr) break;
        expression = program.parameters[use->parameter].fallback;  // uses earlier parameters only: this ends
    }
    return iterations;
}

}  // namespace

Problem default_problem(const Program& program) {
    std::vector<bool> moving(program.axes.size());
    mark_moving(program, program.statements, moving);
    std::size_t largest = 0;
    for (const Variable& variable : program.variables) {
        if (const auto* field = std::get_if<FieldShape>(&variable.shape)) {
            const auto moves =
                std::count_if(field->axes.begin(), field->axes.end(), [&](AxisId a) { return moving.at(a.index); });
            largest = std::max(largest, static_cast<std::size_t>(moves));
        }
    }
    Problem problem;
    for (AxisId axis : program.axes.ids()) {
        const long long extent = largest <= 2 ? flat_extent : deep_extent;
        problem.extents.push_back(moving.at(axis.index) ? extent
                                                        : known_extent(program, program.axes[axis].fallback_extent));
    }
    set_dependent_extents(program, problem);
    return problem;
}

void set_dependent_extents(const Program& program, Problem& problem) {
    for (const AxisId id : program.axes.ids()) {
        const Axis& axis = program.axes[id];
        if (axis.half_of) problem.extents.at(id.index) = problem.extents.at(axis.half_of->index) / 2 + 1;
        if (!axis.parts) continue;
        long long cells = 1;
        for (const AxisId folded : axis.parts->of) cells *= problem.extents.at(folded.index);
        problem.extents.at(id.index) = part_count(cells, axis.parts->most);
    }
}

}  // namespace kasc
