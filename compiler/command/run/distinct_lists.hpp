#pragma once
// Additions at lists whose entries, as the data of a run have them, are different cells.

#include <vector>

#include "driver/compilation.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

/// The program as the data make it: what adds at such a list assigns each cell once, as if the program required it
/// (`require(distinct(…))`), so that no list is ordered. Long lists are not looked at: they are particles or values to
/// be counted, of which several mostly have one cell. What cannot be read is left, and told of where all is read.
void settle_distinct_lists(CheckedProgram& checked, const runtime::ProgramInterface& face,
                           const std::vector<double>& parameters, const std::vector<long long>& extents,
                           const runtime::SurveyedInputs& surveyed);

}  // namespace kasc::command
