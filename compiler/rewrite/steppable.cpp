#include "rewrite/steppable.hpp"

#include <algorithm>
#include <set>

#include "rewrite/loop_blocks.hpp"
#include "rewrite/position_cells.hpp"
#include "rewrite/settled_steps.hpp"
#include "rewrite/several_steps.hpp"

namespace kasc {

namespace {

using namespace rewriting;
using LoopRef = std::shared_ptr<const LoopStatement>;

/// Conditions may ask for a multiple of some steps.
constexpr int fewest_steps[] = {2, 3, 4};

bool may_have_steps(const Program& program) {
    return std::any_of(std::begin(fewest_steps), std::end(fewest_steps),
                       [&](int steps) { return several_steps(program, steps).changed; });
}

std::size_t loops_with_steps(const Program& program) {
    const std::vector<StepsVerdict> verdicts = several_steps(program, fewest_steps[0]).verdicts;
    return static_cast<std::size_t>(
        std::count_if(verdicts.begin(), verdicts.end(), [](const StepsVerdict& v) { return !!v.verdict; }));
}

/// Loops within the list that have conditions which no few steps settle.
void add_conditional_loops(const Statements& list, std::set<LoopId>& all) {
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<LoopRef>(&statement);
        if (loop == nullptr) continue;
        const bool has_conditions = std::all_of(std::begin(fewest_steps), std::end(fewest_steps), [&](int steps) {
            return !settled_steps(**loop, steps, true).left.empty();
        });
        if (has_conditions && conditional_in(statement) == nullptr) all.insert((*loop)->loop);
        add_conditional_loops((*loop)->body, all);
    }
}

/// With loops within others as blocks of steps, where these may have several: no run stops in them.
Program with_blocks_within(const Program& program) {
    std::set<LoopId> within;
    for (const Statement& statement : program.statements)
        if (const auto* loop = std::get_if<LoopRef>(&statement)) add_conditional_loops((*loop)->body, within);
    if (within.empty()) return program;
    LoopBlocks blocks = loop_blocks(program, [&](LoopId loop) { return within.contains(loop); });
    return loops_with_steps(blocks.program) > loops_with_steps(program) ? std::move(blocks.program) : program;
}

}  // namespace

Steppable steppable(const Program& own, bool may_number) {
    const Program program = with_blocks_within(own);
    const bool in_blocks = program.loops.size() != own.loops.size();
    if (may_have_steps(program)) return {program, {}, in_blocks};
    PositionCells positions = position_cells(program);
    if (positions.changed && may_have_steps(positions.program)) return {std::move(positions.program), {}, true};
    if (!may_number) return {program, {}};
    NumberedLists numbered = number_lists(positions.program);
    if (!numbered.changed || !may_have_steps(numbered.program)) return {program, {}};
    return {std::move(numbered.program), std::move(numbered.verdicts), true};
}

}  // namespace kasc
