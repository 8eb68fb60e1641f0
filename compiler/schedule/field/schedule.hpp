#pragma once
// One fused kernel over fields: which cells it computes, how threads walk them, what each call needs where.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"
#include "schedule/field/block.hpp"
#include "schedule/field/cell_program.hpp"
#include "schedule/field/plan.hpp"
#include "search/choice_text.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

/// A value at a constant offset from the cell: what the kernel reads from global memory, or computes in registers.
struct ValueAt {
    ValueId value;
    std::vector<int> offset;  ///< one an axis of the kernel; 0 on axes that the value lacks
    auto operator<=>(const ValueAt&) const = default;
};

/// One call at one offset: offset 0 everywhere for what is stored; others are recomputed for near consumers.
struct Evaluation {
    NodeId call;
    std::vector<int> offset;
};

/// The cell's result goes to memory: everywhere, or where the axes stand at uniform positions (slice).
struct FieldStore {
    ValueId value;
    NodeId call;
    std::vector<std::pair<AxisId, ExpressionRef>> fixed;
    std::vector<KeptLayers> kept;  ///< by axis of the value: layers that are not stored
    /// The value in memory that the output must hold before the launch: what the kernel does not store stays. Formers
    /// that live in the kernel only are passed over. None: every word is stored, or a series of which nothing was
    /// assigned before (zeros).
    std::optional<ValueId> former;
};

/// A field whose neighbours the block keeps in shared memory: its cells with a halo, of a column those of one plane.
struct SharedTile {
    ValueId value;
    std::vector<int> low, high;  ///< cells of halo, by tiled axis: the first three, of a column all but the walk
    std::vector<int> cells;      ///< words along each tiled axis, halo and padding included
    int words = 0;               ///< of one plane of a column, else of all
};

/// What a thread that walks along the last axis keeps from plane to plane: one of its own words of a field, in the
/// planes [low, high] around the one it is in. All but the last are there when it comes to a plane.
struct ColumnQueue {
    const FieldRead* read = nullptr;
    int row = 0;  ///< of the thread's cells along the second axis
    int low = 0, high = 0;
};

/// A row that passes through a warp, of a field at one z: `low` words in front of each thread's own and `high` behind
/// them. They are taken from the threads beside at each step, or else were when the row was the next one.
struct WarpRow {
    int y = 0;
    int low = 0, high = 0;
    bool takes_low = false, takes_high = false;
};
/// All rows of the field at this z. All but the last are there when the warp comes to a row.
struct WarpRows {
    const FieldRead* read = nullptr;
    int z = 0;
    std::vector<WarpRow> rows;
};

/// What a thread does for its cells, by path.
struct FieldPaths {
    std::shared_ptr<const CellProgram> cells;   ///< all of a thread's, in the interior
    std::shared_ptr<const CellProgram> cell;    ///< one, in the interior
    std::shared_ptr<const CellProgram> edge;    ///< one, anywhere
    std::shared_ptr<const CellProgram> beside;  ///< one of a row at the edge: of walk `row`
};

/// A version of a field that the kernel stores and a former one that it reads: may both lie in one array?
struct Overwrite {
    ValueId former, value;
    Verdict verdict;
};

