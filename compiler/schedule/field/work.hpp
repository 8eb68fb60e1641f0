#pragma once
// What a kernel over fields does, whichever way its threads walk: the values that it needs where, and how far around
// its cell each reaches. All choices of a fusion share it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"
#include "schedule/field/cell_program.hpp"
#include "schedule/field/plan.hpp"
#include "schedule/field/visited.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

/// A value at a constant offset from the cell: what the kernel reads from global memory, or computes in registers.
struct ValueAt {
    ValueId value;
    std::vector<int> offset;  ///< one an axis of the kernel; 0 on axes that the value lacks
    auto operator<=>(const ValueAt&) const = default;
    [[nodiscard]] bool at_cell() const;  ///< no step along any axis
};

/// One call at one offset: offset 0 everywhere for what is stored; others are recomputed for near consumers.
struct Evaluation {
    NodeId call;
    std::vector<int> offset;
};

/// The cell's result goes to memory: everywhere, or where the axes stand at uniform positions (slice).
struct FieldStore {
    ValueId value;  ///< in whose array it is (FieldCall::array)
    NodeId call;
    std::vector<std::pair<AxisId, ExpressionRef>> fixed;
    std::vector<KeptLayers> kept;  ///< by axis of the value: layers that are not stored
    /// The value in memory that the output must hold before the launch: what the kernel does not store stays. Formers
    /// that live in the kernel only are passed over. None: every word is stored, or a series of which nothing was
    /// assigned before (zeros).
    std::optional<ValueId> former;
};

/// A version of a field that the kernel stores and a former one that it reads: may both lie in one array?
struct Overwrite {
    ValueId former, value;
    Verdict verdict;
};

/// What a group of neighbouring cells does where its row ends and a read lies beyond the grid.
///   edge_path   its cells are computed one by one by the path that maps each coordinate
///   hidden      whatever it reads there: the cells that see it are in layers that their call keeps
///   mapped      the words beyond are made of others, by the boundary: of the group's own, of the row's other end, or a
///               value; so are those of rows that it computes
///   around      all that is read along the row is periodic: the words beyond are those of its other end, and what is
///               computed there is right as it is
enum class RowEnds { edge_path, hidden, mapped, around };

struct FieldWork;

/// A word that each block computes before its cells (search/prologue), in the order of the fusion.
struct PrologueCall {
    std::shared_ptr<const FieldWork> work;  ///< of this call alone
    bool join = false;                      ///< the block folds parts; else each thread computes a number
    bool stored = false;                    ///< by the first block: other kernels read it

    [[nodiscard]] const FieldCall& call() const;
};

struct FieldWork {
    Fusion fusion;   ///< with the prologue
    FieldPlan plan;  ///< of the cells
    std::vector<PrologueCall> prologue;
    std::vector<ValueAt> loads;           ///< distinct, sorted
    std::vector<Evaluation> evaluations;  ///< in an order that computes producers first
    std::vector<FieldStore> stores;       ///< in the order of the calls
    std::vector<int> reach_low,
        reach_high;  ///< by axis: how far below and above its cell the kernel reads or recomputes
    /// By axis: cells in [interior_low, extent - interior_high) read nothing beyond the grid, and no kept layer shows
    /// in what they compute: they take the path without any index mapping or condition.
    std::vector<int> interior_low, interior_high;
    std::vector<CellRange> visited;  ///< by axis, of a launch of blocks that tile them; empty: all cells
    int margin = 0;                  ///< cells of the outermost `margin` layers are not visited (all stores keep them)
    bool edges = false;              ///< some visited cell is not in the interior: it takes the mapped path
    RowEnds ends = RowEnds::edge_path;  ///< of groups that read memory and registers alone
    int beside = 0;                     ///< cells along the first axis, at most, at which something is read or computed
    int widest = 0;                     ///< bytes of the largest cell that is read or stored along the first axis
    int narrowest = 0;                  ///< of the smallest
    std::vector<Overwrite> overwrites;  ///< versions of fields that the kernel reads, by the version that it stores
    /// Inputs of which each cell reads its own word alone, and results of which it stores it: of like shape, one may
    /// lie over the other.
    std::vector<ValueId> read_at_cell, stored_at_cell;
    std::shared_ptr<const CellProgram> edge;  ///< one cell, anywhere
};

/// Some value is read beside the cell.
[[nodiscard]] bool reads_neighbours(const FieldWork& work);

/// The most cells that a vector of the kernel has, one access of 16 bytes: 4, of fields of 16 bits or fewer 8.
[[nodiscard]] int access_cells(const FieldWork& work);
/// The calls that fold the kernel's cells: all in the same order, or some along rows and the others along columns.
[[nodiscard]] std::vector<const FieldCall*> folds_of(const FieldPlan& plan);
/// One of them, for the order that they share; null: no call folds.
[[nodiscard]] const Fold* fold_of(const FieldWork& work);
/// The prologue folds parts: threads of a block wait for each other.
[[nodiscard]] bool joins_parts(const FieldWork& work);
/// What the kernel stores, its prologue included, into the array of this value; null: nothing.
[[nodiscard]] const FieldStore* store_of(const FieldWork& work, ValueId value);
/// Rows are folded and columns of the same cells.
[[nodiscard]] bool folds_both_ways(const FieldPlan& plan);

struct FieldWorkResult {
    std::shared_ptr<const FieldWork> value;  ///< null: see reason
    std::string reason;
};
/// Infeasible, with the reason: calls over different axes, a value wanted where no thread of the kernel computes it,
/// too much recomputation. Points into `graph`.
[[nodiscard]] FieldWorkResult field_work(const Program& program, const Graph& graph, const Fusion& fusion);

}  // namespace kasc
