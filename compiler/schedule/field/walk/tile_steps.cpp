// A fill says which words each thread fills, whatever of them some cell wants; cells say which words a thread may read.
// A block of 4 threads in a row that reads u at y - 2, and has two rows a thread:
//
//     row    0  1  2  3          filled by thread 0 1 2 3, read by 0 1 2 3 for its first cell
//            4  5  6  7                           0 1 2 3          0 1 2 3         second
//            …                                    0 1 2 3                          no barrier
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

using namespace block;

/// The words that each thread of the block may read.
AddressSet read_words(const SharedTile& tile, const FieldChoice& choice) {
    const auto cells = [&](std::size_t k) { return k < tile.cells.size() ? tile.cells[k] : 1; };
    AddressSet set;
    for (int z = 0; z < choice.threads_z; ++z)
        for (int y = 0; y < choice.threads_y; ++y)
            for (int x = 0; x < choice.threads_x; ++x)
                set.start.push_back((z * cells(1) + y * choice.rows) * cells(0) + x * choice.vector);
    set.offsets = tile.read;
    return set;
}

/// Groups row by row, thread after thread (lower/field/tile.cpp); the padding of rows is nobody's.
Touch filled_words(std::size_t region, const SharedTile& tile, const FieldChoice& choice) {
    const int row = tile.low.front() + choice.tile(0) + tile.high.front(), pitch = tile.cells.front();
    const int threads = choice.threads_x * choice.threads_y * choice.threads_z;
    AddressSet set;
    Touch touch{region, 0, true};
    for (int begin = 0; begin < tile.words; begin += pitch)
        for (int x = 0; x < row; x += choice.vector) {
            touch.threads.push_back(static_cast<int>(set.start.size()) % threads);
            set.start.push_back(begin + x);
        }
    for (int k = 0; k < choice.vector; ++k) set.offsets.push_back(k);
    touch.words = std::make_shared<const AddressSet>(std::move(set));
    return touch;
}

}  // namespace

block::Step fill_step() { return {StepKind::copy, "fill", "the fill", "filled"}; }
block::Step cells_step() { return {StepKind::compute, "cells", "each cell", "computed"}; }

void add_tiles(BlockProgram& made, Step& fill, Step& cells, int copies, const FieldSchedule& schedule,
               const Program& program, const Graph& graph) {
    const FieldChoice& choice = schedule.choice;
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
        fill.touches.push_back(filled_words(region, tile, choice));
        cells.touches.push_back({region, 0, false, std::make_shared<const AddressSet>(read_words(tile, choice))});
    }
}

}  // namespace kasc
