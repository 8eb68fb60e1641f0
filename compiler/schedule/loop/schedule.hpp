#pragma once
// A kernel that runs a loop of the program: a thread has a cell, and goes through all iterations of it.
//
//   for (k = 1; k < extent(z); k++) {              thread x, y
//       c = r / (b[z = k] - a[z = k]*c);               c      in a register from iteration to iteration
//       d[z = k] = (q[z = k] - d[z = k - 1])*c;        d      stored where it stands; d[z = k - 1] is at hand
//   }
//
// Calls over the same cells may stand before the loop and behind it (search/loop_cells): what they hand over is in
// registers as well.
//
// Where the iterations go along the first axis in memory, threads beside each other would stand in lines of their own;
// where cells are few, each would wait for its words. Then a block takes a chunk of iterations at a time: all its
// threads, more than cells if need be, fetch what its cells read in them, along memory, into tiles of shared memory.
// Words of lines they store from there.
//
//   for each chunk of 32 iterations
//     q_tile of the next chunk = q     64 lines of 32 words, beside each other, which are under way meanwhile
//     each thread its 32 iterations    of its own line of the tile
//     q = q_tile
//
// Where cells look at each other along some axes (graph/loop_lines.hpp), a block has whole lines along these, and goes
// through the iterations with barriers between what looks at what (schedule/loop/lines.hpp):
//
//   for (n = 0; n < steps; n++) { T = T + r*(T[x - 1] - 2*T + T[x + 1]); }      T in shared memory, two copies
//
// Statements are scheduled one by one, as kernels of one call would be, cell by cell.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "graph/graph.hpp"
#include "graph/linear_position.hpp"
#include "schedule/field/schedule.hpp"
#include "schedule/loop/lines.hpp"

namespace kasc {

/// A field over the kernel's axes alone that the loop hands on: a word in a register.
struct HandedWord {
    VariableId variable;
    std::optional<ValueId> initial, entering;  ///< of the graph, of the body
    ValueId leaving, result;                   ///< of the body, of the graph
    std::optional<ValueId> made;               ///< of the body: a call before the loop makes its initial value
    std::optional<ValueId> left;               ///< of the body: what calls behind the loop read of it
};
/// A field with axes on which it stands at positions: it lies in memory, in one array.
struct WalkedField {
    VariableId variable;
    std::optional<ValueId> initial;  ///< none: what the loop does not assign is zero
    ValueId result;
    std::vector<ValueId> versions;  ///< of the body
    /// The word that one iteration leaves and the next reads stays in a register: of this statement, where it is read
    /// by others in the same iteration or the next. None: memory has it.
    std::optional<std::size_t> kept_of;
};

/// A field at a position that moves with the iterations along one axis, at the cell itself along the others: what a
/// block's cells have of it in some iterations a tile may hold.
struct LoopTile {
    ValueId value;  ///< of the body
    std::vector<FieldIndex> indices;
    std::size_t axis = 0;  ///< of the field, that of the iterations
    LinearPosition at;     ///< along it
    /// Its first axis in memory is that of the iterations, a cell with each, and the kernel's stand behind it: words of
    /// a cell lie in a line. Else those of an iteration lie beside each other.
    bool lines = false;
    bool loaded = false, stored = false;
    /// By number. What is fetched and no longer looked at when a word of the line is made has its region with that.
    std::size_t region = 0;

    [[nodiscard]] const ExpressionRef& position() const { return std::get<Absolute>(indices[axis]).position; }
};

struct LoopWork {
    Fusion fusion;  ///< of the loop's node and calls beside it, by id; walked fields are outputs
    NodeId node;
    LoopNode loop;  ///< its body is what JoinedBody has
    /// Statements [begin, end) are those of an iteration, the others stand before the loop and behind it.
    std::size_t begin = 0, end = 0;
    /// By values of the graph that the loop captures, or calls beside it touch: those of the body.
    std::map<ValueId, ValueId> inside;
    std::vector<FieldSchedule> statements;  ///< of the body's calls, in order
    /// By statement, what is right at any cell; a word has its former value where the call keeps layers.
    std::vector<std::shared_ptr<const CellProgram>> cells;
    std::vector<HandedWord> words;
    std::vector<WalkedField> walked;
    std::vector<LoopTile> tiles;  ///< that a block may hold
    LoopLines lines;              ///< that a block has, where cells look at each other: it holds no tiles then

