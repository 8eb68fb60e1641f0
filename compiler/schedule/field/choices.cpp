// Chooses the walks that are worth a schedule. Shapes are those that won, or came within a tenth of the best, for 5-
// and 13-point stencils on an H100: wide along the contiguous axis, 128 to 512 threads. Columns of 4 to 8 planes read
// their halo out of L2, where the planes still lie that the blocks before them read; long ones read less of it.
#include <algorithm>
#include <array>
#include <utility>

#include "schedule/field/schedule.hpp"

namespace kasc {

namespace {

/// Cells of a CPU's row: long enough that the loop dominates, short enough that rows of one field alone feed all cores.
constexpr int row_cells = 4096;
/// Tiles of a plane, cells × rows. Pieces of a page (1024 words) keep a core's prefetcher going; 16 rows of them are
/// five planes of 400 KiB for a 13-point stencil, in the second cache of a core whatever the extents. 16 cores of a
/// Xeon, 13 points: of 256³ cells 32 to 256 kB a plane's tile are alike, of 512³ 32 to 64 kB are best.
constexpr std::array<std::pair<int, int>, 5> cpu_tiles{{{1024, 4}, {1024, 8}, {1024, 16}, {1024, 32}, {1024, 64}}};

std::vector<FieldChoice> cpu_choices(std::size_t axes) {
    if (axes == 0) return {{Walk::row, 1, 1, 1, 1}};
    std::vector<FieldChoice> all{{Walk::row, row_cells, 1, 1, 1}};
    if (axes >= 3) {
        for (const auto& [x, y] : cpu_tiles) all.push_back({Walk::row, x, y, 1, 1});
    }
    return all;
}

struct Block {
    int x, y, z;
};

class Choices {
public:
    std::vector<FieldChoice> all;

