// A time loop is made a scheme, its groups of fields are tested at all sampled cells, and for an unstable one the step
// is sought that would be stable:
//
//   T = T + alpha * (T[-1] + T[1] - 2 * T) with alpha = 0.6: |g(π)| = |1 - 4 * 0.6| = 1.4, stable up to alpha = 0.5
//
// This analysis is no proof: coefficients are taken to be the same everywhere, the scheme to be linear, boundaries to
// be far away, and nobody knows whether the wave that grows is in the data, or meant to. So nothing here stops a run.

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
                   const UnstableStep& unstable, double value) {
    const Parameter& parameter = program.parameters[unstable.parameter];
    const std::vector<VariableId> fields = scheme.fields(group);
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0740";
    d.message = fmt::format("the step {} = {:g} is likely unstable: ", parameter.name, value);
    d.message += unstable.limit ? fmt::format("the largest stable is {:.3g}", rounded_down(*unstable.limit, 3))
                                : "waves grow at any, the slower the smaller it is";
    d.span = parameter.span;
    d.label = "declared here";
    d.notes.push_back({update_span(loop, fields.front()),
                       fmt::format("{} multiplied by up to {} each step at cell {}", names_of(program, fields),
                                   factor_text(unstable.factor),
                                   cell_text(program, fields.front(), scheme.cell(group, unstable.cell)))});
    d.help = unstable.limit ? fmt::format("pass --set {}={:.2g}", parameter.name, rounded_down(*unstable.limit, 2))
                            : "a scheme that looks back further, or to the side that waves come from, may have a limit";
    return d;
}

/// What came from outside fits the program.
bool complete(const Program& program, const std::vector<double>& parameters, const Data& data) {
    return !has_streams(program) && parameters.size() == program.parameters.size() &&
           data.extents.size() == program.axes.size() && data.inputs.size() == program.inputs.size() &&
           std::all_of(data.extents.begin(), data.extents.end(), [](long long extent) { return extent >= 1; });
}

std::vector<std::optional<Range>> ranges_of(const KnownRows& rows) {
    std::vector<std::optional<Range>> ranges;
    for (const auto& of : rows) ranges.push_back(of ? std::optional(Range{of->first, of->second}) : std::nullopt);
    return ranges;
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
                const auto found = find_unstable_step(program, *scheme, group, larger, step);
                if (!found || !found->limit) continue;
                if (!least || *found->limit < least->value) least = StepLimit{step, *found->limit};
                break;
            }
        }
    }
    if (least) least->value = rounded_down(least->value, 3);
    return least;
}

}  // namespace

Diagnostics check_stability(const Program& program, const Graph& graph, const std::vector<double>& parameters,
                            const std::vector<long long>& extents, const std::vector<const void*>& inputs,
                            const KnownRows& rows) {
    Diagnostics warnings;
    const Data data{extents, inputs, {}, ranges_of(rows)};
    if (!complete(program, parameters, data)) return warnings;
    for (const LoopPath& path : loop_paths(graph)) {
        const auto scheme = Scheme::make(program, graph, path, parameters, data);
        for (std::size_t group = 0; scheme && group < scheme->groups(); ++group) {
            const auto found = find_unstable_step(program, *scheme, group, parameters);
            if (!found) continue;
            const double value = parameters[found->parameter.index];
            warnings.push_back(warning(program, *path.back(), *scheme, group, *found, value));
        }
    }
    return warnings;
}

std::optional<StepLimit> largest_stable_step(const Program& program, const Graph& graph,
                                             const std::vector<double>& parameters,
                                             const std::vector<long long>& extents,
                                             const std::vector<const void*>& inputs, const KnownRows& rows) {
    const Data data{extents, inputs, {}, ranges_of(rows)};
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
    const auto is_unknown = [](double value) { return std::isnan(value); };
    if (std::find(inputs.begin(), inputs.end(), nullptr) == inputs.end() &&
        std::none_of(parameters.begin(), parameters.end(), is_unknown))
        return {};
    std::vector<double> known = parameters;
    for (double& value : known) value = std::isnan(value) ? 1 : value;
    const Data assumed{extents, inputs, std::vector<double>(inputs.size(), 1.0), {}};
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
