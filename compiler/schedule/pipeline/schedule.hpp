#pragma once
// A kernel whose blocks go through the grid plane by plane along the last axis, each stage so many planes behind the
// one that it reads. A value that is read at neighbours is computed once for each cell of the block and of a halo
// around it, and is kept by the block for as long as later stages look at it:
//
//   v = f(T[z-1 … z+1], …)       load     T    plane p       halo 2      T_queue  registers, planes p - 2 … p
//   w = f(v[z-1 … z+1], …)       stage 0  v    plane p - 1   halo 1      T_ring   shared, planes p - 1, p
//                                stage 1  w    plane p - 2   halo 0      v_queue, v_ring
//
// A thread has the same cells of every plane, so that what it reads along the walk never leaves its registers; what it
// reads beside them lies in a ring of planes in shared memory. One barrier a plane. Several steps of a time loop stand
// behind each other in the same way (rewrite/steps).
//
// Where a thread has several cells of a row that lie beside each other, and a row of the block's threads lies in a
// warp, what is read beside them in the row comes by shuffles. Over two axes that is all: no ring, no barrier. Where
// there are rings, what is loaded is fetched into one while the plane before it is computed, and registers hold what is
// read of it along the walk alone.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

/// How much of a value a block computes or loads: planes behind the one that is loaded, cells beyond the block's own on
/// either side along each tiled axis, planes in front of the block's first and behind its last.
struct PipelineExtent {
    int lag = 0;
    std::vector<int> halo;
    int planes_before = 0, planes_behind = 0;
};

/// How many cells beyond the faces of an axis are looked at.
struct CellsBeyond {
    int low = 0, high = 0;
    [[nodiscard]] bool any() const { return low > 0 || high > 0; }
};

/// A value that is kept from plane to plane. The plane of age 0 is the one that was made last.
struct KeptPlanes {
    ValueId value;
    bool loaded = false;  ///< from memory; else a stage computes it
    PipelineExtent extent;
    int queue = 1;         ///< ages 0 … queue - 1 in registers of the thread that has the cell
    int delay = 0;         ///< the plane of this age is left in shared memory,
    int copies = 0;        ///< of which as many lie there; 0: nobody reads it beside its own cell
    bool in_rows = true;   ///< nobody reads it in another row than its own
    int oldest = 0;        ///< age at which it is read last
    bool at_cells = true;  ///< nobody reads it but at its own cell
    int word_registers = 1;
    CellsBeyond rows_beyond{};  ///< along the second axis
};

/// Calls at one plane, with one halo: scheduled as a kernel of its own would be, cell by cell.
struct PipelineStage {
    FieldSchedule cells;
    PipelineExtent extent;
};

struct PipelineWork {
    Fusion fusion;
    std::vector<AxisId> axes;      ///< of the kernel, in the order of memory; the last is walked
    std::vector<bool> around;      ///< by axis: what is read at neighbours goes round from one end to the other
    std::vector<KeptPlanes> kept;  ///< those that are loaded first
    std::map<ValueId, std::size_t> kept_of;  ///< by value: among `kept`, what it is read from
    std::vector<PipelineStage> stages;
    std::map<ValueId, ValueId> copies;         ///< by what is a copy, as a former time level is, what it is read as
    std::vector<int> halo;                     ///< by tiled axis: of all that is kept
    std::vector<int> computed;                 ///< by tiled axis: halo of what stages make
    int planes_before = 0, planes_behind = 0;  ///< that the walk goes through besides those of the block
    std::vector<int> beside;                   ///< by tiled axis: how far anything is read beside its cell

    [[nodiscard]] std::size_t tiled() const { return axes.size() - 1; }
    /// The planes of the value, or of what it is a copy of; null: it is not kept.
    [[nodiscard]] const KeptPlanes* find(ValueId value) const;
};

struct PipelineWorkResult {
    std::shared_ptr<const PipelineWork> value;  ///< null: see reason
    std::string reason;
};
/// Infeasible, with the reason: one or more than three axes, calls that fold, that assign some cells, or whose cells
/// are complex; fields of which some go round along an axis and others do not; nothing that is read beside its own
/// cell; fewer stages than are asked for.
[[nodiscard]] PipelineWorkResult pipeline_work(const Program& program, const Graph& graph, const Fusion& fusion,
                                               std::size_t least_stages = 1);

/// Threads, or vectors, of a plane: those of [left, right) × [top, bottom).
struct PlaneRectangle {
    int left = 0, top = 0, right = 0, bottom = 0;
    [[nodiscard]] int width() const { return right - left; }
    [[nodiscard]] int height() const { return bottom - top; }
    [[nodiscard]] int count() const { return width() * height(); }
    friend bool operator==(const PlaneRectangle&, const PlaneRectangle&) = default;
};

