#pragma once
// What the parts of a pipeline's kernel share: where blocks, threads and their rows stand, and what is called how.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lower/field/cell.hpp"
#include "schedule/pipeline/schedule.hpp"

namespace kasc::kernel {

/// Which grids a kernel is for. `wide`: they may have more cells than 32 bits count. `whole`: their rows are pieces of
/// as many cells as a thread has side by side, or are fetched together; none: it asks.
struct PipelineGrids {
    bool wide = false;
    std::optional<bool> whole;
};

/// The kernel while it is written. Its stages go on with one context.
class PipelineFrame {
public:
    PipelineFrame(const PipelineSchedule& schedule, const Program& program, const Graph& graph, PipelineGrids grids);

protected:
    const bool wide_;
    const std::optional<bool> whole_;
    const PipelineSchedule& schedule_;
    const PipelineWork& work_;
    const Program& program_;
    const Graph& graph_;
    std::unique_ptr<FieldContext> context_;
    ExprRef plane_;  ///< that is loaded in the iteration
    ExprRef row_;    ///< of the thread's, the one at hand
    ExprRef lane_;   ///< of its cells in the row; null: it has one
    /// What is written is for blocks that lie within the grid with all cells of their planes, outside of the layers
    /// that calls keep; for planes at which all stages are under way, likewise.
    bool cells_inside_ = false, planes_inside_ = false;
    [[nodiscard]] bool is_within(std::size_t axis) const { return axis == walk() ? planes_inside_ : cells_inside_; }
    Body arrays_;                     ///< of each thread, across barriers
    std::set<std::string> declared_;  ///< constants of the body that is written

    void go_on_with(const PipelineStage& stage);
    [[nodiscard]] ExprRef named(const std::string& key, const std::string& wish) {
        return name(context_->once(key, wish));
    }
    [[nodiscard]] std::size_t walk() const { return work_.tiled(); }
    [[nodiscard]] int rows() const { return schedule_.choice.rows; }
    [[nodiscard]] int vector() const { return schedule_.choice.vector; }
    /// The cell at hand among those of the thread.
    [[nodiscard]] ExprRef number_in_thread() const {
        return lane_ ? add(multiply(row_, integer(vector())), lane_) : row_;
    }
    [[nodiscard]] const std::string& variable(ValueId value) const;
    /// What registers hold of it: as vectors are loaded, where the thread has them.
    [[nodiscard]] Type type_of(ValueId value) const {
        const CellType type = context_->cell_type(value);
        return lane_ ? row_type(type) : register_type(type);
    }

    // --- places ---

    ExprRef thread_row();

    /// The block's first cell along an axis, halo included; of its planes the first that it stores, and behind the
    /// last.
    ExprRef first(std::size_t axis);
    ExprRef last() { return named("last", context_->coordinate(walk()) + "_last"); }
    /// The thread's cell among those of the block's plane, along a tiled axis.
    ExprRef own(std::size_t axis) { return named(fmt::format("own {}", axis), axis == 0 ? "column" : "row"); }
    /// Where it is, also beyond the grid.
    ExprRef at(std::size_t axis) { return named(fmt::format("at {}", axis), context_->coordinate(axis) + "_at"); }
    /// Its number in a plane of shared memory, from the first cell on that threads have; of the first cell of the row
    /// at hand.
    ExprRef cell_of(int columns) { return named(fmt::format("cell of {}", columns), "cell"); }
    ExprRef first_cell_of(int columns) {
        return lane_ ? named(fmt::format("first cell of {}", columns), "first_cell") : cell_of(columns);
    }
    ExprRef cell(const KeptPlanes& kept) { return cell_of(schedule_.layout(kept).columns); }
    ExprRef first_cell(const KeptPlanes& kept) { return first_cell_of(schedule_.layout(kept).columns); }
    /// Block level: where the block stands. `grid`: how many there are.
    Body place(std::array<ExprRef, 3>& grid);
    /// On the grid: the cell itself, or where it lies beyond, one that is there.
    ExprRef on_grid(std::size_t axis, const ExprRef& place);
    /// Thread level: the body for each cell of the thread, with its place in the block's plane and on the grid.
    Body each_cell(Body body) { return each_row({}, std::move(body), {}); }
    /// With what stands before the cells of a row, and behind them.
    Body each_row(Body before, Body cells, Body behind);
    /// Cells from one plane of memory to the next.
    ExprRef plane_stride();
    /// Thread level: which cells the thread has, where threads are numbered frame by frame.
    Body placed_in_frames();

