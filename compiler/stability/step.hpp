#pragma once
// Waves that grow because a step is too large, and the largest step with which they do not.

#include <optional>

#include "stability/scheme.hpp"
#include "stability/time_step.hpp"

namespace kasc::stability {

struct UnstableStep {
    ParameterId parameter;
    std::size_t cell = 0;         ///< where, by number
    double factor = 1;            ///< of the wave that grows fastest there, in one step
    std::optional<double> limit;  ///< the largest stable value, not rounded; none: waves grow at every value
};

/// The first parameter that is a step of the group and too large. Growth that goes to 0 in proportion to the step is
/// what the equations do, a reaction or a pattern that forms, not the step's fault. Growth that goes to 0 faster than
/// that, but ends at no step (Euler's for waves), counts where the loop makes a thousand times of a wave.
[[nodiscard]] std::optional<UnstableStep> find_unstable_step(const Program& program, Scheme& scheme, std::size_t group,
                                                             const std::vector<double>& parameters);
/// The same for a parameter that is known.
[[nodiscard]] std::optional<UnstableStep> find_unstable_step(const Program& program, Scheme& scheme, std::size_t group,
                                                             const std::vector<double>& parameters,
                                                             ParameterId parameter);

/// A limit with so many digits: 0.78149 → 0.781.
[[nodiscard]] double rounded_down(double value, int digits);

}  // namespace kasc::stability