/// Planes of a value that a thread has in registers: those of ages first … end - 1.
struct QueuedPlanes {
    int first = 0, end = 0;
    [[nodiscard]] int count() const { return end - first; }
    [[nodiscard]] bool has(int age) const { return first <= age && age < end; }
};

/// A plane of a value in shared memory, row by row: cells that threads have, and around them those that are fetched for
/// others to look at.
struct PlaneLayout {
    int columns = 0, rows = 0;
    int left = 0, above = 0;  ///< of the first cell that a thread has
    int margin = 0;           ///< words in front of the plane and behind it, that cells at its rim look at, if any do
    [[nodiscard]] int cells() const { return columns * rows; }
    [[nodiscard]] int words() const { return cells() + 2 * margin; }
    /// The first cell that a thread has, from the plane's first cell on.
    [[nodiscard]] int cells_before() const { return above * columns + left; }
    [[nodiscard]] int first_cell() const { return margin + cells_before(); }
};

struct PipelineSchedule {
    PipelineSchedule(std::shared_ptr<const PipelineWork> of, const FieldChoice& chosen);

    std::shared_ptr<const PipelineWork> work;
    /// Walk `pipeline` (search/choice.hpp), `ahead` is known. Another chunk or unrolling leaves all below as it is,
    /// `ahead` is set by fetch_ahead().
    FieldChoice choice;
    std::shared_ptr<const block::BlockProgram> block;
    /// From the plane that a vector is loaded of to the one that a cache asks memory for; 0: none, where threads have
    /// no vectors or several planes are fetched ahead.
    int planes_sent_for = 0;

    void fetch_ahead(int planes);

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
    [[nodiscard]] int threads() const { return choice.threads_x * choice.threads_y; }
    /// Cells of a thread in a plane.
    [[nodiscard]] int cells_of_thread() const { return choice.vector * choice.rows; }
    /// Cells of a plane that threads have along a tiled axis, a halo on both sides included: of what stages make where
    /// the rest is fetched, else of all that is kept.
    [[nodiscard]] int cells(std::size_t axis) const;
    /// On either side: of whole threads, so that vectors of the block stand where vectors of the grid do.
    [[nodiscard]] int halo(std::size_t axis) const { return shape_.halo[axis]; }
    /// Cells beyond it, on either side, that are fetched alone.
    [[nodiscard]] int beyond(std::size_t axis) const { return shape_.beyond[axis]; }
    /// The block's own cells among those of threads.
    [[nodiscard]] int own(std::size_t axis) const { return cells(axis) - 2 * halo(axis); }
    /// Words beside those of a thread in its rows come from the threads beside, but for what is fetched around all of
    /// them: no thread has it.
    [[nodiscard]] bool by_shuffles() const { return shape_.by_shuffles; }
    [[nodiscard]] bool by_shuffles(const KeptPlanes& kept) const { return by_shuffles() && !is_wider(kept); }
    /// A value that is wanted at cells that no thread has.
    [[nodiscard]] bool is_wider(const KeptPlanes& kept) const;
    /// Planes of a value in registers of the thread: where these are few, not those that its ring has as well.
    [[nodiscard]] QueuedPlanes queue(const KeptPlanes& kept) const;
    /// Planes of a value in shared memory.
    [[nodiscard]] int copies(const KeptPlanes& kept) const;
    /// By value that is kept, in their order.
    [[nodiscard]] const std::vector<int>& all_copies() const { return shape_.copies; }
    /// A value that comes into its ring from memory, while the plane before it is computed.
    [[nodiscard]] bool is_fetched(const KeptPlanes& kept) const;
    [[nodiscard]] bool fetches() const { return shape_.fetches; }  ///< some value is
    /// Around a plane of its ring lies what cells beyond the faces of both axes are seen as, so that stages look at
    /// them as at others.
    [[nodiscard]] bool has_images(const KeptPlanes& kept) const;
    /// How many planes before the iteration's own the ring got that of an age.
    [[nodiscard]] int turns_before(const KeptPlanes& kept, int age) const {
        return is_fetched(kept) ? age : age - kept.delay;
    }
    /// By how many turns before the iteration's own a ring's oldest plane is read.
    [[nodiscard]] int oldest_turn(const KeptPlanes& kept) const;
    [[nodiscard]] PlaneLayout layout(const KeptPlanes& kept) const;

