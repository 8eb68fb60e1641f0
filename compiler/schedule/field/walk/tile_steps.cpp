// Every thread may fill any word of a tile, and read the box of words around its cells: which of them depends on
// boundaries and on what is computed, and a barrier that stands for all of them is the same.
#include <array>

#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

using namespace block;

/// The words that each thread of the block may read, from the first around its cells on.
AddressSet box(const SharedTile& tile, const FieldChoice& choice) {
    const std::array<int, 3> own{choice.vector, choice.rows, 1};
    const std::array<int, 3> threads{choice.threads_x, choice.threads_y, choice.threads_z};
    const auto axes = static_cast<int>(tile.cells.size());
    const auto cells = [&](int k) { return k < axes ? tile.cells[static_cast<std::size_t>(k)] : 1; };
    const auto around = [&](int k) {
        const auto axis = static_cast<std::size_t>(k);
        return k < axes ? own[axis] + tile.low[axis] + tile.high[axis] : 1;
    };
    const auto word = [&](int x, int y, int z) { return (z * cells(1) + y) * cells(0) + x; };
    AddressSet set;
    for (int z = 0; z < threads[2]; ++z)
        for (int y = 0; y < threads[1]; ++y)
            for (int x = 0; x < threads[0]; ++x) set.start.push_back(word(x * own[0], y * own[1], z));
    for (int z = 0; z < around(2); ++z)
        for (int y = 0; y < around(1); ++y)
            for (int x = 0; x < around(0); ++x) set.offsets.push_back(word(x, y, z));
    return set;
}

}  // namespace

block::Step fill_step() { return {StepKind::copy, "fill", "the fill", "filled"}; }
block::Step cells_step() { return {StepKind::compute, "cells", "each cell", "computed"}; }

void add_tiles(BlockProgram& made, Step& fill, Step& cells, int copies, const FieldSchedule& schedule,
               const Program& program, const Graph& graph) {
    const FieldChoice& choice = schedule.choice;
    // It fills the words that it reads.
    const bool one_thread = choice.threads_x * choice.threads_y * choice.threads_z == 1;
    for (const SharedTile& tile : schedule.tiles) {
        const std::size_t region = made.regions.size();
        const Variable& variable = program.variables[graph.values[tile.value].variable];
        const int row = tile.low.front() + choice.tile(0) + tile.high.front();
        made.regions.push_back({variable.name + "_tile",
                                Residence::shared,
                                tile.words,
                                copies,
                                static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type)),
                                copies == 1 ? "the block's cells with their halo" : "two planes with their halo",
                                {row, tile.cells.front() - row}});
        const auto read = std::make_shared<const AddressSet>(box(tile, choice));
        const int copied = tile.words / tile.cells.front() * row;
        fill.touches.push_back(one_thread ? Touch{region, 0, true, read} : Touch{region, 0, true, nullptr, {}, copied});
        cells.touches.push_back({region, 0, false, read});
    }
}

}  // namespace kasc
