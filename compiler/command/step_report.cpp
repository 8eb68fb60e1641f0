#include "command/step_report.hpp"

#include <algorithm>
#include <cmath>

#include "stability/stability.hpp"

namespace kasc::command {

std::optional<StepReport> step_report(const CheckedProgram& checked, std::vector<double> parameters,
                                      const std::vector<long long>& extents, const std::vector<const void*>& inputs) {
    const Program& program = checked.program;
    const auto all = program.parameters.ids();
    const auto step = std::find_if(all.begin(), all.end(), [&](ParameterId id) {
        return program.parameters[id].name == "dt" && program.parameters[id].kind == ScalarKind::real;
    });
    if (step == all.end()) return std::nullopt;
    StepReport report{program.parameters[*step].name, parameters[step->index], std::nullopt, {}, {}};
    if (std::isnan(*report.value)) {
        report.value.reset();
        parameters[step->index] = 1;  // any: the search goes up and down from it
    }
    const DecidingUnknowns unknowns = unknowns_that_decide(program, checked.graph, parameters, extents, inputs);
    for (const VariableId v : unknowns.inputs) report.needed_inputs.push_back(program.variables[v].name);
    for (const ParameterId p : unknowns.parameters) report.needed_parameters.push_back(program.parameters[p].name);
    if (!unknowns.empty()) return report;
    const auto limit = largest_stable_step(program, checked.graph, parameters, extents, inputs);
    if (!limit) return std::nullopt;
    report.largest = limit->value;
    return report;
}

}  // namespace kasc::command