    [[nodiscard]] bool of_lines() const { return !lines.along.empty(); }
    /// Axes of the program that lines lie along.
    [[nodiscard]] std::vector<AxisId> line_axes() const;
    [[nodiscard]] const std::vector<AxisId>& axes() const { return statements.front().axes(); }
    [[nodiscard]] const FieldCall& call(std::size_t k) const { return statements[k].plan().calls.front(); }
    /// The field in memory that a value of the body is a version of; null: it is none.
    [[nodiscard]] const WalkedField* walked_of(ValueId value) const;
    /// A register has the value: a call of the body makes it, it is handed on from iteration to iteration, or left by
    /// the last.
    [[nodiscard]] bool is_in_register(ValueId value) const;
    [[nodiscard]] bool is_beside(std::size_t statement) const { return statement < begin || statement >= end; }
    /// The call of the graph that stands beside the loop as this statement.
    [[nodiscard]] NodeId call_beside(std::size_t statement) const {
        return fusion.calls[statement < begin ? statement : begin + 1 + statement - end];
    }
    /// A statement beside the loop stores what it makes; else registers alone have it.
    [[nodiscard]] bool stores_beside(std::size_t statement) const;
    /// The index is a position, another one in each iteration.
    [[nodiscard]] bool goes_on(const FieldIndex& index) const;
    /// The tile that has the words of this value at these indices; null: none has.
    [[nodiscard]] const LoopTile* tile_of(ValueId value, const std::vector<FieldIndex>& indices,
                                          const Program& program) const;
};

/// How a statement comes to a word of a walked field.
enum class WordOf { memory, this_iteration, former_iteration };

struct LoopSchedule {
    std::shared_ptr<const LoopWork> work;
    FieldChoice choice;                                ///< walk `loop`
    std::shared_ptr<const block::BlockProgram> block;  ///< its regions are those of the tiles, or of shared LineWords
    std::vector<int> lengths{};                        ///< of lines: cells along each axis of LoopLines::along

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    /// A block holds lines of its cells in tiles, `chunk` iterations at a time. Threads along y help to fetch and
    /// store.
    [[nodiscard]] bool tiled() const { return choice.chunk > 1; }
    [[nodiscard]] int threads() const { return choice.threads_x * choice.threads_y; }
    /// From a line of a tile to the next, in words: threads beside each other stand in banks of their own. In a tile
    /// without lines, from an iteration to the next.
    [[nodiscard]] int pitch(const LoopTile& tile) const { return tile.lines ? choice.chunk + 1 : choice.threads_x; }
    [[nodiscard]] int tile_words(const LoopTile& tile) const {
        return tile.lines ? choice.threads_x * pitch(tile) : choice.chunk * pitch(tile);
    }
    /// Lines: threads along x have cells of one, threads_x apart, those along y have lines beside each other.
    [[nodiscard]] int line_cells() const { return cells_of(lengths); }
    [[nodiscard]] int cells_of_thread() const { return (line_cells() + choice.threads_x - 1) / choice.threads_x; }
    /// From a line to the next in shared memory, in words, and those of a copy of all lines.
    [[nodiscard]] int line_pitch() const { return choice.threads_x * cells_of_thread(); }
    [[nodiscard]] int words_of_lines() const { return choice.threads_y * line_pitch(); }
    /// How many iterations before the loop's first its first chunk begins, so that chunks begin where lines of memory
    /// do: where that is known when the program is compiled.
    [[nodiscard]] int early() const;
};

struct LoopWorkResult {
    std::shared_ptr<const LoopWork> value;  ///< null: see reason
    std::string reason;
};
/// Requires: the node is a loop that may run inside (Loop::inside).
[[nodiscard]] LoopWorkResult loop_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct LoopScheduleResult {
    std::optional<LoopSchedule> value;
    std::string reason;
};
/// `lengths`: of lines, where cells look at each other; the kernel serves these alone.
[[nodiscard]] LoopScheduleResult schedule_loop(std::shared_ptr<const LoopWork> work, const FieldChoice& choice,
                                               const Program& program, const std::vector<int>& lengths = {});

/// The words of the tile's field.
[[nodiscard]] CellType type_of_tile(const LoopTile& tile, const LoopWork& work, const Program& program);
/// The same cell, of one field, in this iteration or, `before`, in the one before where the first is.
[[nodiscard]] bool stand_alike(const std::vector<FieldIndex>& first, const std::vector<FieldIndex>& second, bool before,
                               const LoopWork& work, const Program& program);
/// What tiles can hold of the work's fields: each word that is read there is the one that memory would have.
[[nodiscard]] std::vector<LoopTile> loop_tiles(const LoopWork& work, const Program& program);
/// The steps of a block and the barriers between them.
[[nodiscard]] block::BlockProgram loop_block(const LoopSchedule& schedule, const Program& program);
/// The same of one that has whole lines.
[[nodiscard]] block::BlockProgram line_loop_block(const LoopSchedule& schedule, const Program& program);

/// Where statement `k` finds what an operand reads of a walked field.
[[nodiscard]] WordOf word_of(const LoopWork& work, std::size_t k, const FieldRead& read, const Program& program);

/// Choices worth pricing, in a fixed order; of a CPU's cores, which go along lines alone, or of a GPU's threads.
[[nodiscard]] std::vector<FieldChoice> loop_choices(const LoopWork& work, bool cpu,
                                                    const std::vector<int>& lengths = {});

/// The same of whole lines, and why a choice is none for them; empty: it is one.
[[nodiscard]] std::vector<FieldChoice> line_loop_choices(const LoopWork& work, int line_cells);
[[nodiscard]] std::string line_choice_fault(const LoopWork& work, const FieldChoice& choice, int line_cells);
/// So many threads, each with a cell, and iterations at a time.
[[nodiscard]] FieldChoice loop_choice(int threads, int unroll);
constexpr int most_threads_of_loop = 1024, most_unrolled_of_loop = 16;

/// Whatever an iteration reads or stores anew lies behind what the one before did, along memory: so a CPU's core may go
/// through one cell after the other. Elsewhere it goes along memory from cell to cell, iteration by iteration.
[[nodiscard]] Verdict goes_along_lines(const LoopWork& work);

[[nodiscard]] std::string print(const LoopSchedule& schedule, const Program& program, const Graph& graph);
/// What blocks have of whole lines.
[[nodiscard]] std::string print_lines(const LoopSchedule& schedule, const Program& program);

}  // namespace kasc
