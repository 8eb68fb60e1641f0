#pragma once
// The datasets' shapes against the program's declarations: what N or each axis' extent is, or what does not fit.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

/// By axis in the program's order; streams: one, the number of elements. None: no input has the axis and nothing sets
/// it.
using BoundExtents = std::vector<std::optional<long long>>;

/// `explicit_extents` by the axis' name; a stream program's only one is "n". `survey.datasets` by input.
/// The first input that has an axis binds it; explicit extents come before all inputs. Diagnostics K0704 to K0710.
[[nodiscard]] Outcome<BoundExtents> bind_extents(const ProgramInterface& program, const FileSurvey& survey,
                                                 const std::string& path,
                                                 const std::map<std::string, long long>& explicit_extents);

}  // namespace kasc::runtime
