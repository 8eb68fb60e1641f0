#pragma once
// The symbol of a linear step: what it multiplies each wave by. The statements of a step are written once more, over
// the axes of waves, with a wave's value at the neighbour in place of the neighbour:
//
//     T = T + dt*(T[x - 1] - 2*T + T[x + 1])        x_wave = cos(2π x_modes/extent(x))
//                                                   T_symbol = 1 + dt*(x_wave - 2 + x_wave)
//
// Real where the step is; else complex, with exp(2πi x_modes/extent(x)) and its conjugate. In double.

#include "rewrite/linear_step.hpp"
#include "rewrite/mode_axes.hpp"

namespace kasc::rewriting {

inline constexpr double full_turn = 6.283185307179586;  ///< 2π

/// The field of the symbol, over `axes.waves`; statements that make it, and their fields, are added.
VariableId add_symbol(Program& program, const LoopStatement& loop, const LinearStep& step, const ModeAxes& axes,
                      std::vector<Statement>& made);

}  // namespace kasc::rewriting
