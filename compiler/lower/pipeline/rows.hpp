#pragma once
// Rows that a stage reads, where a thread has several cells of one: its own words of a row and so many beside them, in
// registers, from which each of its cells takes what it reads along the row.
//
//   T_row    T[-1] | T T T T | T[+4]        own words from the queue, those beside from the threads beside, or the ring
//   T_row_2  T[0, 1] …                      a row that another thread has: from the ring, as vectors
//
// Cells beyond the grid lie around it in rings (images.hpp); of what threads exchange an image is one of the words at
// hand.

#include <compare>
#include <map>
#include <set>
#include <string>

#include "lower/pipeline/frame.hpp"

namespace kasc::kernel {

class PipelineRows : public PipelineFrame {
public:
    using PipelineFrame::PipelineFrame;

protected:
    /// A row of a kept value, `row` rows beside the thread's own, of a plane of this age.
    struct RowOf {
        ValueId value;
        int row = 0, age = 0;
        auto operator<=>(const RowOf&) const = default;
    };
    /// Words beside those of the thread, and how far beyond the grid some cell looks.
    struct Beside {
        int low = 0, high = 0;
        CellsBeyond beyond;
        const Faces* faces = nullptr;
    };

    /// A read along an axis may see another cell than the one at that step: beyond the grid. Where a value stands
    /// there, whatever is read is not looked at.
    [[nodiscard]] bool crosses(const PipelineStage& stage, ValueId value, std::size_t axis, int step) const {
        if (is_within(axis) || !may_cross_face(work_, stage, value, axis, step)) return false;
        return !lane_ || context_->shape(value).faces[axis].crossed_by(step).kind != BoundaryKind::value;
    }
    /// What a read sees along an axis beyond a face with a value is at hand.
    [[nodiscard]] bool finds_value(const FieldRead& read, std::size_t axis) const;
    /// From here on rows are those that this stage reads.
    void hold_rows_of(const PipelineStage& stage);
    /// The word of a row that is held, `step` cells beside the one at hand.
    ExprRef in_row(const RowOf& row, int step);
    /// Thread level, in front of a row's cells: rows that are not exchanged.
    Body rows_filled();
    /// Block level: rows whose words the threads of a warp give each other.
    Body rows_exchanged();
    [[nodiscard]] bool exchanges() const;

private:
    std::map<RowOf, Beside> rows_;
    std::set<std::string> row_arrays_;

    void hold(const PipelineStage& stage, const FieldRead& read);
    /// The thread's own rows of planes that it has, where a row of threads lies in a warp.
    [[nodiscard]] bool is_exchanged(const RowOf& row) const {
        const KeptPlanes& kept = *work_.find(row.value);
        return schedule_.by_shuffles(kept) && row.row == 0 && schedule_.queue(kept).has(row.age);
    }
    /// Rows beside, of those that the thread itself has, may lie beyond the grid, where the ring has what is seen; of
    /// two rows own_images() puts it in place.
    [[nodiscard]] bool has_images_alone(const RowOf& row) const {
        return !cells_inside_ && row.row != 0 && rows() > 2 && schedule_.has_images(*work_.find(row.value));
    }
    /// What lies beyond the grid of a row, put in place. `first_word`: of the thread's own. `unit`: rows of the grid
    /// are whole pieces of so many cells.
    Body ends(const RowOf& row, const Beside& beside, const ExprRef& first_word);
    Body ends(const RowOf& row, const Beside& beside, const ExprRef& first_word, int unit);
    /// Where the grid is as wide as the longest step; where it has so few cells.
    Body ends_apart(const RowOf& row, const Beside& beside, const ExprRef& first_word, int unit);
    Body ends_of_narrow(const RowOf& row, const Beside& beside, const ExprRef& first_word, int cells);
    ExprRef word_at(const RowOf& row, const ExprRef& first_word, int step);
    ExprRef seen_beyond(const RowOf& row, const Face& face, ExprRef image, bool turned);
    [[nodiscard]] int words(const Beside& beside) const { return beside.low + vector() + beside.high; }
    std::string row_name(const RowOf& row);
    ExprRef in_ring(const RowOf& row, int step);
    Body filled(const RowOf& row, const Beside& beside);
};

}  // namespace kasc::kernel