struct FieldSchedule {
    Fusion fusion;
    FieldChoice choice;
    std::shared_ptr<const FieldPlan> plan;
    FieldPaths paths;
    std::vector<ColumnQueue> queues;
    std::vector<WarpRows> warp_rows;
    std::vector<AxisId> axes;             ///< of the kernel, axes.front() contiguous
    std::vector<ValueAt> loads;           ///< distinct, sorted
    std::vector<Evaluation> evaluations;  ///< in an order that computes producers first
    std::vector<FieldStore> stores;       ///< in the order of the calls
    std::vector<int> reach_low,
        reach_high;  ///< by axis: how far below and above its cell the kernel reads or recomputes
    /// By axis: cells in [interior_low, extent - interior_high) read nothing beyond the grid, and no kept layer shows
    /// in what they compute: they take the path without any index mapping or condition.
    std::vector<int> interior_low, interior_high;
    int margin = 0;      ///< cells of the outermost `margin` layers are not visited (all stores keep them)
    bool edges = false;  ///< some visited cell is not in the interior: it takes the mapped path
    /// Along the first axis a cell that reads beyond the grid lies in layers that its call keeps: a group computes it
    /// with the others and takes the former value, so that no group needs the edge path for its ends.
    bool rim_in_groups = false;
    std::vector<Overwrite> overwrites;  ///< versions of fields that the kernel reads, by the version that it stores
    /// Inputs of which each cell reads its own word alone, and results of which it stores it: of like shape, one may
    /// lie over the other.
    std::vector<ValueId> read_at_cell, stored_at_cell;
    std::optional<ValueId> given;   ///< walk `stored`: the input whose word at the cell the transform hands over
    std::vector<SharedTile> tiles;  ///< neighbours shared
    std::shared_ptr<const kasc::block::BlockProgram> block;
};

struct FieldScheduleResult {
    std::optional<FieldSchedule> value;
    std::string reason;
};
/// Infeasible, with the reason: calls over different axes, a value wanted where no thread of the kernel computes it,
/// too much recomputation, a walk that the axes do not allow, vectors over an axis that is not contiguous.
[[nodiscard]] FieldScheduleResult schedule_field(const Program& program, const Graph& graph, const Fusion& fusion,
                                                 const FieldChoice& choice);

struct FusionFaults;

/// The same for many choices of one fusion: what no choice changes is found once. The references must outlive it.
class FieldScheduler {
public:
    FieldScheduler(const Program& program, const Graph& graph, const Fusion& fusion);
    [[nodiscard]] FieldScheduleResult with(const FieldChoice& choice) const;
    /// The schedule without a choice, for `choose`.
    [[nodiscard]] const FieldSchedule& open() const { return schedule_; }
    /// Makes of a schedule of this fusion, whatever its choice, the one with this choice: `with`, where most schedules
    /// are only looked at. Why it is not feasible; empty: it is.
    [[nodiscard]] std::string choose(const FieldChoice& choice, FieldSchedule& schedule) const;
    [[nodiscard]] std::size_t axes() const { return schedule_.axes.size(); }
    /// Set where the kernel folds its cells: it has no choice but this one.
    [[nodiscard]] std::optional<FieldChoice> choice_of_fold(bool cpu) const;
    /// Why no choice is feasible; empty: some may be.
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    const Program& program_;
    const Graph& graph_;
    FieldSchedule schedule_;  ///< without a choice
    std::string reason_;
    std::shared_ptr<const FusionFaults> faults_;
    /// Paths of choices that were made before.
    mutable std::map<std::tuple<Path, int, bool, bool>, std::shared_ptr<const CellProgram>> paths_;

    mutable std::shared_ptr<const block::BlockProgram> cells_alone_;  ///< of choices without tiles

    [[nodiscard]] std::shared_ptr<const CellProgram> path(const CellView& view) const;
    void find_paths(FieldSchedule& schedule) const;
};

/// The schedule is of a statement that folds its cells.
[[nodiscard]] const Fold* fold_of(const FieldSchedule& schedule, const Graph& graph);

/// Choices worth scheduling for a kernel over so many axes, feasible or not, in a fixed order. Grids stay within CUDA's
/// limit of 65535 blocks in y and z while the second extent is below 65535 * threads_y and the third below 65535; axes
/// from the fourth on are folded into the grid's x, which has no such limit.
[[nodiscard]] std::vector<FieldChoice> field_choices(std::size_t axes, bool cpu);
/// The same with what the wish says in place of their own; at least one.
[[nodiscard]] std::vector<FieldChoice> field_choices(std::size_t axes, bool cpu, const ChoiceWish& wish);

[[nodiscard]] std::string print(const FieldSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
