#pragma once
// Is the time step of an explicit scheme stable? A warning before a run, with the largest stable step.

#include <optional>
#include <utility>
#include <vector>

#include "foundation/outcome.hpp"
#include "frontend/program.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// By input, the places [first, second) along the last of its axes whose cells are there; none: all are. What others
/// hold is not known: cells that need it are left out.
using KnownRows = std::vector<std::optional<std::pair<long long, long long>>>;

/// Von Neumann analysis, for every time loop, inside of others too: the body is differentiated by the former values of
/// the fields that the loop carries, which gives a coefficient per neighbour offset at a cell; the amplification factor
/// g(θ) = Σ c(o) e^{i θ·o} is taken for θ ∈ {0, π/2, π} per axis, at up to 512 cells spread evenly, where an input is
/// extreme, and at one cell of each label, by the coefficients of the cell's row and by those of the cell everywhere.
/// Fields that depend on each other are taken together: |g| is then the largest eigenvalue of their amplification
/// matrix. Boundaries are left out.
/// Warns (K0740) of waves that grow because a parameter is too large that is a step (is_time_step()), and only because
/// of that (find_unstable_step()): a reaction or a source that lets all grow together is no fault, nor is growth in
/// proportion to the step. No proof, never an error. The warning names the largest value of the step, to 3 digits and
/// rounded down, for which nothing grows so at any of the cells. Fallbacks of other parameters that follow from the
/// step follow it.
/// `parameters`, `extents`, `inputs` as kasc_entry_call has them; null: not known. No diagnostics where the body is not
/// known well enough to tell (slices of series, transforms, positions in fields that the program computes, data that
/// are NaN), where no parameter is a step, or where there is no time loop. Takes some milliseconds, for any program
/// below a second; the extremes of the inputs need one pass over them.
[[nodiscard]] Diagnostics check_stability(const Program& program, const Graph& graph,
                                          const std::vector<double>& parameters, const std::vector<long long>& extents,
                                          const std::vector<const void*>& inputs, const KnownRows& rows = {});

struct StepLimit {
    ParameterId parameter;
    double value = 0;  ///< to 3 digits, rounded down
};

/// By the same analysis, the largest stable value of the real parameter 'dt' or, where there is none, of the first step
/// that has one; also where its present value is not stable. None where nothing can be told, or where a thousand times
/// the present value is stable still.
[[nodiscard]] std::optional<StepLimit> largest_stable_step(const Program& program, const Graph& graph,
                                                           const std::vector<double>& parameters,
                                                           const std::vector<long long>& extents,
                                                           const std::vector<const void*>& inputs,
                                                           const KnownRows& rows = {});

/// What is not known, and decides whether a step is stable: inputs that are null, parameters that are NaN.
struct DecidingUnknowns {
    std::vector<VariableId> inputs;
    std::vector<ParameterId> parameters;

    [[nodiscard]] bool empty() const { return inputs.empty() && parameters.empty(); }
};
[[nodiscard]] DecidingUnknowns unknowns_that_decide(const Program& program, const Graph& graph,
                                                    const std::vector<double>& parameters,
                                                    const std::vector<long long>& extents,
                                                    const std::vector<const void*>& inputs);

}  // namespace kasc
