#include "frontend/zeroed_series.hpp"

#include <algorithm>
#include <set>

#include "frontend/make_expression.hpp"

namespace kasc::frontend {

namespace {

struct Assigned {
    std::set<VariableId> slices, whole;
};

void collect(const std::vector<Statement>& statements, Assigned& all) {
    for (const Statement& statement : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            collect((*loop)->body, all);
        } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            all.whole.insert(transform->target);
        } else if (const auto* field = std::get_if<FieldStatement>(&statement)) {
            const bool sliced =
                std::any_of(field->target_indices.begin(), field->target_indices.end(),
                            [](const AxisIndex& index) { return std::holds_alternative<Absolute>(index); });
            (sliced ? all.slices : all.whole).insert(field->target);
        }
    }
}

Statement zeros(const Program& program, VariableId variable, const Span& span) {
    const FieldShape& shape = field_shape(program, variable);
    const ScalarKind kind = is_integer(shape.type) ? ScalarKind::integer : ScalarKind::real;
    return FieldStatement{span,
                          variable,
                          std::vector<AxisIndex>(shape.axes.size(), Offset{0}),
                          {},
                          make_expression(Literal{0}, kind, span),
                          real_precision(shape.type),
                          {},
                          nullptr};
}

}  // namespace

Program with_zeroed_series(Program program, const std::set<VariableId>& zero_before_loops) {
    if (has_streams(program)) return program;
    std::vector<Statement> statements;
    Assigned before;
    before.whole.insert(program.inputs.begin(), program.inputs.end());
    for (Statement& statement : program.statements) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        Assigned here;
        collect({statement}, here);
        for (const VariableId variable : here.whole) {
            const bool first = !before.slices.contains(variable) && !before.whole.contains(variable);
            if (loop != nullptr && first && (here.slices.contains(variable) || zero_before_loops.contains(variable)))
                statements.push_back(zeros(program, variable, program.variables[variable].span));
        }
        before.slices.insert(here.slices.begin(), here.slices.end());
        before.whole.insert(here.whole.begin(), here.whole.end());
        statements.push_back(std::move(statement));
    }
    program.statements = std::move(statements);
    return program;
}

}  // namespace kasc::frontend
