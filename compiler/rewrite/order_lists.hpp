#pragma once
// Additions to cells of a list that several of its entries may name: the list is ordered by cell, and what the entries
// of a cell give is added in an order that is the program's.

#include "frontend/program.hpp"

namespace kasc {

/// The program with every addition of reals by the entries of a list (Adding::Part::entries) written in pieces
/// (list_pieces), or, to more than few cells, along an ordered list: chunks and cells. Where a list stays the same
/// throughout loops it is ordered once, before the outermost of them. Ids of the program stay, new variables have the
/// last; axes, inputs and outputs are the same. `changed`: there is one.
struct OrderedLists {
    Program program;
    bool changed = false;
};

[[nodiscard]] OrderedLists order_lists(const Program& program);

}  // namespace kasc
