#pragma once
// Groups of cells near the faces of the grid that are not the first axis's: whole rows that such cells read lie beyond
// the grid. Where each row has one image, groups compute there as they do inside, of rows that are mapped; else cells
// compute one by one, each word of them mapped by itself, one wait for memory a cell.
//
//   y == 0, T[y - 1] of a mirror     the row of y + 0          of value(v)     a row of v, and what lies beyond its
//   ends

#include "schedule/field/schedule.hpp"

namespace kasc {

/// What groups of this choice do for one row of their cells, anywhere along the axes behind the first; null where cells
/// do it one by one: a thread has one group alone; something is computed at rows beside the cells; a call keeps layers
/// there, assigns slices or lists; signs turn of bytes, of short floats or of complex numbers.
/// Requires: groups take the ends of rows, too (row_ends).
[[nodiscard]] std::shared_ptr<const CellProgram> rim_rows(const FieldWork& work, const FieldChoice& choice,
                                                          const Program& program, const Graph& graph,
                                                          CellPrograms& programs);

}  // namespace kasc
