#pragma once
// What of a fusion of fields no choice of walks, blocks and vectors changes, counted once for all of them.

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"

namespace kasc::model {

struct ReadValue {
    ValueId value;
    std::vector<int> low, high;  ///< by axis of the kernel
    double bytes = 0;            ///< read; of a value of which only a few cells are: none
    double words = 0, cell = 0;  ///< of a cell, in words of 4 bytes and in bytes
    double registers = 0;
    bool own = false;  ///< the cell itself is read
    bool star = true;  ///< no offset leaves the axes
    /// By axis of the kernel: the value has it not, so that cells along it read the same words.
    std::vector<bool> lacks{};
    /// Words of a cell that are read at positions of the text, of a field without the kernel's first or last axis:
    /// beside each other a thread's cells take the same ones, and a column keeps them.
    bool same_along_first = false, same_along_last = false;
};

/// Words of a field at positions along the axis that lies closest in memory: they lie `stride` bytes apart, so that a
/// sector has one of them, or the words that several reads take beside each other (`rgb[c = 0]`, `rgb[c = 1]`).
struct StridedWords {
    double words = 0;  ///< of one read
    double cell = 0;   ///< bytes
    double stride = 0;
    int reads = 0;
    VariableId variable{};
    bool stored = false;  ///< they are stores
};

/// Words that threads beside each other along the first axis take from lines of their own: what lies beside each other
/// in memory goes along another axis of the kernel (`b = a[x = y, y = x]`).
struct CrossedWords {
    double words = 0, cell = 0;  ///< bytes of one
    std::size_t axis = 0;        ///< of the kernel
};

/// Entries that add to so many cells: integers in any order, or, in a kernel that adds in pieces, to words of lanes.
struct Additions {
    double cells = 0, word = 0;  ///< bytes of a cell
};

struct FieldFacts {
    struct Stored {
        double bytes, words, registers;
    };
    std::vector<double> extents;
    std::vector<ReadValue> reads;  ///< by value
    std::vector<Stored> stores;
    double cells = 1, flops = 0, computing = 0;
    double visited = 1;  ///< the part of the cells that blocks which tile them are launched for
    /// By call of the plan: of `computing`, and at how many cells it is evaluated for one.
    std::vector<double> of_call;
    std::vector<int> evaluations;
    std::vector<int> slow_paths;  ///< by call: of one evaluation
    std::vector<double> slow_ns;  ///< by call: what a thread waits for these
    double sharable = 0;      ///< of `computing`, what kernels with other words of the same results need not do again
    double code_at_most = 0;  ///< instructions of one cell's calls: code_count, if nothing were computed twice
    std::vector<StridedWords> strided;
    std::vector<CrossedWords> crossed;
    std::vector<Additions> additions;
    double a_cell = 0;     ///< bytes of a cell of all that is read
    double own_words = 0;  ///< registers of a cell's own words: read at the cell itself, and stored
    double behind = 0;     ///< the part of a cell's loads that stand behind a slow path of what is computed before
    /// Results of the kernel's own calls that one call takes, at most; calls that each take more than half of all words
    /// of a cell that are loaded, where these are many.
    double taken_by_call = 0, calls_of_all_words = 0;
    double called_words = 0;  ///< of the arguments and the result of a function of the library, at most
    bool all_cells_complex = false;
    bool calls_double_functions = false;
    bool divides_doubles = false;  ///< or takes roots of them
};
/// Bytes that memory moves beside such words, in sectors or lines of so many.
[[nodiscard]] double bytes_beside(const FieldFacts& facts, double line_bytes);
/// What a warp's accesses to such words pass beyond those to as many words beside each other.
struct StridedPasses {
    double lines = 0;     ///< a pass each
    double l2_bytes = 0;  ///< of sectors stored in part, which L1 does not gather
};
/// Those of staged fields go along the rows.
[[nodiscard]] StridedPasses strided_passes(const FieldFacts& facts, const StagedParts* staged);
/// Words that lie across the rows: a line each, of whose sectors a block takes as much as it has cells beside each
/// other there. `walks`: along the last axis, where a thread comes to a sector's other words later, when L1 has given
/// it up.
struct Crossed {
    double bytes = 0, lines = 0;  ///< beyond the words themselves
};
[[nodiscard]] Crossed crossed_by_blocks(const FieldFacts& facts, const std::vector<double>& tile, bool walks);
/// What a thread waits for so many loads of a cell beyond the first wait, in ns.
[[nodiscard]] double waits_for_loads(const FieldFacts& facts, double loads);
[[nodiscard]] FieldFacts field_facts(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                                     const Problem& problem, StatementCosts& costs);

/// What is counted of a kernel's code where it may be too large: once for all choices.
using Code = std::optional<double>;

/// By read value: loads of a thread and plane.
using Loads = std::vector<double>;
/// What a thread does in a plane, whatever its block.
struct ThreadCounts {
    Loads loads;
    double computing = 0;  ///< instructions of all cells, where threads compute once what several cells of theirs need
    double slow_ns = 0;    ///< for slow paths that a thread passes
    double words = 0;      ///< of all cells that it loads, and of those beside them
    double of_all_cells = 0;  ///< loads of words that all cells read, beside those counted by value
};
/// What the thread does, for how many cells of a row, by which walk, whether it has queues: a warp that holds rows
/// loads other words than a column.
using ThreadKey = std::tuple<const CellProgram*, int, Walk, bool>;

}  // namespace kasc::model
