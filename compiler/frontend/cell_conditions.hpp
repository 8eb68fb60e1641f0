#pragma once
// Loops that each cell ends by itself (Ast → Ast): the condition has a value at each cell, and where it fails, the
// loop's statements leave the cell as it is from then on.
//
//     for (n = 0; n < 50 && abs(z) < 2; n++) {      for (n = 0; n < 50; n++) {
//         z = z*z + c;                                  alive = abs(z) < 2 ? 1 : 0;
//         steps = steps + 1;                            z = alive > 0 ? z*z + c : z;
//     }                                                 steps = alive > 0 ? steps + 1 : steps;
//                                                   }
//     while (abs(f) > 1e-6) { … }                   while (any(abs(f) > 1e-6)) {
//                                                       for (iteration = 0; iteration < 16; iteration++) { … }
//                                                   }
//
// A cell at which the condition has failed has the same words in the next iteration, so that it fails there again. One
// that says the iteration's number may hold once more: there `alive` is 1 before the loop, and stays 0 once it is. No
// later stage knows more than that, but that a thread which runs the loop for its cell may leave it there
// (Loop::alive).

#include "frontend/ast.hpp"
#include "frontend/report.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// Iterations from one look whether any cell goes on to the next, where nothing else ends the loop.
inline constexpr int iterations_of_cells = 16;

/// The condition names a field along an axis, or a coordinate, and folds neither.
[[nodiscard]] bool differs_between_cells(const ast::Expression& condition, const Ast& ast, const Library& library);

struct CellLoop {
    ast::Declaration alive;
    std::vector<ast::Statement> before;  ///< the loop
    ast::Loop loop;                      ///< without its condition
};
/// `loop` as it is written, with a variable and bounds; `alive`: a name that nothing has; `valued`: fields that have a
/// value before the loop. K0264 where its statements do not assign whole fields over the same axes; then there is none.
[[nodiscard]] std::optional<CellLoop> ended_by_cells(const ast::Loop& loop, const std::string& alive,
                                                     const std::set<std::string>& valued, const Ast& ast,
                                                     Report& report);

/// Names of fields, parameters and variables that the expression says, in functions of the program that it calls too.
void add_names(const ast::Expression& e, const Ast& ast, std::set<std::string>& names);

}  // namespace kasc::frontend
