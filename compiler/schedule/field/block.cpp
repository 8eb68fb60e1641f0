// Every thread may fill any word of a tile, and read the box of words around its cells: which of them depends on
// boundaries and on what is computed, and a barrier that stands for all of them is the same.
#include "schedule/field/block.hpp"

#include <algorithm>

#include "frontend/reduction.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

namespace block {

namespace {

constexpr int planes_of_a_column = 2;  // of its tiles: one is filled while slower warps read the other

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

BlockProgram with_tiles(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const FieldChoice& choice = schedule.choice;
    const bool column = choice.walk == Walk::column;
    // It fills the words that it reads.
    const bool one_thread = choice.threads_x * choice.threads_y * choice.threads_z == 1;
    BlockProgram made;
    Step fill{StepKind::copy, "fill", "the fill", "filled"}, cells{StepKind::compute, "cells", "each cell", "computed"};
    for (const SharedTile& tile : schedule.tiles) {
        const std::size_t region = made.regions.size();
        const Variable& variable = program.variables[graph.values[tile.value].variable];
        made.regions.push_back({variable.name + "_tile", Residence::shared, tile.words, column ? planes_of_a_column : 1,
                                static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type)),
                                column ? "two planes with their halo" : "the block's cells with their halo"});
        const auto read = std::make_shared<const AddressSet>(box(tile, choice));
        const int row = tile.low.front() + choice.tile(0) + tile.high.front();
        const TilePitch pitch{row, tile.cells.front() - row};
        const int copied = tile.words / tile.cells.front() * row;
        fill.touches.push_back(one_thread ? Touch{region, 0, true, read, {}, 0, {}}
                                          : Touch{region, 0, true, nullptr, {}, copied, pitch});
        cells.touches.push_back({region, 0, false, read});
    }
    if (column) made.steps.push_back({StepKind::loop_begin, "", "", "", {}, true});
    made.steps.push_back(std::move(fill));
    made.steps.push_back(std::move(cells));
    if (column) made.steps.push_back({StepKind::loop_end});
    return made;
}

/// Each lane has a word; in each step of the tree the lower half of them reads the upper half's. Where the last steps
/// are exchanges of registers, every thread takes its own word to them; where all are, nothing is shared.
BlockProgram folding(const Fold& fold, const FieldChoice& choice, int word_bytes) {
    const int results = fold_threads / fold.lanes;
    const bool lanes_first = fold.lanes != column_lanes;
    const bool shared = !joins_in_warps(fold, choice, fold.lanes / 2), in_warps = joins_in_warps(fold, choice, 1);
    BlockProgram made;
    if (shared)
        made.regions.push_back({"lanes", Residence::shared, fold_threads, 1, word_bytes,
                                "what each of " + std::to_string(fold.lanes) + " lanes has folded"});
    if (in_warps) made.regions.push_back({"joined", Residence::registers, 2, 1, word_bytes});
    const auto words = [&](std::vector<int> offsets, int lanes, bool writes) {
        AddressSet set;
        set.offsets = std::move(offsets);
        for (int t = 0; t < fold_threads; ++t)
            if ((lanes_first ? t % fold.lanes : t / results) < lanes) set.start.push_back(t);
        std::vector<int> threads = set.start;
        return Touch{0, 0, writes, std::make_shared<const AddressSet>(std::move(set)), std::move(threads)};
    };
    const auto add = [&](StepKind kind, const char* label, const char* made_text, std::vector<Touch> touches) {
        made.steps.push_back(
            {kind, label, std::string("the ") + label, made_text, shared ? std::move(touches) : std::vector<Touch>{}});
    };
    add(StepKind::fold, "fold", "folded", {words({0}, fold.lanes, true)});
    for (int half = fold.lanes / 2; half > 0 && !joins_in_warps(fold, choice, half); half /= 2) {
        const int theirs = half * (lanes_first ? 1 : results);
        add(StepKind::exchange, "join", "joined", {words({0, theirs}, half, false), words({0}, half, true)});
    }
    if (in_warps) add(StepKind::exchange, "join", "joined", {words({0}, fold.lanes, false)});
    add(StepKind::store, "store", "", in_warps ? std::vector<Touch>{} : std::vector{words({0}, 1, false)});
    return made;
}

/// Of an accumulator (frontend/reduction.hpp says in what cells are folded): the widest.
constexpr int accumulator_bytes = 8;

BlockProgram of(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    if (const Fold* fold = fold_of(schedule, graph))
        return with_barriers(folding(*fold, schedule.choice, accumulator_bytes));
    if (schedule.tiles.empty()) return {{}, {{StepKind::compute, "cells", "each cell", "computed"}}};
    return with_barriers(with_tiles(schedule, program, graph));
}

}  // namespace

}  // namespace block

block::BlockProgram field_block(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    return block::of(schedule, program, graph);
}

bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half) {
    return choice.walk != Walk::row && fold.lanes != column_lanes && half < warp_threads;
}

int barriers_of_a_block(const FieldSchedule& schedule) {
    return barriers_met(*schedule.block, schedule.choice.walk == Walk::column ? schedule.choice.chunk : 1);
}

}  // namespace kasc
