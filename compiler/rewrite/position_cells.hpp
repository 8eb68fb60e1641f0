#pragma once
// Assignments at one position, cell by cell: a source of a wave in each step of a time loop, say. So written it stands
// in the kernel of its field, where several steps follow each other:
//
//   p[x = sx, z = sz] += f[t = n];    p = x == sx && z == sz ? p + f[t = n] : p;
//
// The position is looked at before a launch, as before (FieldStatement::at).

#include "frontend/program.hpp"

namespace kasc {

struct PositionCells {
    /// The program with every such assignment of a loop, whose position is the same in all iterations, written so. Ids
    /// stay.
    Program program;
    bool changed = false;
};

[[nodiscard]] PositionCells position_cells(const Program& program);

}  // namespace kasc
