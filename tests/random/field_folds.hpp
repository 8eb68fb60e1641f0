#pragma once
// Folds that expressions seldom make by chance: several of one field, some of results of others, of more cells than
// words, of windows, of every second iteration.

#include <set>
#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// Before all other lines, or behind. `valued`: fields that have a value there; those that the folds assign join them.
void add_folds(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid, std::set<std::string>& valued);

}  // namespace kasc::random
