#pragma once
// Assignments to lists of cells, cell by cell. A list that stays as it is throughout a loop is turned around before it:
// every cell of the field gets the number of its entry, and a coarse mark says where such cells are, so that the
// assignment becomes an expression of the cell and joins the kernel that computes the field.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// Cells along a field's first axis that share a mark: a warp's.
constexpr int cells_a_mark = 32;

/// Whether one assignment to a list, which stands in a loop, becomes an expression of the cell.
struct ListVerdict {
    std::string statement;
    Verdict verdict;
};

struct NumberedLists {
    /// The program with every such assignment that allows it written cell by cell. Ids of the program stay, new
    /// variables have the last; inputs, outputs, parameters and axes are the same.
    Program program;
    std::vector<ListVerdict> verdicts;
    bool changed = false;
};

[[nodiscard]] NumberedLists number_lists(const Program& program);

}  // namespace kasc
