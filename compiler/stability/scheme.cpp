// Groups are the fields that depend on each other, directly or through others: in
//
//   T = T + dt * lap(T);   hot = max(hot, T);        {T} and {hot}: hot depends on T, but T not on hot
//   p = p - dt * div(u);   u = u - dt * grad(p);     {p, u}
//
// The amplification matrix of all fields is triangular in blocks, and these are its blocks.

#include "stability/scheme.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/evaluate.hpp"

namespace kasc::stability {

namespace {

constexpr std::size_t most_cells = 512;
// Operations at all cells together: some 10 ms. Long bodies are tested at fewer cells.
constexpr std::size_t most_work = 2'000'000;
constexpr std::size_t most_fields = 32;
// Iterations of a loop that ends by what it computes: as many as such loops are about, its bound is often beyond all
// runs.
constexpr double iterations_until_met = 1000;

using Relation = std::vector<std::vector<bool>>;  // [i][j]: i depends on j

Relation closure(Relation relation) {
    for (std::size_t k = 0; k < relation.size(); ++k) {
        for (std::size_t i = 0; i < relation.size(); ++i) {
            for (std::size_t j = 0; j < relation.size(); ++j) {
                if (relation[i][k] && relation[k][j]) relation[i][j] = true;
            }
        }
    }
    return relation;
}

/// The indices of the loops' first iterations.
std::map<LoopId, double> first_iteration(const LoopPath& path, const std::vector<double>& parameters,
                                         const std::vector<long long>& extents) {
    std::map<LoopId, double> indices;
    for (const LoopNode* loop : path) indices[loop->loop] = evaluate(*loop->from, parameters, {}, extents);
    return indices;
}

/// None where a radius is not finite.
std::optional<WaveGrowths> growths_of(const std::vector<Matrix>& matrices) {
    WaveGrowths waves;
    for (const Matrix& matrix : matrices) {
        const double radius = spectral_radius(matrix);
        if (!std::isfinite(radius)) return std::nullopt;
        const double logarithm = std::log(radius);  // -infinity where a step ends the wave
        const double uniform = waves.empty() ? logarithm : waves.front().logarithm;
        waves.push_back({logarithm, logarithm > tolerance && logarithm > uniform + tolerance});
    }
    return waves;
}

/// The growth of the wave that grows fastest; none: no wave grows.
std::optional<double> fastest(const WaveGrowths& waves) {
    std::optional<double> most;
    for (const WaveGrowth& wave : waves) {
        if (wave.grows) most = std::max(most.value_or(0), wave.logarithm);
    }
    return most;
}

}  // namespace

std::vector<LoopPath> loop_paths(const Graph& graph) {
    std::vector<LoopPath> paths;
    for (const Node& node : graph.nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        if (!loop) continue;
        paths.push_back({loop});
        for (LoopPath inner : loop_paths(*loop->body)) {
            inner.insert(inner.begin(), loop);
            paths.push_back(std::move(inner));
        }
    }
    return paths;
}

std::unique_ptr<Scheme> Scheme::make(const Program& program, const Graph& graph, const LoopPath& path,
                                     const std::vector<double>& parameters, const Data& data) {
    const auto indices = first_iteration(path, parameters, data.extents);
    auto tape = make_tape(program, graph, path, Uniforms{parameters, indices, data.extents});
    if (!tape || tape->fields.size() > most_fields) return nullptr;
    std::unique_ptr<Scheme> scheme(new Scheme(program, path, std::move(*tape), data));
    scheme->find_groups();
    scheme->find_cells(data);
    return scheme;
}

Scheme::Scheme(const Program& program, const LoopPath& path, Tape tape, const Data& data)
    : program_(program),
      path_(path),
      extents_(data.extents),
      tape_(std::move(tape)),
      derivative_(program, tape_, data) {}

void Scheme::find_groups() {
    const std::size_t count = tape_.fields.size();
    const std::vector<StateOffset>& states = derivative_.states();
    Relation direct(count, std::vector<bool>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<bool> reached = derivative_.reaches(tape_.fields[i].leaving);
        for (std::size_t k = 0; k < states.size(); ++k) {
            if (reached[k]) direct[i][states[k].field] = true;
        }
    }
    const Relation depends = closure(direct);
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::size_t> members;
        for (std::size_t j = 0; j < count; ++j) {
            if (depends[i][j] && depends[j][i]) members.push_back(j);
        }
        if (members.empty() || members.front() != i) continue;
        if (auto group = Group::make(members, states)) groups_.push_back(std::move(*group));
    }
}

