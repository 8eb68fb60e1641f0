#pragma once
// Few cells of integers and reals to which the cells of a grid add, by labels that are computed beside it: counts and
// sums.

#include <set>
#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// Behind all other lines. `valued`: fields that have a value there.
void add_tallies(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid,
                 const std::set<std::string>& valued);

}  // namespace kasc::random
