// What a step does to each wave is in the eigenvalues of its amplification matrix, and these are in the traces of its
// powers. With a step p they leave 1 in proportion to p or to p²:
//
//   T' = T + p ΔT                          trace: 1 + p Δ(θ)
//   v' = v + p ∂s,  s' = s + p ∂v'         trace: 2 + p² ∂(θ)²
//   T' = T + h exp(-(|∂T|/K)²) ΔT, of K    as K goes to 0 faster than any power, and at ∂T = 0 not at all
//   T' = T + h/dx² ΔT, of dx               infinite at 0
//   u' = u + h Du Δu + …, v' = v + h Dv Δv + …, of Du       at 0 waves differ still, by Dv

#include "stability/time_step.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"

namespace kasc::stability {

namespace {

// Parameters are given as float32.
constexpr double rounding = 1e-6;
// In place of 0, which may be a divisor: 1/p is a way to write a step.
constexpr double nearly_zero = 1e-9;
// What traces may be from those of no change at that value: the matrix of a step that is a thousand times too large
// leaves it by a millionth.
constexpr double unchanged = 1e-5;
// Where the first power of p counts alone.
constexpr double small = 1.0 / 256;
// The difference between waves there, against rounding.
constexpr double seen = 1e-12;
// Half the step: half the difference or a quarter of it, or near that where p stands in a damping factor too.
constexpr double least_of_half = 1.5, largest_of_half = 5;

using Traces = std::vector<std::vector<std::complex<double>>>;  // by wave, by power

Traces traces_of(const std::vector<Matrix>& waves) {
    Traces traces;
    for (const Matrix& wave : waves) traces.push_back(traces_of_powers(wave));
    return traces;
}

/// Every eigenvalue of every wave is 1.
bool leaves_all(const Traces& traces) {
    return std::all_of(traces.begin(), traces.end(), [](const auto& powers) {
        const auto rows = static_cast<double>(powers.size());
        return std::all_of(powers.begin(), powers.end(),
                           [&](const auto& trace) { return std::abs(trace - rows) <= unchanged * rows; });
    });
}

/// By how much waves differ from the uniform one, in the traces of one power.
double difference(const Traces& traces, std::size_t power) {
    double most = 0;
    for (const auto& wave : traces) most = std::max(most, std::abs(wave[power] - traces.front()[power]));
    return most;
}

/// By the first power whose traces tell waves apart.
bool in_proportion(const Traces& whole, const Traces& half) {
    for (std::size_t power = 0; power < whole.front().size(); ++power) {
        const double of_whole = difference(whole, power), of_half = difference(half, power);
        if (of_whole <= seen) continue;
        return of_whole >= least_of_half * of_half && of_whole <= largest_of_half * of_half;
    }
    return false;
}

}  // namespace

std::vector<ParameterId> step_candidates(const Program& program, const std::vector<double>& parameters) {
    std::vector<ParameterId> all;
    for (const ParameterId id : program.parameters.ids()) {
        const double value = parameters.at(id.index);
        if (program.parameters[id].kind == ScalarKind::real && value > 0 && std::isfinite(value)) all.push_back(id);
    }
    std::stable_partition(all.begin(), all.end(), [&](ParameterId id) { return program.parameters[id].name == "dt"; });
    return all;
}

std::vector<double> with_value(const Program& program, const std::vector<double>& parameters, ParameterId changed,
                               double value) {
    std::vector<double> all = parameters;
    all.at(changed.index) = value;
    for (std::uint32_t i = changed.index + 1; i < all.size(); ++i) {
        const ExpressionRef& fallback = program.parameters[ParameterId{i}].fallback;
        if (!fallback) continue;
        const double before = evaluate(*fallback, parameters);
        const double after = evaluate(*fallback, all);
        if (after != before && std::abs(before - parameters[i]) <= rounding * std::abs(before)) all[i] = after;
    }
    return all;
}

bool is_time_step(const Program& program, Scheme& scheme, std::size_t group, std::size_t cell,
                  const std::vector<double>& parameters, ParameterId parameter) {
    const double value = parameters.at(parameter.index);
    const auto tiny = scheme.at_cell(group, cell, with_value(program, parameters, parameter, nearly_zero * value));
    if (!tiny || std::any_of(tiny->begin(), tiny->end(), [](const WaveGrowth& wave) { return wave.grows; }))
        return false;
    if (program.parameters[parameter].name == "dt") return true;
    for (const Coefficients coefficients : {Coefficients::of_neighbours, Coefficients::frozen}) {
        const auto at = [&](double share) {
            return scheme.matrices(group, cell, with_value(program, parameters, parameter, share * value),
                                   coefficients);
        };
        if (!at(1)) continue;  // the frozen state has no slope: the row alone tells
        const auto none = at(nearly_zero), whole = at(small), half = at(small / 2);
        if (!none || !whole || !half || !leaves_all(traces_of(*none)) ||
            !in_proportion(traces_of(*whole), traces_of(*half)))
            return false;
    }
    return true;
}

}  // namespace kasc::stability