    /// Threads are numbered from the block's own cells outwards, those of the halo of each stage behind those of the
    /// stages that need less, so that those a stage needs are the first ones. From inside out; empty: row by row.
    [[nodiscard]] std::vector<PlaneRectangle> frames() const;
    /// The threads that have cells of this extent.
    [[nodiscard]] PlaneRectangle threads_with(const PipelineExtent& extent) const;
    /// Threads that compute such cells, in whole warps.
    [[nodiscard]] int threads_of(const PipelineExtent& extent) const;
    /// Rows of threads, at either end, of which none does where threads are numbered row by row.
    [[nodiscard]] int idle_rows(const PipelineExtent& extent) const;
    /// Cells of a row that are fetched together: planes are fetched vector by vector, by all threads in turn.
    [[nodiscard]] int fetched_together() const { return shape_.fetched_together; }
    /// Cells of which a row of the grid is a multiple where all of it is vectors.
    [[nodiscard]] int whole_cells() const { return fetches() ? fetched_together() : choice.vector; }
    /// That a thread can have.
    [[nodiscard]] int most_registers() const;
    /// All planes that a thread reads at its own cells, and what else it needs, are more than it has registers.
    [[nodiscard]] bool has_few_registers() const { return shape_.has_few_registers; }
    /// Iterations of a walk through a block's planes.
    [[nodiscard]] int iterations() const { return choice.chunk + work->planes_before + work->planes_behind; }

private:
    /// What all values are asked of in turn, thousands of schedules a search: known once.
    struct Shape {
        bool by_shuffles = false, fetches = false, has_few_registers = false;
        std::array<int, 2> halo{}, beyond{};  ///< by tiled axis
        int fetched_together = 1;
        std::vector<int> copies{};
    };
    Shape shape_;

    [[nodiscard]] std::vector<int> find_copies() const;
};

struct PipelineScheduleResult {
    std::optional<PipelineSchedule> value;
    std::string reason;
};
/// Schedules of one pipeline. Those that differ in their chunk and in how they are unrolled share all but the number of
/// iterations, and blocks that differ in the sizes of their planes alone their barriers.
class PipelineScheduler {
public:
    /// The references must outlive it.
    PipelineScheduler(std::shared_ptr<const PipelineWork> work, const Program& program, const Graph& graph,
                      int most_shared_bytes);
    [[nodiscard]] PipelineScheduleResult with(const FieldChoice& choice);
    /// The same without the steps of its block, which has its regions alone: enough to say what it takes at least.
    [[nodiscard]] PipelineScheduleResult open(const FieldChoice& choice);

private:
    std::shared_ptr<const PipelineWork> work_;
    const Program& program_;
    const Graph& graph_;
    int most_shared_bytes_;
    std::map<FieldChoice, PipelineScheduleResult> opened_, by_shape_;
    std::vector<std::shared_ptr<const block::BlockProgram>> blocks_;  ///< that touch differently

    [[nodiscard]] const PipelineScheduleResult& open_shape(const FieldChoice& shape);
    [[nodiscard]] PipelineScheduleResult with_shape(const FieldChoice& choice);
    [[nodiscard]] std::shared_ptr<const block::BlockProgram> with_barriers(block::BlockProgram block);
};
[[nodiscard]] PipelineScheduleResult schedule_pipeline(std::shared_ptr<const PipelineWork> work,
                                                       const FieldChoice& choice, const Program& program,
                                                       const Graph& graph, int most_shared_bytes);

/// What all of a schedule depends on but the number of its iterations.
[[nodiscard]] FieldChoice shape_of(FieldChoice choice);

/// Choices worth scheduling, in a fixed order.
[[nodiscard]] std::vector<FieldChoice> pipeline_choices(const PipelineWork& work);

/// How a read along the walk lies about its own plane: [low, high], with the images of planes beyond the grid.
struct PlanesRead {
    int low = 0, high = 0;
};
/// `hidden`: cells that would read beyond the grid keep their former value.
[[nodiscard]] PlanesRead planes_read(BoundaryKind kind, int step, bool hidden);
/// The call keeps as many layers of its target along this axis as the read steps towards them.
[[nodiscard]] bool hides_step(const FieldCall& call, std::size_t axis, int step);
/// Some cell of the stage that needs the word would look beyond the end of the grid, where it sees another cell. At the
/// other places a step along the axis is a step in the block's planes.
[[nodiscard]] bool may_cross_face(const PipelineWork& work, const PipelineStage& stage, ValueId value, std::size_t axis,
                                  int step);

[[nodiscard]] std::string print(const PipelineSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
