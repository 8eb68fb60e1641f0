#pragma once
// Additions of reals by the entries of a list to few cells: in pieces of the list, which a fold joins.

#include "frontend/program.hpp"

namespace kasc {

/// The program with each such addition (adds_in_pieces) in three statements. Ids of the program stay, new variables
/// have the last; axes, inputs and outputs are the same. `changed`: there is one.
struct ListPieces {
    Program program;
    bool changed = false;
};

[[nodiscard]] ListPieces list_pieces(const Program& program);

}  // namespace kasc
