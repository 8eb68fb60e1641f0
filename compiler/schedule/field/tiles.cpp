// Tiles in shared memory. A block of 32×8 cells that reads two cells around them has:
//
//   x   4 words | 32 cells | 4 words     with groups of four the halo is whole groups, so that all accesses are aligned
//   y   2 rows  |  8 rows  | 2 rows
//
// A block narrower than a warp serves several rows at a time; its rows are padded so that they meet different banks.
//
// The words that a thread reads are said word by word, those of groups group by group: at u[y - 2], each thread of a
// block that is one row of threads reads what it filled itself, and need not wait for others.
#include "schedule/field/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "graph/field_target.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

// CUDA C++ Programming Guide, compute capability 5 and later: as many banks, each of one word of so many bytes, and
// that much is served together.
constexpr int banks = 32, bank_bytes = 4;

/// Words of a bank that threads which are served together want at most, where each takes one access of `vector` cells
/// and rows follow at `pitch` cells.
int conflicts(const FieldChoice& choice, int pitch, int cell_bytes) {
    const int access = std::max(choice.vector * cell_bytes, bank_bytes);
    const int threads = std::max(banks * bank_bytes / access, 1);
    std::array<int, banks> hits{};
    int last = -1;  // cells lie in ascending order, so that a word that two of them share comes twice in a row
    for (int t = 0; t < threads; ++t) {
        const int cell = t % choice.threads_x * choice.vector + t / choice.threads_x * choice.rows * pitch;
        const int first_word = cell * cell_bytes / bank_bytes;
        const int last_word = ((cell + choice.vector) * cell_bytes - 1) / bank_bytes;
        for (int word = std::max(first_word, last + 1); word <= last_word; ++word)
            ++hits[static_cast<std::size_t>(word % banks)];
        last = std::max(last, last_word);
    }
    return *std::max_element(hits.begin(), hits.end());
}

int padded(const FieldChoice& choice, int words, int cell_bytes) {
    int best = words, fewest = conflicts(choice, words, cell_bytes);
    for (int pitch = words; fewest > 1 && (pitch - words) * cell_bytes < banks * bank_bytes; pitch += choice.vector) {
        const int here = conflicts(choice, pitch, cell_bytes);
        if (here < fewest) fewest = here, best = pitch;
    }
    return best;
}

/// In whole groups.
int whole(int cells, const FieldChoice& choice) { return (cells + choice.vector - 1) / choice.vector * choice.vector; }

SharedTile tile_of(const FieldSchedule& schedule, ValueId value, int cell_bytes, std::vector<int> low,
                   std::vector<int> high) {
    const FieldChoice& choice = schedule.choice;
    low.front() = whole(low.front(), choice);
    high.front() = whole(high.front(), choice);
    SharedTile tile{value, std::move(low), std::move(high), {}, 0, {}};
    for (std::size_t k = 0; k < tile.low.size(); ++k) tile.cells.push_back(tile.low[k] + choice.tile(k) + tile.high[k]);
    if (tile.cells.size() > 1) tile.cells.front() = padded(choice, tile.cells.front(), cell_bytes);
    tile.words = std::accumulate(tile.cells.begin(), tile.cells.end(), 1, std::multiplies<>());
    return tile;
}

/// How far a read goes from the thread's first cell: [low, high], of a group along the first axis from its ends.
struct Reached {
    std::vector<int> low, high;
};

/// Along the tiled axes; none: the read looks into no tile.
std::optional<Reached> reached(const CellProgram& cells, const CellValue& load, std::size_t tiled,
                               const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    // A read at a position looks into no tile.
    if (load.read == nullptr || !moves_everywhere(load.read->indices)) return std::nullopt;
    const FieldShape& shape = field_shape(program, graph.values[load.value].variable);
    if (shape.axes != schedule.axes() || is_complex(shape.type)) return std::nullopt;
    std::vector<int> low = sums(cells.at(load)), high = low;
    if (cells.view.group) low[0] = load.low, high[0] = load.high;
    // Beside the plane that a column is in, or along an axis beyond the third: not in the tile.
    if (std::any_of(low.begin() + static_cast<std::ptrdiff_t>(tiled), low.end(), [](int o) { return o != 0; }))
        return std::nullopt;
    low.resize(tiled), high.resize(tiled);
    return Reached{std::move(low), std::move(high)};
}

