#pragma once
// What the host computes for a launch: its scalars and its grid. Internal to this folder.

#include <functional>
#include <string>

#include "execute/numbers.hpp"
#include "kernel/kernel.hpp"
#include "ranks/shares.hpp"

namespace kasc::execute {

/// The value of a parameter that is no array, in its type. `riding`: a former iteration has left cells.
[[nodiscard]] kernel::HostNumber scalar_of(const kernel::Parameter& parameter, const Numbers& numbers, bool riding);
/// Whether the parameter changes with a loop.
[[nodiscard]] bool moves(const kernel::Parameter& parameter);
/// The first alternative that these extents allow.
[[nodiscard]] const kernel::Kernel& chosen(const kernel::Lowered& lowered, const Numbers& numbers);
/// `named`: the kernel's scalars.
[[nodiscard]] ranks::Grid grid_of(const kernel::Kernel& kernel,
                                  const std::function<kernel::HostNumber(const std::string&)>& named);
/// As the loops stand.
[[nodiscard]] ranks::Grid grid_of(const kernel::Kernel& kernel, const Numbers& numbers);

/// The value of an expression over names of the kernel's integer parameters, as the loops stand.
[[nodiscard]] long long number_of(const kernel::Kernel& kernel, const kernel::ExprRef& expression,
                                  const Numbers& numbers);

}  // namespace kasc::execute
