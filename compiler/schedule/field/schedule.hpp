#pragma once
// One fused kernel over fields: which cells it computes, how threads walk them, what each call needs where.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "graph/graph.hpp"
#include "schedule/field/cell_program.hpp"
#include "schedule/field/walk_parts.hpp"
#include "schedule/field/work.hpp"
#include "search/choice_text.hpp"

namespace kasc {

/// A field whose neighbours the block keeps in shared memory: its cells with a halo, of a column those of one plane.
struct SharedTile {
    ValueId value;
    std::vector<int> low, high;  ///< cells of halo, by tiled axis: the first three, of a column all but the walk
    std::vector<int> cells;      ///< words along each tiled axis, halo and padding included
    int words = 0;               ///< of one plane of a column, else of all
    /// What a thread may read of it, from the first word around its cells on: sorted, distinct.
    std::vector<std::int32_t> read;
};

/// What a thread does for its cells, by path; at the edge: work->edge.
struct FieldPaths {
    std::shared_ptr<const CellProgram> cells;  ///< all of a thread's, in the interior
    std::shared_ptr<const CellProgram> cell;   ///< one, in the interior
    std::shared_ptr<const CellProgram> rim{};  ///< a group of one row near faces that are not the first axis's, or null
    std::shared_ptr<const CellProgram> beside;  ///< of walk `row`: one of a row at the edge
    std::shared_ptr<const CellProgram> ends;    ///< the same: one at an end of a row in the interior
};

struct FieldSchedule {
    std::shared_ptr<const FieldWork> work;
    FieldChoice choice;
    FieldPaths paths;
    WalkParts parts;
    std::vector<SharedTile> tiles;  ///< neighbours shared
    std::shared_ptr<const kasc::block::BlockProgram> block;
    std::shared_ptr<const kasc::block::BlockProgram> prologue{};  ///< where it folds parts; else null

    [[nodiscard]] const FieldPlan& plan() const { return work->plan; }
    [[nodiscard]] const std::vector<AxisId>& axes() const { return work->plan.axes; }
    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    /// What the walk keeps; null: it is another walk.
    template <class Parts>
    [[nodiscard]] const Parts* kept() const {
        return std::get_if<Parts>(&parts);
    }
};

/// Ends of rows for the schedule's groups. Tiles are filled, and rows of a warp loaded, without a look at boundaries
/// along the row.
[[nodiscard]] RowEnds row_ends(const FieldWork& work, const FieldChoice& choice);

struct FieldScheduleResult {
    std::optional<FieldSchedule> value;
    std::string reason;
};
/// Infeasible, with the reason: calls over different axes, a value wanted where no thread of the kernel computes it,
/// too much recomputation, a walk that the axes do not allow, vectors over an axis that is not contiguous.
[[nodiscard]] FieldScheduleResult schedule_field(const Program& program, const Graph& graph, const Fusion& fusion,
                                                 const FieldChoice& choice);

struct FusionFaults;
class FieldWalk;

/// The same for many choices of one fusion: what no choice changes is found once. The references must outlive it.
class FieldScheduler {
public:
    FieldScheduler(const Program& program, const Graph& graph, const Fusion& fusion);
    /// What no choice changes was found before.
    FieldScheduler(const Program& program, const Graph& graph, std::shared_ptr<const FieldWork> work);
    [[nodiscard]] FieldScheduleResult with(const FieldChoice& choice) const;
    /// A schedule without a choice, for `choose`. Requires: no reason.
    [[nodiscard]] FieldSchedule open() const { return {work_, {}, {}, {}, {}, {}, {}}; }
    [[nodiscard]] const FieldWork& work() const { return *work_; }
    /// Makes of a schedule of this fusion, whatever its choice, the one with this choice: `with`, where most schedules
    /// are only looked at. Why it is not feasible; empty: it is.
    [[nodiscard]] std::string choose(const FieldChoice& choice, FieldSchedule& schedule) const;
    /// The number of the kernel's axes; none where there is a reason.
    [[nodiscard]] std::size_t axes() const { return work_ ? work_->plan.axes.size() : 0; }
    /// Set where the kernel folds its cells, or adds entries in pieces: it has this choice, and of a GPU others where
    /// cells of a fold come in groups, and pieces in blocks of other numbers of warps.
    [[nodiscard]] std::optional<FieldChoice> choice_of_fold(bool cpu) const;
    /// By how the threads of a kernel that folds its cells one by one are shared out among results and parts; none: it
    /// folds nothing.
    [[nodiscard]] std::vector<FieldChoice> choices_of_fold(bool cpu) const;
    /// By block, the one of most warps first; none: nothing is added in pieces.
    [[nodiscard]] std::vector<FieldChoice> choices_of_pieces(bool cpu) const;
    [[nodiscard]] std::optional<FieldChoice> groups_of_fold() const;
    /// Some field has all words of a cell beside each other. Requires: no reason.
    [[nodiscard]] bool has_words_of_cells() const;
    /// Why no choice is feasible; empty: some may be.
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    FieldScheduler(const Program& program, const Graph& graph, FieldWorkResult work);

