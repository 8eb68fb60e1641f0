#pragma once
// A kernel whose blocks have whole lines: cells along one axis, of which sums are complete within the block. It goes
// through the cells of its lines once for each sum that the next one needs, and its threads keep the words of their
// line between two such passes:
//
//   largest = maximum(a, column)              pass 0   cells  a_parts = fold a            joins  largest
//   b = exp(a - largest)                      pass 1   cells  b_parts = fold exp(…)       joins  b_sum
//         / sum(exp(a - largest), column)     pass 2   cells  b
//
// A cell's value that several passes need is computed by each of them, unless it is stored. What they read, and what
// was stored, stays in registers where a line's threads can hold its cells, and comes again from a cache where they
// cannot.
//
// What is folded across rows, cell by cell (`sum(b, row)`), a block has of a whole part of them: it goes through the
// part's 256 rows, some at a time, and keeps the eight lanes of each of their cells in shared memory. Its threads are
// for rows of one length then.
//
// Lines along the first axis in memory are rows: threads beside each other have cells of one, and exchange words within
// their warp. Lines along another axis are columns: threads beside each other have columns that lie beside each other,
// and the eight lanes of a part are in one thread, or in eight that meet in shared memory.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "frontend/reduction.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

/// One time through the cells of the lines, and what is known of a line behind it. Each part is scheduled as a kernel
/// of its own would be, cell by cell.
struct LinePass {
    FieldSchedule cells;                 ///< over the lines' cells: what is folded in parts, and what is stored
    std::optional<FieldSchedule> joins;  ///< of these parts; none: the pass folds nothing
    std::optional<FieldSchedule> words;  ///< of a line, of what is joined by then
};

/// What is folded across lines, in parts of column_part_cells lines that follow each other along `axes`.
struct AcrossLines {
    std::vector<AxisId> axes;  ///< the first that are kept
    AxisId parts;
    std::vector<ValueId> values;
};

struct LineWork {
    Fusion fusion;
    AxisId along, parts;
    /// Axes that follow `along` in memory, where a line is a plane or a volume: its cells are counted through all.
    std::vector<AxisId> further;
    std::vector<AxisId> kept;  ///< by which a line is known, in the order of memory
    std::vector<LinePass> passes;
    bool columns = false;  ///< `along` is not the first axis in memory
    std::optional<AcrossLines> across{};

    /// All axes of a line.
    [[nodiscard]] std::vector<AxisId> line_axes() const;
    /// Cells and lanes of a part, in the order of the language (frontend/reduction).
    [[nodiscard]] int part_cells() const { return columns ? column_part_cells : row_part_cells; }
    [[nodiscard]] int part_lanes() const { return columns ? column_lanes : row_lanes; }
};

struct LineSchedule {
    std::shared_ptr<const LineWork> work;
    FieldChoice choice;  ///< walk `line` (search/choice.hpp)
    std::shared_ptr<const block::BlockProgram> block;
    bool any_length = false;  ///< of columns that threads go through in turn: more than most_parts_in_turn parts
    /// Where lines are folded across: their length, for which the kernel is alone.
    std::map<AxisId, int> lengths{};

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    [[nodiscard]] bool columns() const { return work->columns; }
    [[nodiscard]] int lanes() const { return choice.threads_x; }  ///< threads of a line that exchange words: a team
    [[nodiscard]] int teams() const { return choice.threads_y; }  ///< of a line, a part each
    [[nodiscard]] int lines() const { return choice.threads_z; }  ///< of a block
    [[nodiscard]] int threads() const { return lanes() * teams() * lines(); }
    /// Each thread has its cells of the line in registers, so many; lines are no longer than their threads can hold.
    [[nodiscard]] bool holds_cells() const { return choice.chunk > 1; }
    /// Cells of a line, at most; none: lines of any length.
    [[nodiscard]] std::optional<long long> most_cells() const;
    /// Lines of a part across them that a block has at a time, and parts.
    [[nodiscard]] int lines_of_part() const { return std::min(lines(), column_lanes); }
    [[nodiscard]] int parts_across() const { return lines() / lines_of_part(); }
    /// Words of a row of lanes across lines, a lane of all cells: threads of a warp that stand in several rows have
    /// banks of their own.
    [[nodiscard]] int row_across() const;
};

/// Parts of a column whose thread goes through its cells in turn: it keeps what each part gave until the last one is
/// there. In a kernel for columns of any length as many as there are lanes of their join; those are 1 KB of a thread's
/// own memory, which the device would set aside for all of its threads.
inline constexpr int most_parts_in_turn = 16;

struct LineWorkResult {
    std::shared_ptr<const LineWork> value;  ///< null: see reason
    std::string reason;
};
/// Requires: the fusion has lines (search/lines.hpp). Infeasible, with the reason: cells at the edge of the grid have a
/// path of their own.
[[nodiscard]] LineWorkResult line_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct LineScheduleResult {
    std::optional<LineSchedule> value;
    std::string reason;
};
/// `cells`: of a line, where its length is given; lines that are folded across need it.
[[nodiscard]] LineScheduleResult schedule_lines(std::shared_ptr<const LineWork> work, const FieldChoice& choice,
                                                std::optional<long long> cells, const Program& program,
                                                const Graph& graph);

/// Choices worth scheduling, in a fixed order. Of rows a thread a line for the shortest ones, up to 32 warps for long
/// ones; of columns a thread each, or eight and more.
[[nodiscard]] std::vector<FieldChoice> line_choices(const LineWork& work);
/// The kernel for lines of any length beside one that holds their cells; none: this one is for any.
[[nodiscard]] std::optional<LineSchedule> for_longer_lines(const LineSchedule& schedule, const Program& program,
                                                           const Graph& graph);

/// Parts of a line that are in hand at a time: all where its cells are held, a team each; else one a lane of those that
/// join them.
[[nodiscard]] int parts_at_a_time(const LineSchedule& schedule);
/// Cells of a thread that are read together: eight, of those that take long or read many fields four.
[[nodiscard]] int cells_of_group(const LineSchedule& schedule, const LinePass& pass);
/// The same where some cells do not count: groups of which none does are left out.
[[nodiscard]] int cells_of_cut_group(const LineSchedule& schedule);
/// What a pass folds across its lines.
[[nodiscard]] std::vector<ValueId> folded_across(const LineWork& work, const LinePass& pass);
/// Inputs of which a pass reads each cell's own word alone; and those that several passes read so, or that one makes.
[[nodiscard]] std::vector<ValueId> read_at_cells(const LineWork& work, const LinePass& pass);
[[nodiscard]] std::vector<ValueId> read_again(const LineWork& work);
/// Registers that a thread may take, by the bound that is set on its blocks: ptxas spills beyond. And that bound, the
/// blocks that a multiprocessor holds at least.
[[nodiscard]] int registers_of(const LineSchedule& schedule);
/// What a thread would take without a bound, at most.
[[nodiscard]] int registers_wanted(const LineSchedule& schedule);
[[nodiscard]] int least_blocks(const LineSchedule& schedule);
/// Calls that join parts, or compute words, whose results a later pass reads: a block keeps one a line. In the order of
/// their regions.
[[nodiscard]] std::vector<const FieldCall*> words_of(const LineWork& work);

[[nodiscard]] std::string print(const LineSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
