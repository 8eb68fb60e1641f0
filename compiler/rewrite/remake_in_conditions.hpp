#pragma once
// What the steps of a loop make and nobody but their conditions needs in memory, made anew where these hold:
//
//     for (n = 0; n < steps; n++) {                          for (n = 0; n < steps; n++) {
//         next = f(u);                                           next = f(u);
//         if (n % 100 == 99) { r = maximum(abs(next - u)); }     if (n % 100 == 99) {
//         u = next;                                     ->           next_again = f(u);
//     }                                                              r = maximum(abs(next_again - u));
//                                                                }
//                                                                u = next;
//                                                            }

#include "rewrite/remake_fields.hpp"

namespace kasc {

/// As of remake_fields: the same words; ids of the program stay, new variables have the last.
[[nodiscard]] RemadeFields remake_in_conditions(const Program& program);

}  // namespace kasc