    const Program& program_;
    const Graph& graph_;
    std::shared_ptr<const FieldWork> work_;
    std::string reason_;
    std::shared_ptr<const FusionFaults> faults_;
    /// What a walk makes of a choice.
    struct Walked {
        std::string fault;
        WalkParts parts;
        std::vector<SharedTile> tiles;
        std::map<int, std::shared_ptr<const block::BlockProgram>> blocks;  ///< by iterations of its loop
    };
    mutable std::map<FieldChoice, Walked> walked_;
    /// Prologues of blocks of so many threads.
    mutable std::map<int, std::shared_ptr<const block::BlockProgram>> prologues_;
    mutable std::optional<CellPrograms> programs_;  ///< none where there is a reason
    /// Paths of choices that were made before.
    mutable std::map<CellView, std::shared_ptr<const CellProgram>> paths_;
    mutable std::map<std::tuple<Walk, bool, bool>, std::shared_ptr<const CellProgram>> rims_;

    /// Requires: the schedule has its choice and its paths.
    [[nodiscard]] Walked walk_with(const FieldWalk& walk, FieldSchedule& schedule) const;
    [[nodiscard]] [[nodiscard]] std::shared_ptr<const CellProgram> rim(const FieldChoice& choice) const;
    std::shared_ptr<const CellProgram> path(const CellView& view) const;
    /// Gives the schedule, which has its block, its prologue. Why it cannot; empty: it has one, or needs none.
    [[nodiscard]] std::string add_prologue(FieldSchedule& schedule, const FieldWalk& walk) const;
};

/// What of a kernel decides which choices are worth a schedule.
struct ChoiceCells {
    std::size_t axes = 0;
    bool cpu = false;
    int access_cells = 4;     ///< of the work
    bool crossed = false;     ///< some words lie along the third axis (schedule/field/crossed.hpp)
    long long row_cells = 0;  ///< cells along the first axis; 0: not known
    bool words = false;       ///< some field has words of a cell beside each other (schedule/field/walk/staged.hpp)
};
/// Choices worth scheduling for a kernel, feasible or not, in a fixed order. Grids stay within CUDA's limit of 65535
/// blocks in y and z while the second extent is below 65535 * threads_y and the third below 65535; axes from the fourth
/// on are folded into the grid's x, which has no such limit.
[[nodiscard]] std::vector<FieldChoice> field_choices(const ChoiceCells& cells);
/// The same for a kernel of a GPU whose entries add integers to cells.
[[nodiscard]] std::vector<FieldChoice> histogram_choices(int access_cells);
/// The first of a GPU's whose threads compute a cell each.
[[nodiscard]] FieldChoice cell_by_cell(std::size_t axes);
/// Where rows of so many cells are not made of whole vectors, such choices as they run: with the widest vector that
/// divides them.
[[nodiscard]] std::vector<FieldChoice> with_whole_vectors(std::vector<FieldChoice> choices, long long row_cells);
/// The same with what the wish says in place of their own; at least one.
[[nodiscard]] std::vector<FieldChoice> field_choices(const ChoiceCells& cells, const ChoiceWish& wish);

[[nodiscard]] std::string print(const FieldSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