void Scheme::find_cells(const Data& data) {
    SampledInputs inputs;
    for (const Operation& operation : tape_.operations) {
        const auto* gathered = std::get_if<GatheredRead>(&operation.what);
        if (const auto* read = std::get_if<InputRead>(&operation.what)) inputs.extremes.insert(read->input);
        for (std::size_t k = 0; gathered && k < gathered->at.size(); ++k) {
            const auto* slot = std::get_if<Slot>(&gathered->at[k]);
            const auto* label = slot ? std::get_if<InputRead>(&tape_.operations[*slot].what) : nullptr;
            if (label) inputs.labels.insert(label->input);
        }
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const std::size_t work = groups_[i].work() + tape_.operations.size() * (1 + groups_[i].members().size());
        const std::size_t most = std::clamp<std::size_t>(most_work / work, 1, most_cells);
        const std::vector<Range> ranges =
            known_ranges(program_, data, computed_ranges(program_, fields(i), data.extents));
        cells_.push_back(sample_cells(program_, inputs, data, ranges, most));
    }
}

std::vector<VariableId> Scheme::fields(std::size_t group) const {
    std::vector<VariableId> fields;
    for (const std::size_t member : groups_.at(group).members()) fields.push_back(tape_.fields[member].variable);
    return fields;
}

void Scheme::bind(const std::vector<double>& parameters) {
    derivative_.bind(parameters, first_iteration(path_, parameters, extents_));
}

Growth Scheme::growth(std::size_t group, const std::vector<double>& parameters) {
    bind(parameters);
    Growth growth;
    for (std::size_t i = 0; i < cells_.at(group).size(); ++i) {
        const auto waves = growth_here(group, cells_[group][i]);
        if (!waves) continue;
        growth.known = true;
        if (const auto most = fastest(*waves)) growth.cells.push_back({i, *most});
    }
    std::stable_sort(growth.cells.begin(), growth.cells.end(),
                     [](const GrowingCell& a, const GrowingCell& b) { return a.logarithm > b.logarithm; });
    return growth;
}

std::optional<WaveGrowths> Scheme::at_cell(std::size_t group, std::size_t cell, const std::vector<double>& parameters) {
    bind(parameters);
    return growth_here(group, cells_.at(group).at(cell));
}

std::optional<std::vector<Matrix>> Scheme::matrices(std::size_t group, std::size_t cell,
                                                    const std::vector<double>& parameters, Coefficients coefficients) {
    bind(parameters);
    derivative_.move_to(cells_.at(group).at(cell), coefficients);
    return groups_[group].amplification(derivative_, tape_);
}

std::optional<WaveGrowths> Scheme::growth_here(std::size_t group, const Cell& cell) {
    const auto by = [&](Coefficients coefficients) -> std::optional<WaveGrowths> {
        derivative_.move_to(cell, coefficients);
        const auto matrices = groups_[group].amplification(derivative_, tape_);
        return matrices ? growths_of(*matrices) : std::nullopt;
    };
    auto waves = by(Coefficients::of_neighbours);
    if (!waves || !fastest(*waves)) return waves;
    // Where the frozen state has no slope, as |∇u| of what is even, the row is all that is known.
    const auto frozen = by(Coefficients::frozen);
    for (std::size_t i = 0; frozen && i < waves->size(); ++i) {
        WaveGrowth& wave = (*waves)[i];
        wave.logarithm = std::min(wave.logarithm, (*frozen)[i].logarithm);
        wave.grows = wave.grows && (*frozen)[i].grows;
    }
    return waves;
}

double Scheme::iterations(const std::vector<double>& parameters) const {
    double all = 1;
    for (const LoopNode* loop : path_) {
        const double bound = std::max(
            0.0, evaluate(*loop->to, parameters, {}, extents_) - evaluate(*loop->from, parameters, {}, extents_));
        all *= loop->going ? std::min(bound, iterations_until_met) : bound;
    }
    return all;
}

}  // namespace kasc::stability
