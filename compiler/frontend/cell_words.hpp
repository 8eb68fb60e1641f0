#pragma once
// Fields whose cells have a shape become fields of their words: what is said of cells is said word by word, and all
// that follows knows fields of numbers alone.
//
//     vector3 u[x], v[x];                        float u_x[x], u_y[x], u_z[x], v_x[x], v_y[x], v_z[x];
//     u = 2*v[x + 1];                            u_x = 2*v_x[x + 1];  u_y = 2*v_y[x + 1];  u_z = 2*v_z[x + 1];
//     s = sum(u*v);                              s = u_x*v_x + u_y*v_y + u_z*v_z;
//     u = vector3(u.y, u.x, 0);                  u_x_next = u_y;  u_y_next = u_x;  …  u_x = u_x_next; …
//     u = vector3(u.y, u[x + 1].x, 0)            for (colour = 0; colour < 2; colour++) {
//         coloured(2);                               u_x_next = x % 2 == colour ? u_y : u_x;  …  u_x = u_x_next; … }
//
// The words of a field are arrays of their own: what reads one of them moves no other.

#include "foundation/outcome.hpp"
#include "frontend/ast.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// Requires: functions of the library are in it. Diagnostics K0255 to K0257 and those that declarations have.
[[nodiscard]] Outcome<Ast> with_cell_words(Ast ast, const Library& library);

}  // namespace kasc::frontend
