#include <fmt/format.h>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"

// Values that are known before the first statement runs: of parameters and of boundaries.

namespace kasc::frontend {

void check_parameters(Checking& checking) {
    for (std::size_t i = 0; i < checking.ast.parameters.size() && !checking.report.full(); ++i) {
        const ast::Parameter& declared = checking.ast.parameters[i];
        if (!declared.fallback) continue;
        Parameter& parameter = checking.program.parameters[ParameterId{static_cast<std::uint32_t>(i)}];
        ExpressionChecker checker(checking, {nullptr, false, i, "the value of a parameter"});
        parameter.fallback = parameter.kind == ScalarKind::integer ? checker.integer(*declared.fallback)
                                                                   : checker.real(*declared.fallback);
    }
}

namespace {

void check_layers(Checking& checking, const ast::Boundary& declared, Boundary& boundary) {
    ExpressionChecker checker(checking, {nullptr, false, 0, "the number of layers"});
    const auto layers = checker.constant(*declared.argument, "the number of layers");
    if (!layers) return;
    if (*layers < 1 || *layers > farthest_neighbour) {
        checking.report.error("K0224", "the number of layers is out of range", declared.argument->span,
                              fmt::format("a boundary keeps 1 to {}", farthest_neighbour));
        return;
    }
    boundary.layers = static_cast<int>(*layers);
}

}  // namespace

void check_boundaries(Checking& checking) {
    for (const ast::Declaration& declaration : checking.ast.declarations) {
        const Symbol* symbol = checking.names.find(declaration.name.text);
        const auto* id = std::get_if<VariableId>(&symbol->meaning);
        if (!declaration.boundary || !id || checking.report.full()) continue;
        Boundary boundary{declaration.boundary->kind, 0, nullptr, declaration.boundary->span};
        if (boundary.kind == BoundaryKind::keep) check_layers(checking, *declaration.boundary, boundary);
        if (boundary.kind == BoundaryKind::value) {
            ExpressionChecker checker(checking,
                                      {nullptr, false, checking.program.parameters.size(), "the value of a boundary"});
            boundary.value = checker.real(*declaration.boundary->argument);
        }
        if (auto* shape = std::get_if<FieldShape>(&checking.program.variables[*id].shape))
            shape->boundary = std::move(boundary);
    }
}

}  // namespace kasc::frontend
