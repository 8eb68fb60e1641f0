#pragma once
// A part of a statement that is the same along some of its axes, and is more work than a read of memory, may be
// computed once into a field over the others:
//
//   frame = u*(0.5 - 0.5*cos(w*j))         over j, m        frame_of_j = 0.5 - 0.5*cos(w*j)           over j
//                                                    ->     frame = u*frame_of_j
//
// Profiles and windows along an axis, angles, damping by the distance from a face; in positions as well, where turned
// places stand. In a loop whose iterations do not change it, it is made before the loop.
//
// In sums of pairs each result of a row would compute what the row has in common, of every word that is folded:
//
//   c = sum((u[f = i] - m[f = i])*(u[f = j] - m[f = j]), n)    ->    c_of_f_n = u - m
//                                                                    c = sum(c_of_f_n[f = i]*c_of_f_n[f = j], n)

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// The part, in the statement's precision, which depends on where a cell stands along `axes` alone, at least one, and
/// is computed for each cell along `cells`, which are more: of a fold whatever stays the same along it once a result.
struct TablePart {
    const Expression& value;
    Precision precision = Precision::single;
    std::vector<AxisId> axes, cells;
    /// Loops around the statement, the outermost first.
    std::vector<const LoopStatement*> loops;
    bool of_pairs = false;  ///< it goes along what a sum of pairs folds (Fold::chained)
};
/// Whether a part pays, with the reason; none: it is not worth a word.
using TableWorth = std::function<std::optional<Verdict>(const TablePart&)>;

struct TableVerdict {
    std::string part;  ///< its text
    Verdict verdict;
};
struct AxisTables {
    Program program;
    std::vector<TableVerdict> verdicts;  ///< of the largest parts that are worth a word, equal ones once
    bool changed = false;
};

/// The results are the same words: what a table holds is rounded as it is where it stands. Variables that are added
/// have the last ids. Requires: a program over fields.
[[nodiscard]] AxisTables axis_tables(const Program& program, const TableWorth& worth);

}  // namespace kasc
