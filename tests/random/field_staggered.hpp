#pragma once
// Cells and the faces between them, at the end of a random program. By hand faces are cells of an axis by itself, and
// what lies beyond is written out at positions.

#include <string>
#include <vector>

#include "random/draw.hpp"
#include "random/field_program.hpp"

namespace kasc::random {

/// Statements that read to and fro between cells and faces along `grid.front()`, with the fields that they need.
void add_staggered(Draw& draw, FieldProgram& program, const std::vector<std::string>& grid);

}  // namespace kasc::random
