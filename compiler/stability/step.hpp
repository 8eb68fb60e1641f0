#pragma once
// The parameter that is the time step, and its largest stable value.

#include "stability/scheme.hpp"

namespace kasc::stability {

struct StableStep {
    ParameterId parameter;
    double limit = 0;  ///< not rounded
};

/// The real parameters that are positive: 'dt' first, then the others in order.
[[nodiscard]] std::vector<ParameterId> step_candidates(const Program& program, const std::vector<double>& parameters);

/// Requires: the group is unstable at `parameters`, worst at `cell`. None where no parameter restores stability.
[[nodiscard]] std::optional<StableStep> find_stable_step(const Program& program, Scheme& scheme, std::size_t group,
                                                         const std::vector<double>& parameters, std::size_t cell);

/// The parameters with another value for one of them: those whose value is their fallback follow it.
[[nodiscard]] std::vector<double> with_value(const Program& program, const std::vector<double>& parameters,
                                             ParameterId changed, double value);

/// A limit with so many digits: 0.78149 → 0.781.
[[nodiscard]] double rounded_down(double value, int digits);

}  // namespace kasc::stability
