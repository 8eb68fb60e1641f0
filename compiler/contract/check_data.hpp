#pragma once
// The data of a run against the contract of its program, before anything is computed.

#include "contract/cell_values.hpp"
#include "contract/contract.hpp"
#include "foundation/outcome.hpp"

namespace kasc {

/// K0741: a requirement is not met. K0742: positions outside of their axis. K0743: entries of a list are the same cell.
/// K0744: entries in layers that a boundary keeps. Each says how many, and the first with its values. What reads an
/// input that is null is left out; with a window, so is what reads no input of the window.
[[nodiscard]] Diagnostics check_data(const Program& program, const Contract& contract, const contract::BoundData& data);

/// Requirements that are of numbers and parameters alone, which can be told before anything is known of the inputs;
/// K0741.
[[nodiscard]] Diagnostics check_numbers(const Program& program, const std::vector<double>& parameters);

/// The inputs of `windowed` that the contract asks something of. K0745: it asks something that cannot be told
/// from rows of one axis after another.
[[nodiscard]] Outcome<std::vector<bool>> asked_in_windows(const Program& program, const Contract& contract,
                                                          const std::vector<bool>& windowed);

/// Where several processes have rows of inputs along their outermost axes, each its own: the inputs that each needs
/// whole all the same, since the contract asks something of them that cannot be told from rows of one axis, or since
/// they make positions, all of which rank 0 looks at.
[[nodiscard]] std::vector<bool> asked_whole(const Program& program, const Contract& contract,
                                            const std::vector<bool>& in_rows);

}  // namespace kasc
