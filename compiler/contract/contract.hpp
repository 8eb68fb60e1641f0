#pragma once
// What a program asks of the data that it is run on, beside their shapes: what it requires in so many words, and what
// follows from how it uses them.
//
//     require(beta >= 0);                       a requirement of the program's own (Program::requirements)
//     T[x = px, y = py] += energy;              positions: px along x, py along y; a list: its entries are apart

#include <string>
#include <vector>

#include "frontend/program.hpp"

namespace kasc {

/// Integers that inputs alone make stand at positions along an axis. Cells that a coordinate moves (`T[x = x + d]`) and
/// reads that a condition may guard (`p < 0 ? 0 : energy[i = p]`) are the program's own business and ask for nothing.
struct Positions {
    VariableId field;                 ///< which is read or assigned there,
    AxisId axis;                      ///< along this axis of it
    int kept_low = 0, kept_high = 0;  ///< layers that an assignment leaves out
    std::vector<AxisId> axes;         ///< one position a cell of these
    std::vector<Operand> operands;    ///< of the statement; where one stood at a row of a loop, at every row
    ExpressionRef position;
};

/// The entries of an assignment to a list are different cells.
struct ListedCells {
    VariableId field;
    std::vector<AxisId> axes;  ///< one entry a cell of these; entries of different rows of a loop may be equal
    std::vector<AxisId> rows;  ///< those of them that are rows of a loop, or axes that the field moves along
    std::vector<Operand> operands;
    std::vector<ExpressionRef> positions;  ///< by axis of the field; null: the cell's own, or one for all
    Span span;
};

struct Contract {
    std::vector<Positions> positions;  ///< in the order of the program, no two alike
    std::vector<ListedCells> lists;
};

/// What follows from how inputs are used.
[[nodiscard]] Contract contract_of(const Program& program);

/// Lists of which nothing is asked, since their entries are added (Adding), where inputs make their positions: data
/// may show that they are different cells all the same.
[[nodiscard]] std::vector<ListedCells> added_lists(const Program& program);

/// All that is asked, one line each: "beta >= 0", "px: positions along x, from 2 to extent(x) - 3".
[[nodiscard]] std::vector<std::string> contract_text(const Program& program);

}  // namespace kasc
