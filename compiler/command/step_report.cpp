#include "command/step_report.hpp"

#include <algorithm>
#include <cmath>

#include "stability/stability.hpp"

namespace kasc::command {

std::optional<StepReport> step_report(const CheckedProgram& checked, std::vector<double> parameters,
                                      const std::vector<long long>& extents, const std::vector<const void*>& inputs,
                                      const KnownRows& rows) {
    const Program& program = checked.program;
    StepReport report{"time step", std::nullopt, std::nullopt, {}, {}};
    bool any = false;  // dt has no value: any will do, the search goes up and down from it
    for (const ParameterId id : program.parameters.ids()) {
        if (program.parameters[id].name != "dt") continue;
        report.parameter = "dt";
        any = std::isnan(parameters[id.index]);
        if (any) parameters[id.index] = 1;
    }
    const DecidingUnknowns unknowns = unknowns_that_decide(program, checked.graph, parameters, extents, inputs);
    for (const VariableId v : unknowns.inputs) report.needed_inputs.push_back(program.variables[v].name);
    for (const ParameterId p : unknowns.parameters) report.needed_parameters.push_back(program.parameters[p].name);
    if (!unknowns.empty()) return report;
    const auto limit = largest_stable_step(program, checked.graph, parameters, extents, inputs, rows);
    if (!limit) return std::nullopt;
    report.parameter = program.parameters[limit->parameter].name;
    report.largest = limit->value;
    if (!any) report.value = parameters[limit->parameter.index];
    return report;
}

}  // namespace kasc::command