/// Others are read from memory.
bool holds(const SharedTile& tile, const Reached& read, int rows) {
    for (std::size_t k = 0; k < tile.low.size(); ++k)
        if (read.low[k] < -tile.low[k] || read.high[k] > tile.high[k] + (k == 1 ? rows - 1 : 0)) return false;
    return true;
}

/// Words of the tile that a thread reads; whole groups for a group of cells.
std::vector<std::int32_t> words_read(const SharedTile& tile, const FieldSchedule& schedule, const Program& program,
                                     const Graph& graph) {
    const CellProgram& cells = *schedule.paths.cells;
    const int width = schedule.choice.vector;
    std::vector<std::int32_t> words;
    for (const CellValue& load : cells.values) {
        if (load.value != tile.value) continue;
        const auto read = reached(cells, load, tile.cells.size(), schedule, program, graph);
        if (!read || !holds(tile, *read, cells.view.rows)) continue;
        int row = tile.low[0], pitch = 1;
        for (std::size_t k = 1; k < tile.cells.size(); ++k) {
            pitch *= tile.cells[k - 1];
            row += (read->low[k] + tile.low[k]) * pitch;
        }
        int before = read->low[0], behind = read->high[0];
        if (cells.view.group) {
            before = -whole(std::max(0, -before), schedule.choice);
            behind = whole(std::max(0, behind), schedule.choice);
        }
        for (int x = before; x < behind + width; ++x) words.push_back(row + x);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

}  // namespace

std::string shared_fault(const block::BlockProgram& block, int most_bytes, int beside_bytes) {
    if (shared_bytes(block) + beside_bytes <= most_bytes) return {};
    return fmt::format("the tiles of a block take more than {} KB of shared memory", most_bytes / 1024);
}

std::string place_tiles(FieldSchedule& schedule, const Program& program, const Graph& graph) {
    const std::size_t tiled = walk_of(schedule).cells(schedule).tiled;
    struct Halo {
        std::vector<int> low, high;
        [[nodiscard]] bool none() const {
            const auto zero = [](int cells) { return cells == 0; };
            return std::all_of(low.begin(), low.end(), zero) && std::all_of(high.begin(), high.end(), zero);
        }
    };
    std::map<ValueId, Halo> halos;
    const CellProgram& cells = *schedule.paths.cells;
    for (const CellValue& load : cells.values) {
        if (!load.whole) continue;
        auto read = reached(cells, load, tiled, schedule, program, graph);
        if (!read) continue;
        auto& [low, high] = *read;
        if (tiled > 1) high[1] -= cells.view.rows - 1;  // the thread's last row
        Halo& halo =
            halos.try_emplace(load.value, Halo{std::vector<int>(tiled, 0), std::vector<int>(tiled, 0)}).first->second;
        for (std::size_t k = 0; k < tiled; ++k) {
            halo.low[k] = std::max(halo.low[k], -low[k]);
            halo.high[k] = std::max(halo.high[k], high[k]);
        }
    }
    for (const auto& [value, halo] : halos) {
        if (halo.none()) continue;
        const auto bytes = static_cast<int>(cell_bytes(field_shape(program, graph.values[value].variable).type));
        schedule.tiles.push_back(tile_of(schedule, value, bytes, halo.low, halo.high));
        schedule.tiles.back().read = words_read(schedule.tiles.back(), schedule, program, graph);
    }
    if (schedule.tiles.empty()) return "no field is read at a neighbour: nothing to share";
    return {};
}

}  // namespace kasc
