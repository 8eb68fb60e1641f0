#include <fmt/format.h>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"

// target[positions] = expression: one anonymous map or stencil over the target's cells.

namespace kasc::frontend {

namespace {

std::optional<std::vector<AxisIndex>> target_indices(Checking& checking, const ast::Assignment& assignment,
                                                     VariableId target) {
    const std::size_t axes = field_shape(checking.program, target).axes.size();
    if (assignment.indices.empty()) return std::vector<AxisIndex>(axes, Offset{0});
    const bool offset = std::any_of(assignment.indices.begin(), assignment.indices.end(),
                                    [](const ast::Index& index) { return !index.axis; });
    if (offset) {
        checking.report.error("K0218", "a target takes no offsets", assignment.indices_span).help =
            fmt::format("'{0} = ...' assigns every cell, '{0}[{1} = ...] = ...' a slice", assignment.target.text,
                        checking.program.axes[field_shape(checking.program, target).axes.back()].name);
        return std::nullopt;
    }
    ExpressionChecker checker(checking, {nullptr, true, checking.program.parameters.size(), "a position"});
    return checker.positions(target, assignment.indices);
}

/// keep(n) leaves cells as they were: there must be something that they were.
void check_former_value(Checking& checking, const ast::Assignment& assignment, VariableId target) {
    const Variable& variable = checking.program.variables[target];
    const FieldShape& shape = field_shape(checking.program, target);
    if (!shape.keeps_layers() || checking.flow.is_assigned(target)) return;
    const auto kept = std::find_if(shape.faces.begin(), shape.faces.end(), [](const Faces& f) {
        return f.low.kind == BoundaryKind::keep || f.high.kind == BoundaryKind::keep;
    });
    const Face& boundary = kept->low.kind == BoundaryKind::keep ? kept->low : kept->high;
    Diagnostic& d =
        checking.report.error("K0223", fmt::format("'{}' has no former value to keep at its boundary", variable.name),
                              assignment.target.span, "its first assignment");
    d.notes.push_back({boundary.span, "the boundary is declared here"});
    d.help = fmt::format("make '{}' an input, or give it another boundary, such as 'boundary mirror'", variable.name);
}

}  // namespace

std::optional<Statement> check_field_assignment(Checking& checking, const ast::Assignment& assignment) {
    const auto target = resolve_variable(checking, assignment.target);
    if (!target) return std::nullopt;
    const auto indices = target_indices(checking, assignment, *target);
    std::optional<Statement> statement;
    if (indices) {
        Operands operands(checking.program, *target, *indices);
        ExpressionChecker checker(checking, {&operands, true, checking.program.parameters.size(), ""});
        ExpressionRef value = checker.real(*assignment.value);
        check_former_value(checking, assignment, *target);
        if (value) statement = FieldStatement{assignment.span, *target, *indices, operands.take(), std::move(value)};
    }
    const bool slice = !assignment.indices.empty() && assignment.indices.front().axis;
    checking.flow.assign(*target, slice ? AssignedPart::slice : AssignedPart::whole);
    return statement;
}

}  // namespace kasc::frontend
