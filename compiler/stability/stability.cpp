// A time loop is made a scheme, its groups of fields are tested at all sampled cells, and for an unstable one the step
// is sought that would be stable:
//
//   T = T + alpha * (T[-1] + T[1] - 2 * T) with alpha = 0.6: |g(π)| = |1 - 4 * 0.6| = 1.4, stable up to alpha = 0.5

#include "stability/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stability/step.hpp"

namespace kasc {

namespace {

using namespace stability;

/// The step is made larger by this until a scheme is unstable; who computes with a thousandth of what is stable knows.
constexpr double growing = 4, largest_factor = 1024;

std::string names_of(const Program& program, const std::vector<VariableId>& fields) {
    std::string names;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        names += (i == 0 ? "" : i + 1 == fields.size() ? " and " : ", ") + program.variables[fields[i]].name;
    }
    return fields.size() == 1 ? names + " is" : names + " are";
}

/// The coordinates along the axes of a field: "(12, 40, 7)".
std::string cell_text(const Program& program, VariableId field, const Cell& cell) {
    std::vector<long long> places;
    for (const AxisId axis : field_shape(program, field).axes) places.push_back(cell.at(axis.index));
    return fmt::format("({})", fmt::join(places, ", "));
}

/// The first statement of the body that assigns the field.
Span update_span(const LoopNode& loop, VariableId field) {
    for (const Node& node : loop.body->nodes) {
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        if (update && update->statement.target == field) return node.span;
    }
    return {};
}

/// 3.41; near 1 with the digits that tell it from 1.
std::string factor_text(double factor) { return fmt::format("{:.{}g}", factor, factor < 1.1 ? 6 : 3); }

Diagnostic warning(const Program& program, const LoopNode& loop, const Scheme& scheme, std::size_t group,
                   const Growth& growth, const StableStep& step, double value) {
    const Parameter& parameter = program.parameters[step.parameter];
    const std::vector<VariableId> fields = scheme.fields(group);
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0740";
    d.message = fmt::format("the time step is unstable: {} = {:g} exceeds the largest stable {:.3g}", parameter.name,
                            value, rounded_down(step.limit, 3));
    d.span = parameter.span;
    d.label = "declared here";
    d.notes.push_back({update_span(loop, fields.front()),
                       fmt::format("{} multiplied by up to {} each step at cell {}", names_of(program, fields),
                                   factor_text(growth.worst.largest),
                                   cell_text(program, fields.front(), scheme.cell(group, growth.cell)))});
    d.help = fmt::format("pass --set {}={:.2g}", parameter.name, rounded_down(step.limit, 2));
    return d;
}

/// What came from outside fits the program.
bool complete(const Program& program, const std::vector<double>& parameters, const Data& data) {
    return program.kind == ProgramKind::field && parameters.size() == program.parameters.size() &&
           data.extents.size() == program.axes.size() && data.inputs.size() == program.inputs.size() &&
           std::all_of(data.extents.begin(), data.extents.end(), [](long long extent) { return extent >= 1; });
}

/// The least limit of all schemes.
std::optional<StepLimit> limit_of(ParameterId step, const Program& program, const Graph& graph,
                                  const std::vector<double>& parameters, const Data& data) {
    std::optional<StepLimit> least;
    for (const LoopPath& path : loop_paths(graph)) {
        const auto scheme = Scheme::make(program, graph, path, parameters, data);
        for (std::size_t group = 0; scheme && group < scheme->groups(); ++group) {
            for (double factor = growing; factor <= largest_factor; factor *= growing) {
                const auto larger = with_value(program, parameters, step, factor * parameters[step.index]);
                const Growth growth = scheme->growth(group, larger);
                if (!growth.known) break;
                if (!growth.worst.unstable()) continue;
                const auto found = find_stable_step(program, *scheme, group, larger, growth.cell);
                if (found && found->parameter == step && (!least || found->limit < least->value))
                    least = StepLimit{step, found->limit};
                break;
            }
        }
    }
    if (least) least->value = rounded_down(least->value, 3);
    return least;
}

}  // namespace

Diagnostics check_stability(const Program& program, const Graph& graph, const std::vector<double>& parameters,
                            const std::vector<long long>& extents, const std::vector<const void*>& inputs) {
    Diagnostics warnings;
    const Data data{extents, inputs, {}};
    if (!complete(program, parameters, data)) return warnings;
    for (const LoopPath& path : loop_paths(graph)) {
        const auto scheme = Scheme::make(program, graph, path, parameters, data);
        for (std::size_t group = 0; scheme && group < scheme->groups(); ++group) {
            const Growth growth = scheme->growth(group, parameters);
            if (!growth.known || !growth.worst.unstable()) continue;
            const auto step = find_stable_step(program, *scheme, group, parameters, growth.cell);
            if (!step) continue;
            const double value = parameters[step->parameter.index];
            warnings.push_back(warning(program, *path.back(), *scheme, group, growth, *step, value));
        }
    }
    return warnings;
}

std::optional<StepLimit> largest_stable_step(const Program& program, const Graph& graph,
                                             const std::vector<double>& parameters,
                                             const std::vector<long long>& extents,
                                             const std::vector<const void*>& inputs) {
    const Data data{extents, inputs, {}};
    if (!complete(program, parameters, data)) return std::nullopt;
    const std::vector<ParameterId> steps = step_candidates(program, parameters);
    for (const ParameterId step : steps) {
        const auto limit = limit_of(step, program, graph, parameters, data);
        // What is called dt is the step, whether it has a limit or not.
        if (limit || program.parameters[step].name == "dt") return limit;
    }
    return std::nullopt;
}

DecidingUnknowns unknowns_that_decide(const Program& program, const Graph& graph, const std::vector<double>& parameters,
                                      const std::vector<long long>& extents, const std::vector<const void*>& inputs) {
    // All that is unknown is taken to be 1; then each by itself to be unknown: what can be told no more, it decides.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> known = parameters;
    for (double& value : known) value = std::isnan(value) ? 1 : value;
    const Data assumed{extents, inputs, std::vector<double>(inputs.size(), 1.0)};
    DecidingUnknowns found;
    if (!complete(program, parameters, assumed)) return found;
    const auto told = [&](const std::vector<double>& values, const Data& data) {
        std::size_t groups = 0;
        for (const LoopPath& path : loop_paths(graph)) {
            const auto scheme = Scheme::make(program, graph, path, values, data);
            for (std::size_t group = 0; scheme && group < scheme->groups(); ++group)
                groups += scheme->growth(group, values).known ? 1 : 0;
        }
        return groups;
    };
    const std::size_t all = told(known, assumed);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != nullptr) continue;
        Data without = assumed;
        without.assumed[i] = unknown;
        if (told(known, without) < all) found.inputs.push_back(program.inputs[i]);
    }
    for (const ParameterId id : program.parameters.ids()) {
        if (!std::isnan(parameters[id.index]) || program.parameters[id].kind != ScalarKind::real) continue;
        std::vector<double> without = known;
        without[id.index] = unknown;
        if (told(without, assumed) < all) found.parameters.push_back(id);
    }
    return found;
}

}  // namespace kasc
