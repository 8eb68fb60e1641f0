#include "rewrite/steppable.hpp"

#include "rewrite/position_cells.hpp"
#include "rewrite/several_steps.hpp"

namespace kasc {

namespace {

/// Conditions may ask for a multiple of some steps.
bool may_have_steps(const Program& program) {
    return several_steps(program, 2).changed || several_steps(program, 3).changed || several_steps(program, 4).changed;
}

}  // namespace

Steppable steppable(const Program& program, bool may_number) {
    if (may_have_steps(program)) return {program, {}};
    PositionCells positions = position_cells(program);
    if (positions.changed && may_have_steps(positions.program)) return {std::move(positions.program), {}, true};
    if (!may_number) return {program, {}};
    NumberedLists numbered = number_lists(positions.program);
    if (!numbered.changed || !may_have_steps(numbered.program)) return {program, {}};
    return {std::move(numbered.program), std::move(numbered.verdicts), true};
}

}  // namespace kasc
