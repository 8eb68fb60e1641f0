// What a block does, chunk by chunk of its iterations, where tiles hold the lines of its cells:
//
//   copy       words of the first chunk are under way
//   loop
//     copy     words of the next chunk are under way, into the other copy of the tiles
//     compute  the iterations of the chunk                thread t with the words of cell t
//     store    words of fields, from tiles                all threads, one after the other along memory
//   end
//
// Without tiles each thread does its iterations by itself.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/loop/schedule.hpp"
#include "schedule/tile_words.hpp"

namespace kasc {

namespace {

using namespace block;

/// Words t, t + threads, … of the tile, counted along memory.
std::shared_ptr<const AddressSet> words_along_memory(const LoopSchedule& schedule, const LoopTile& tile) {
    const int threads = schedule.threads(), row = tile.lines ? schedule.choice.chunk : schedule.choice.threads_x;
    const auto place = [&](int word) { return word / row * schedule.pitch(tile) + word % row; };
    AddressSet set;
    for (int thread = 0; thread < threads; ++thread) set.start.push_back(place(thread));
    for (int word = 0; word < schedule.choice.threads_x * schedule.choice.chunk; word += threads)
        set.offsets.push_back(place(word));
    return std::make_shared<const AddressSet>(std::move(set));
}

/// Thread t: those of cell t in all iterations.
std::shared_ptr<const AddressSet> words_of_cell(const LoopSchedule& schedule, const LoopTile& tile) {
    AddressSet set;
    for (int cell = 0; cell < schedule.choice.threads_x; ++cell)
        set.start.push_back(tile.lines ? cell * schedule.pitch(tile) : cell);
    for (int k = 0; k < schedule.choice.chunk; ++k) set.offsets.push_back(tile.lines ? k : k * schedule.pitch(tile));
    return std::make_shared<const AddressSet>(std::move(set));
}

}  // namespace

BlockProgram loop_block(const LoopSchedule& schedule, const Program& program) {
    BlockProgram made;
    const LoopWork& work = *schedule.work;
    Step compute{StepKind::compute, "iterations", "each cell", "computed"};
    if (!schedule.tiled()) {
        made.steps.push_back(std::move(compute));
        return with_barriers(std::move(made));
    }
    // Whichever thread takes which word: so a barrier stands in front of the next chunk's copies, which awaits those of
    // this one and none of theirs.
    Step first{StepKind::copy, "first words", "the fetch of the first words", "fetched"};
    Step next{StepKind::copy, "next words", "the fetch of the next words", "fetched"};
    first.asynchronous = next.asynchronous = std::any_of(
        work.tiles.begin(), work.tiles.end(),
        [&](const LoopTile& tile) { return tile.loaded && !is_widened(type_of_tile(tile, work, program)); });
    Step store{StepKind::store, "words", "the store", "stored"};
    const int copied = schedule.choice.threads_x * schedule.choice.chunk;
    for (const LoopTile& tile : work.tiles) {
        const std::size_t k = tile.region;
        const auto own = words_of_cell(schedule, tile);
        const Variable& variable = program.variables[work.loop.body->values[tile.value].variable];
        if (k == made.regions.size()) {
            made.regions.push_back({variable.name + "_tile", Residence::shared, schedule.tile_words(tile), 1,
                                    tile_word_bytes(type_of_tile(tile, work, program)),
                                    fmt::format("{} cells, {} iterations each, of {}", schedule.choice.threads_x,
                                                schedule.choice.chunk, variable.name),
                                    TilePitch{tile.lines ? schedule.choice.chunk : 1, tile.lines ? 1 : 0}});
        } else {
            made.regions[k].what += fmt::format(", then {}", variable.name);
        }
        if (tile.loaded) {
            made.regions[k].copies = 2;
            first.touches.push_back({k, 0, true, nullptr, {}, copied});
            next.touches.push_back({k, 1, true, nullptr, {}, copied});
        }
        if (tile.loaded) compute.touches.push_back({k, 0, false, own, {}});
        if (tile.stored) compute.touches.push_back({k, 0, true, own, {}});
        if (tile.stored) store.touches.push_back({k, 0, false, words_along_memory(schedule, tile), {}});
    }
    const bool loads = !first.touches.empty(), stores = !store.touches.empty();
    if (loads) made.steps.push_back(std::move(first));
    made.steps.push_back({StepKind::loop_begin, "chunks", "", "", {}, true});
    if (loads) made.steps.push_back(std::move(next));
    made.steps.push_back(std::move(compute));
    if (stores) made.steps.push_back(std::move(store));
    made.steps.push_back({StepKind::loop_end});
    return with_barriers(std::move(made));
}

int LoopSchedule::early() const {
    constexpr long long memory_line = 32;
    const auto* first = std::get_if<Literal>(&work->loop.from->node);
    if (!tiled() || first == nullptr) return 0;
    // What lies before the position, an extent, is taken for a whole number of lines.
    const auto tile = std::find_if(work->tiles.begin(), work->tiles.end(), [](const LoopTile& t) { return t.lines; });
    if (tile == work->tiles.end()) return 0;
    const LinearPosition& at = tile->at;
    const auto from = static_cast<long long>(first->value);
    const long long beyond = at.coefficient > 0 ? from + at.constant : from - at.constant - 1;
    return static_cast<int>(((beyond % memory_line) + memory_line) % memory_line);
}

}  // namespace kasc