    void grid(const Block& block, int vector, int rows) {
        FieldChoice c{Walk::grid, block.x, block.y, vector, 1};
        c.threads_z = block.z;
        c.rows = rows;
        add(c);
    }
    void column(const Block& block, int vector, int rows, int chunk, int unroll = 1) {
        FieldChoice c{Walk::column, block.x, block.y, vector, chunk};
        c.rows = rows;
        c.unroll = unroll;
        add(c);
    }
    /// Neighbours along the rows from the threads beside.
    void warp(int threads, int vector, int chunk) { all.push_back({Walk::warp, threads, 1, vector, chunk}); }
    /// Rows one after the other.
    void flat(int threads) { all.push_back({Walk::flat, threads, 1, 1, 1}); }
    /// Neighbours in shared memory; of a column where it has a chunk.
    void shared(const Block& block, int vector, int rows, int chunk = 0) {
        FieldChoice c{chunk > 0 ? Walk::column : Walk::grid, block.x, block.y, vector, std::max(1, chunk)};
        c.threads_z = block.z;
        c.rows = rows;
        c.neighbours = Neighbours::shared;
        all.push_back(c);
    }

private:
    void add(FieldChoice c) {
        all.push_back(c);
        c.borders = Borders::uniform;
        all.push_back(c);
    }
};

/// Vectors of 8 cells, of 16 bits: blocks a quarter as wide as those of float, one row, as two take more registers than
/// 64. Heat of 13 points, 512³ of half, milliseconds of 20 steps: 16x2x4 and 16x4x2 5.82, 32x2x2 5.91, 32x4 6.05, with
/// two rows 6.03 to 6.11; vectors of 4 6.00 to 6.33.
void wide(Choices& choices, std::size_t axes) {
    const auto blocks = axes == 1   ? std::vector<Block>{{256, 1, 1}}
                        : axes == 2 ? std::vector<Block>{{128, 1, 1}, {64, 2, 1}, {32, 4, 1}, {16, 8, 1}}
                                    : std::vector<Block>{{16, 2, 4}, {16, 4, 2}, {32, 2, 2}, {32, 4, 1}};
    for (const Block& block : blocks) choices.grid(block, 8, 1);
}

constexpr Block line_block{256, 1, 1};

void lines(Choices& choices) {
    for (const int vector : {1, 4}) choices.grid(line_block, vector, 1);
}

constexpr std::array<Block, 5> plane_blocks{{{256, 1, 1}, {128, 2, 1}, {64, 4, 1}, {32, 8, 1}, {32, 4, 1}}};
constexpr std::array<Block, 6> volume_blocks{
    {{32, 4, 1}, {32, 8, 1}, {64, 4, 1}, {128, 1, 1}, {128, 2, 1}, {32, 4, 2}}};

void planes(Choices& choices) {
    choices.flat(256);
    for (const int vector : {1, 4}) {
        for (const int rows : {1, 2, 4}) {
            for (const Block& block : plane_blocks) choices.grid(block, vector, rows);
        }
        for (const int chunk : {16, 32, 64}) choices.column({128, 1, 1}, vector, 1, chunk);
        for (const int chunk : {8, 16, 32}) choices.warp(128, vector, chunk);
        choices.shared({32, 8, 1}, vector, 1);
    }
}

void volumes(Choices& choices, bool columns, bool crossed) {
    if (columns) choices.flat(256);
    for (const int vector : {1, 4}) {
        for (const int rows : {1, 2}) {
            for (const Block& block : volume_blocks) choices.grid(block, vector, rows);
        }
    }
    // A sector has eight words that lie along the third axis.
    if (crossed)
        for (const int vector : {1, 4}) choices.grid({32, 1, 8}, vector, 1);
    choices.shared({16, 8, 4}, 4, 1);
    if (!columns) return;
    for (const int chunk : {8, 16, 32}) choices.warp(128, 4, chunk);
    for (const int chunk : {4, 8, 16, 32, 64}) {
        for (const Block& block : {Block{32, 4, 1}, {32, 8, 1}, {16, 8, 1}, {16, 16, 1}, {64, 4, 1}}) {
            for (const int rows : {1, 2}) choices.column(block, 4, rows, chunk);
        }
        choices.column({32, 4, 1}, 1, 1, chunk);
        choices.column({32, 8, 1}, 1, 1, chunk);
        choices.column({32, 4, 1}, 1, 4, chunk);
        choices.column({32, 8, 1}, 2, 2, chunk);
        choices.shared({32, 4, 1}, 4, 2, chunk);
    }
}

/// Rows at most of which blocks are as wide as the rows are.
constexpr long long short_row = 128;
constexpr int threads_of_short_rows = 256;

/// Blocks of whole rows, where these are no blocks of warps: rows beside each other lie beside each other in memory,
/// and no thread is without a cell. Pictures of 16 channels, channels first, 512² × 16, five points, H200: 32x4x2 0.373
/// ms.
void short_rows(Choices& choices, const ChoiceCells& cells) {
    for (const int vector : {1, 4}) {
        if (cells.row_cells % vector != 0 || cells.row_cells % (warp_threads * vector) == 0) continue;
        const int x = static_cast<int>(cells.row_cells) / vector;
        const int y = threads_of_short_rows / x;
        for (const int rows : {1, 2}) {
            choices.grid({x, y, 1}, vector, rows);
            if (cells.axes > 2 && y >= 8) choices.grid({x, y / 4, 4}, vector, rows);
        }
    }
}

}  // namespace

std::vector<FieldChoice> field_choices(const ChoiceCells& cells) {
    if (cells.cpu) return cpu_choices(cells.axes);
    if (cells.axes == 0) return {{Walk::grid, 1, 1, 1, 1}};
    Choices choices;
    if (cells.axes == 1) lines(choices);
    if (cells.axes == 2) planes(choices);
    if (cells.axes >= 3) volumes(choices, cells.axes == 3, cells.crossed);
    if (cells.access_cells == 8) wide(choices, cells.axes);
    if (cells.words)
        for (const int threads : {64, 128, 256}) choices.all.push_back({Walk::staged, threads, 1, 1, 1});
    if (cells.axes > 1 && cells.row_cells > 0 && cells.row_cells <= short_row) short_rows(choices, cells);
    return choices.all;
}

std::vector<FieldChoice> histogram_choices(int access_cells) {
    std::vector<FieldChoice> all;
    for (const int threads : {256, 512, 1024}) {
        for (const int vector : {1, 4, 8}) {
            if (vector > access_cells) continue;
            for (const int chunk : {4, 16, 64}) {
                FieldChoice choice{Walk::histogram, threads, 1, vector, chunk};
                choice.unroll = 4;
                all.push_back(choice);
            }
        }
    }
    return all;
}

FieldChoice cell_by_cell(std::size_t axes) {
    if (axes == 0) return {Walk::grid, 1, 1, 1, 1};
    Choices choices;
    choices.grid(axes == 1 ? line_block : axes == 2 ? plane_blocks.front() : volume_blocks.front(), 1, 1);
    return choices.all.front();
}

std::vector<FieldChoice> with_whole_vectors(std::vector<FieldChoice> choices, long long row_cells) {
    const bool whole = std::all_of(choices.begin(), choices.end(),
                                   [&](const FieldChoice& choice) { return row_cells % choice.vector == 0; });
    if (whole) return choices;
    std::vector<FieldChoice> all;
    for (FieldChoice& choice : choices) {
        while (row_cells % choice.vector != 0) choice.vector /= 2;
        if (std::find(all.begin(), all.end(), choice) == all.end()) all.push_back(choice);
    }
    return all;
}

std::vector<FieldChoice> field_choices(const ChoiceCells& cells, const ChoiceWish& wish) {
    std::vector<FieldChoice> offered = field_choices(cells);
    FieldChoice other;  // a walk, or a shape of block, that is not offered
    if (cells.axes < 2) other.threads_y = 1;
    offered.push_back(other);
    std::vector<FieldChoice> all;
    for (const FieldChoice& choice : offered) {
        FieldChoice base = choice;
        if (wish.walk && *wish.walk != base.walk) base = other;
        const FieldChoice made = wished(base, wish);
        if (std::find(all.begin(), all.end(), made) == all.end()) all.push_back(made);
    }
    return all;
}

}  // namespace kasc