    /// Within a plane of memory, the same for all planes: the cell at hand; where the thread has several of a row, the
    /// first of them.
    ExprRef in_plane() { return element(context_->once("in plane", "in_plane"), row_); }
    /// The cell of the row at hand with this coordinate along the first axis.
    ExprRef place_in_plane(const ExprRef& x);
    /// In memory, the cell at hand; the vector of a row.
    ExprRef index_in(const ExprRef& plane) {
        return add(multiply(counted(plane), plane_stride()),
                   lane_ ? place_in_plane(name(context_->coordinate(std::size_t{0}))) : in_plane());
    }
    ExprRef index_of_row(const ExprRef& plane) { return add(multiply(counted(plane), plane_stride()), in_plane()); }
    /// Thread level, named in the body. Added to a pointer by parts it would be a sum of 64 bits.
    ExprRef place_in_memory(Body& body, const std::string& key, const ExprRef& plane, const ExprRef& in_plane_of_it);
    /// A number of which cells of the grid are counted.
    ExprRef counted(const ExprRef& number) { return wide_ ? wide(number) : number; }
    /// Registers are few: without a hint a number that all planes need is computed anew at each of them.
    ExprRef kept_in_registers(const ExprRef& number) {
        return wide_ ? number : math_call(whole_function::kept, {number});
    }
    /// Block level: the block lies within the grid with its halo, outside of the layers that calls keep. Planes, from a
    /// first to before a last, where all stages are under way there.
    Body steadiness();
    /// Where rows of the grid are whole vectors of so many cells; else the other.
    ExprRef where_vectors(int cells, const ExprRef& then, const ExprRef& otherwise);
    Body where_vectors(int cells, Body then, Body otherwise);
    /// The nearest vector of the grid, or that which is there where it goes round: vectors of a block lie on the grid
    /// or beyond it as a whole.
    ExprRef vector_on_grid(const ExprRef& place, int cells);
    ExprRef has_cells_inside();
    ExprRef has_planes_inside();
    /// The planes that are loaded next lie on the grid.
    ExprRef has_planes_to_ask_for();
    ExprRef begins_to_ask() { return binary(">=", plane_, integer(asked_from_)); }

    // --- what is kept ---

    /// Where in a value's ring the plane of the iteration lies, or that of some iterations before: the first cell that
    /// threads have; below 0: of the one that is fetched now. Rings of one length and one layout share it.
    ExprRef slot(const KeptPlanes& kept, int before) {
        const PlaneLayout layout = schedule_.layout(kept);
        return named(
            fmt::format("slot {} {} {} {}", schedule_.copies(kept), layout.words(), layout.first_cell(), before),
            before == 0  ? "slot"
            : before < 0 ? "slot_next"
                         : fmt::format("slot_m{}", before));
    }
    /// Where the ring of a value has the plane of this age.
    ExprRef slot_of(const KeptPlanes& kept, int age) { return slot(kept, schedule_.turns_before(kept, age)); }
    std::string queue_name(ValueId value);
    std::string ahead_name(ValueId value);
    std::string ring_name(ValueId value);
    /// `row`: of the thread, from the one at hand.
    ExprRef queued(ValueId value, int age, int row = 0);
    /// Where the row at hand begins in a queue.
    ExprRef row_of_queue(const KeptPlanes& kept, int age) {
        const std::int64_t plane = age - schedule_.queue(kept).first;
        return add(integer(plane * rows() * vector()), multiply(row_, integer(vector())));
    }
    /// Where the plane that is loaded next lies on the grid.
    ExprRef plane_ahead(const KeptPlanes& kept, const ExprRef& plane, Body& body);

    // --- what is the same for all planes: a bit for each cell of the thread ---

    struct Mask {
        std::string key, array;
        ExprRef condition;  ///< on coordinates along the tiled axes
    };
    std::vector<Mask> masks_;
    /// The bits of the cells of which the condition holds.
    ExprRef mask(const std::string& key, const std::string& wish, const ExprRef& condition);
    /// That of the cell with this number.
    ExprRef has_bit(const ExprRef& bits, const ExprRef& number);
    /// Cells that are the block's own, and on the grid.
    ExprRef own_cells();

private:
    /// Rows of the grid are whole vectors of so many cells. None: a question.
    [[nodiscard]] std::optional<bool> has_whole_vectors(int cells) const;
    ExprRef whole_vectors(int cells);
    int asked_from_ = 0;
    const std::vector<PlaneRectangle> frames_;
    std::string thread_column_, thread_row_;  ///< arrays of the thread
    /// The thread's first column and row of the block, in cells.
    ExprRef thread_column();
    void place_along(Body& body, std::size_t axis);
};

}  // namespace kasc::kernel
