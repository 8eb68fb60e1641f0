#pragma once
// A kernel that computes running sums (Running, program.hpp): of each line along an axis, what the cells before a cell
// and its own are folded to. A block has some lines, each shared out among threads that have running_base cells of it
// at a time: a thread's are one of the smallest pieces that the numbers of cells are cut into, threads beside each
// other those beside each other, so that 16 threads have a piece of 256 cells, 256 threads one of 4096.
//
//   s = running_sum(a, x)          lines along the first axis in memory, 256 threads each
//     for each 4096 cells
//       copy     what is summed up, into a tile                  along memory
//       fold     each thread its 16 cells, from the tile         sums of 16
//       join     each thread those of its 256 cells              and of 256
//       compute  what is before the thread's first cell, then cell by cell, into the tile
//       store    from the tile                                   along memory
//
// Lines along another axis lie beside each other: a thread's cells are words of a column, which it keeps in registers.
//
// Where lines are few, their pieces of 4096 cells stand side by side, in three kernels (rewrite/running_pieces): sums
// of pieces, what is before each of them, and cells, which begin with that.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "frontend/program.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

struct ScanWork {
    /// lines: whole, a block's turn by turn. sums: of a piece a block, which gives its sum. carries: of the pieces of a
    /// line, as lines, what is before each. cells: of a piece a block, with what is before it.
    enum class Part { lines, sums, carries, cells };
    Part part = Part::lines;
    Fusion fusion;
    FieldSchedule cells;                      ///< what is folded, cell by cell
    std::shared_ptr<const CellProgram> cell;  ///< right at any cell
    /// What is computed of each cell and its running sum; none: nothing.
    std::optional<FieldSchedule> points;
    std::shared_ptr<const CellProgram> point;
    std::size_t along = 0;  ///< of the kernel's axes

    [[nodiscard]] const FieldCall& call() const { return cells.plan().calls.front(); }
    [[nodiscard]] const Running& running() const {
        const FieldStatement& s = *call().statement;
        return s.running ? *s.running : *s.fold->pieces;
    }
    /// Cells of a line lie beside each other in memory; else those of other lines do.
    bool lies_along = true;
    /// Sizes of pieces that cells have, smallest first: of 16 cells and so on.
    [[nodiscard]] int levels() const {
        return of_piece() ? levels_of_piece : part == Part::carries ? running_levels - levels_of_piece : running_levels;
    }
    static constexpr int levels_of_piece = 3;  ///< a piece of 4096 cells is the third
    /// A block has a piece of each of its lines, and no more.
    [[nodiscard]] bool of_piece() const { return part == Part::sums || part == Part::cells; }
    [[nodiscard]] bool is_running() const { return part != Part::sums; }
    /// What is folded is a result: others than `points` need it.
    [[nodiscard]] bool is_stored() const;
};

struct ScanSchedule {
    std::shared_ptr<const ScanWork> work;
    FieldChoice choice;  ///< walk `scan` (search/choice.hpp)
    std::shared_ptr<const block::BlockProgram> block;

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    [[nodiscard]] int threads_of_line() const { return choice.threads_x; }
    [[nodiscard]] int lines() const { return choice.threads_y; }  ///< of a block
    [[nodiscard]] int threads() const { return choice.threads_x * choice.threads_y; }
    /// Cells of a line that its threads have at a time.
    [[nodiscard]] int step_cells() const { return running_base * threads_of_line(); }
    /// Sizes of pieces whose sums threads hand each other: of 16 cells, and of 256.
    [[nodiscard]] int joined_levels() const;
    /// In the tile, from the first word of a thread's cells to that of the next: odd, so that threads meet all banks.
    [[nodiscard]] static constexpr int pitch() { return running_base + 1; }
    [[nodiscard]] int line_pitch() const { return threads_of_line() * pitch(); }
};

/// Bytes of what is folded, word by word, and of what it is folded to before it is rounded.
[[nodiscard]] int scanned_bytes(const ScanWork& work, const Program& program);
[[nodiscard]] int accumulator_bytes(const ScanWork& work, const Program& program);

struct ScanWorkResult {
    std::shared_ptr<const ScanWork> value;  ///< null: see reason
    std::string reason;
};
/// The call runs along an axis, or folds its pieces.
[[nodiscard]] bool runs_along_lines(const Graph& graph, NodeId call);
/// One of several does.
[[nodiscard]] bool run_along_lines(const Graph& graph, const std::vector<NodeId>& calls);
/// Requires: one call of the fusion does. Infeasible, with the reason: several do, or others are computed of another
/// cell's sum.
[[nodiscard]] ScanWorkResult scan_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct ScanScheduleResult {
    std::optional<ScanSchedule> value;
    std::string reason;
};
[[nodiscard]] ScanScheduleResult schedule_scan(std::shared_ptr<const ScanWork> work, const FieldChoice& choice,
                                               const Program& program);

/// The steps of a block and the barriers between them.
[[nodiscard]] block::BlockProgram scan_block(const ScanSchedule& schedule, const Program& program);

/// Blocks of a multiprocessor, by which ptxas (13.0) is told how many registers it may take; 0: it is left alone.
[[nodiscard]] int least_blocks(const ScanSchedule& schedule);

/// Choices worth scheduling, in a fixed order.
[[nodiscard]] std::vector<FieldChoice> scan_choices(const ScanWork& work, bool cpu);

[[nodiscard]] std::string print(const ScanSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
