#pragma once
// Finds the parameter that is the step of a scheme.

#include "stability/scheme.hpp"

namespace kasc::stability {

/// The real parameters that are positive: 'dt' first, then the others in order.
[[nodiscard]] std::vector<ParameterId> step_candidates(const Program& program, const std::vector<double>& parameters);

/// The parameters with another value for one of them: those whose value is their fallback follow it.
[[nodiscard]] std::vector<double> with_value(const Program& program, const std::vector<double>& parameters,
                                             ParameterId changed, double value);

/// With a tiny value of a step no wave grows. 'dt' needs no more, by its name. Any other is one where all that a step
/// changes is in proportion to it, new = old + p * …, in one field or round several: with a tiny value every wave stays
/// as it is, and half the value makes half the difference between waves (a quarter where two fields multiply it, or a
/// leapfrog squares it). So no spacing is one, nor a contrast threshold, nor the diffusivity of one substance of two.
/// Seen at one cell.
[[nodiscard]] bool is_time_step(const Program& program, Scheme& scheme, std::size_t group, std::size_t cell,
                                const std::vector<double>& parameters, ParameterId parameter);

}  // namespace kasc::stability
