#include "rewrite/steppable.hpp"

#include "rewrite/position_cells.hpp"
#include "rewrite/several_steps.hpp"

namespace kasc {

Steppable steppable(const Program& program, bool may_number) {
    if (several_steps(program, 2).changed) return {program, {}};
    PositionCells positions = position_cells(program);
    if (positions.changed && several_steps(positions.program, 2).changed)
        return {std::move(positions.program), {}, true};
    if (!may_number) return {program, {}};
    NumberedLists numbered = number_lists(positions.program);
    if (!numbered.changed || !several_steps(numbered.program, 2).changed) return {program, {}};
    return {std::move(numbered.program), std::move(numbered.verdicts), true};
}

}  // namespace kasc
