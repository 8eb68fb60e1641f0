#pragma once
// What the parts of a pipeline's kernel share: where blocks, threads and their rows stand, and what is called how.

#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lower/field/cell.hpp"
#include "schedule/pipeline/schedule.hpp"

namespace kasc::kernel {

/// The kernel while it is written. Its stages go on with one context.
class PipelineFrame {
public:
    /// `wide`: a plane may have more cells than 32 bits count.
    PipelineFrame(const PipelineSchedule& schedule, const Program& program, const Graph& graph, bool wide);

protected:
    const bool wide_;
    const PipelineSchedule& schedule_;
    const PipelineWork& work_;
    const Program& program_;
    const Graph& graph_;
    std::unique_ptr<FieldContext> context_;
    ExprRef plane_;                   ///< that is loaded in the iteration
    ExprRef row_;                     ///< of the thread's, the one at hand
    Body arrays_;                     ///< of each thread, across barriers
    std::set<std::string> declared_;  ///< constants of the body that is written

    void go_on_with(const PipelineStage& stage);
    [[nodiscard]] ExprRef named(const std::string& key, const std::string& wish) {
        return name(context_->once(key, wish));
    }
    [[nodiscard]] std::size_t walk() const { return work_.tiled(); }
    [[nodiscard]] int rows() const { return schedule_.choice.rows; }
    [[nodiscard]] const std::string& variable(ValueId value) const;
    [[nodiscard]] Type type_of(ValueId value) const { return register_type(context_->cell_type(value)); }

    // --- places ---

    /// The block's first cell along an axis, halo included; of its planes the first that it stores, and behind the
    /// last.
    ExprRef first(std::size_t axis);
    ExprRef last() { return named("last", context_->coordinate(walk()) + "_last"); }
    /// The thread's cell among those of the block's plane, along a tiled axis.
    ExprRef own(std::size_t axis) { return named(fmt::format("own {}", axis), axis == 0 ? "column" : "row"); }
    /// Where it is, also beyond the grid.
    ExprRef at(std::size_t axis) { return named(fmt::format("at {}", axis), context_->coordinate(axis) + "_at"); }
    /// Its number in the block's plane.
    ExprRef cell() { return named("cell of plane", "cell"); }
    /// Block level: where the block stands. `grid`: how many there are.
    Body place(std::array<ExprRef, 3>& grid);
    /// On the grid: the cell itself, or where it lies beyond, one that is there.
    ExprRef on_grid(std::size_t axis, const ExprRef& place);
    /// Thread level: the body for each row of the thread, with its place in the block's plane and on the grid.
    Body each_row(Body body);
    /// Cells from one plane of memory to the next; the thread's cell within one, the same for all planes.
    ExprRef plane_stride();
    ExprRef in_plane() { return element(context_->once("in plane", "in_plane"), row_); }
    ExprRef index_in(const ExprRef& plane) { return add(multiply(wide(plane), plane_stride()), in_plane()); }

    // --- what is kept ---

    /// The plane that is left in a ring, or was so many iterations before.
    ExprRef slot(int before) {
        return named(fmt::format("slot {}", before), before == 0 ? "slot" : fmt::format("slot_m{}", before));
    }
    std::string queue_name(ValueId value);
    std::string ahead_name(ValueId value);
    std::string ring_name(ValueId value);
    /// `row`: of the thread, from the one at hand.
    ExprRef queued(ValueId value, int age, int row = 0);
    /// In memory, of the thread's cell.
    ExprRef word_of_plane(const KeptPlanes& kept, const ExprRef& plane, Body& body);

    // --- what is the same for all planes: a bit for each row of the thread ---

    struct Mask {
        std::string key, array;
        ExprRef condition;  ///< on coordinates along the tiled axes
    };
    std::vector<Mask> masks_;
    /// The bits of the rows of which the condition holds.
    ExprRef mask(const std::string& key, const std::string& wish, const ExprRef& condition);
    ExprRef has_bit(const ExprRef& bits);
    /// Rows that are the block's own, and on the grid.
    ExprRef own_rows();

private:
    void place_along(Body& body, std::size_t axis);
};

}  // namespace kasc::kernel
