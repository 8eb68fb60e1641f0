// Which walks are worth a schedule. Shapes are those that won, or came within a tenth of the best, for 5- and 13-point
// stencils on A100 and H100 class devices: wide along the contiguous axis, 128 to 512 threads, and for columns a chunk
// long enough that filling the queue of planes is cheap and short enough that every multiprocessor has blocks.
#include <array>
#include <utility>

#include "schedule/field_plan.hpp"
#include "schedule/field_schedule.hpp"

namespace kasc {

namespace {

using Block = std::pair<int, int>;
constexpr std::array<Block, 5> grid_blocks_3d{{{32, 4}, {32, 8}, {64, 4}, {128, 1}, {128, 2}}};
constexpr std::array<Block, 4> grid_blocks_2d{{{256, 1}, {128, 2}, {64, 4}, {32, 8}}};
constexpr std::array<Block, 5> column_blocks{{{32, 4}, {32, 8}, {64, 4}, {64, 8}, {16, 16}}};
constexpr std::array<int, 3> chunks{16, 32, 64};
/// Cells of a CPU's row: long enough that the loop dominates, short enough that rows of one field alone feed all cores.
constexpr int row_cells = 4096;
/// Tiles of a plane, cells × rows. Pieces of a page (1024 words) keep a core's prefetcher going; 16 rows of them are
/// five planes of 400 KiB for a 13-point stencil, in the second cache of a core whatever the extents. 16 cores of a
/// Xeon, 13 points: of 256³ cells 32 to 256 kB a plane's tile are alike, of 512³ 32 to 64 kB are best.
constexpr std::array<Block, 5> cpu_tiles{{{1024, 4}, {1024, 8}, {1024, 16}, {1024, 32}, {1024, 64}}};

std::vector<FieldChoice> cpu_choices(std::size_t axes) {
    if (axes == 0) return {{Walk::row, 1, 1, 1, 1}};
    std::vector<FieldChoice> all{{Walk::row, row_cells, 1, 1, 1}};
    if (axes >= 3) {
        for (const auto& [x, y] : cpu_tiles) all.push_back({Walk::row, x, y, 1, 1});
    }
    return all;
}

std::vector<FieldChoice> wished(std::size_t axes) {
    if (axes == 0) return {{Walk::grid, 1, 1, 1, 1}};
    std::vector<FieldChoice> all;
    for (const int vector : {1, 4}) {
        if (axes == 1) all.push_back({Walk::grid, 256, 1, vector, 1});
        if (axes == 2) {
            for (const auto& [x, y] : grid_blocks_2d) all.push_back({Walk::grid, x, y, vector, 1});
            for (const int chunk : chunks) all.push_back({Walk::column, 128, 1, vector, chunk});
        }
        if (axes >= 3) {
            for (const auto& [x, y] : grid_blocks_3d) all.push_back({Walk::grid, x, y, vector, 1});
        }
        if (axes == 3) {
            for (const auto& [x, y] : column_blocks) {
                for (const int chunk : chunks) all.push_back({Walk::column, x, y, vector, chunk});
            }
        }
    }
    return all;
}

}  // namespace

std::vector<FieldChoice> field_choices(const Program& program, const Graph& graph, const Fusion& fusion, bool cpu) {
    const FieldPlanResult plan = plan_fields(program, graph, fusion);
    if (!plan.value) return {};
    const std::size_t axes = plan.value->axes.size();
    if (cpu) return cpu_choices(axes);
    std::vector<FieldChoice> feasible;
    bool scalar = false, vector = false;
    for (const FieldChoice& choice : wished(axes)) {
        // Feasibility depends on the walk and the vector alone once the block is sound: one trial of each suffices.
        bool& known = choice.vector == 1 ? scalar : vector;
        if (!known && !schedule_field(program, graph, fusion, choice).value) continue;
        known = true;
        feasible.push_back(choice);
    }
    return feasible;
}

}  // namespace kasc
