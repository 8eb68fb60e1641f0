// Tiles in shared memory. Of a block of 32×8 cells that reads two cells around them:
//
//   x   4 words | 32 cells | 4 words     with groups of four the halo is whole groups, so that all accesses are aligned
//   y   2 rows  |  8 rows  | 2 rows
//
// A block narrower than a warp serves several rows at a time; its rows are padded so that they meet different banks.
#include "schedule/field_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "graph/field_target.hpp"

namespace kasc {

namespace {

constexpr int most_words = 12288;  // CUDA's limit of static shared memory, 48 KB
constexpr int banks = 32;          // CUDA C++ Programming Guide, compute capability 5 and later

std::size_t tiled_axes(const FieldSchedule& schedule) {
    const std::size_t axes = schedule.axes.size();
    return schedule.choice.walk == Walk::column ? axes - 1 : std::min<std::size_t>(axes, 3);
}

/// Threads of a warp on one bank at most, where each takes one access of `vector` words and rows follow at `pitch`.
int conflicts(const FieldChoice& choice, int pitch) {
    const int threads = banks / choice.vector;  // that are served together
    std::vector<int> hits(banks, 0);
    std::set<int> groups;
    for (int t = 0; t < threads; ++t)
        groups.insert(t % choice.threads_x * choice.vector + t / choice.threads_x * choice.rows * pitch);
    for (const int group : groups) {
        for (int word = 0; word < choice.vector; ++word) ++hits[static_cast<std::size_t>((group + word) % banks)];
    }
    return *std::max_element(hits.begin(), hits.end());
}

int padded(const FieldChoice& choice, int words) {
    int best = words;
    for (int pitch = words; pitch < words + banks; pitch += choice.vector) {
        if (conflicts(choice, pitch) < conflicts(choice, best)) best = pitch;
    }
    return best;
}

SharedTile tile_of(const FieldSchedule& schedule, ValueId value, std::vector<int> low, std::vector<int> high) {
    const FieldChoice& choice = schedule.choice;
    const auto whole = [&](int halo) { return (halo + choice.vector - 1) / choice.vector * choice.vector; };
    low.front() = whole(low.front());
    high.front() = whole(high.front());
    SharedTile tile{value, std::move(low), std::move(high), {}, 0, 0};
    for (std::size_t k = 0; k < tile.low.size(); ++k) tile.cells.push_back(tile.low[k] + choice.tile(k) + tile.high[k]);
    if (tile.cells.size() > 1) tile.cells.front() = padded(choice, tile.cells.front());
    tile.words = std::accumulate(tile.cells.begin(), tile.cells.end(), 1, std::multiplies<>());
    return tile;
}

}  // namespace

std::string place_tiles(FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const std::size_t tiled = tiled_axes(schedule);
    struct Halo {
        std::vector<int> low, high;
        bool neighbours = false;
    };
    std::map<ValueId, Halo> halos;
    for (const ValueAt& load : schedule.loads) {
        const FieldShape& shape = field_shape(program, graph.values[load.value].variable);
        if (shape.axes != schedule.axes || shape.type != CellType::float32) continue;  // shared memory is of floats
        const auto first = load.offset.begin(), last = first + static_cast<std::ptrdiff_t>(tiled);
        // Beside the plane that a column is in, or along an axis beyond the third: not in the tile.
        if (std::any_of(last, load.offset.end(), [](int o) { return o != 0; })) continue;
        Halo& halo =
            halos.try_emplace(load.value, Halo{std::vector<int>(tiled, 0), std::vector<int>(tiled, 0)}).first->second;
        for (std::size_t k = 0; k < tiled; ++k) {
            halo.low[k] = std::max(halo.low[k], -load.offset[k]);
            halo.high[k] = std::max(halo.high[k], load.offset[k]);
            halo.neighbours |= load.offset[k] != 0;
        }
    }
    const int planes = schedule.choice.walk == Walk::column ? 2 : 1;
    for (const auto& [value, halo] : halos) {
        if (!halo.neighbours) continue;
        SharedTile tile = tile_of(schedule, value, halo.low, halo.high);
        tile.offset = schedule.shared_words;
        schedule.shared_words += (planes * tile.words + 3) / 4 * 4;
        schedule.tiles.push_back(std::move(tile));
        if (schedule.shared_words > most_words)
            return fmt::format("the tiles of a block take more than {} KB of shared memory", most_words * 4 / 1024);
    }
    if (schedule.tiles.empty()) return "no field is read at a neighbour: nothing to share";
    return {};
}

}  // namespace kasc
