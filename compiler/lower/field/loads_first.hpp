#pragma once
// Cells of one thread that are stored where they were read. No compiler may read the next cell's word before the store
// of this one, since it cannot know that they differ:
//
//     for u = 0 … 3                             for u = 0 … 3
//         r_0 = r[at + 8 u]                         r_0_ahead[u] = r[at + 8 u]
//         sum = sum + r_0/s               ->    for u = 0 … 3
//         r[at + 8 u] = r_0/s                       r_0 = r_0_ahead[u]
//                                                   sum = sum + r_0/s
//                                                   r[at + 8 u] = r_0/s

#include <set>
#include <string>

#include "lower/field/context.hpp"

namespace kasc::kernel {

struct LoadsFirst {
    Body arrays;  ///< of registers, in front of both
    Body loads;   ///< of the cell of this number
    Body cell;    ///< all else of it
};
/// `cell`: a cell's body, of several whose number is `of`. Its top level reads these arrays' words where it stores
/// them, and nowhere else.
[[nodiscard]] LoadsFirst loads_first(FieldContext& context, const Body& cell, const std::set<std::string>& arrays,
                                     const ExprRef& of, int cells);

}  // namespace kasc::kernel
