#pragma once
// Rows that a stage reads, where a thread has several cells of one: its own words of a row and so many beside them, in
// registers, from which each of its cells takes what it reads along the row.
//
//   T_row    T[-1] | T T T T | T[+4]        own words from the queue, those beside from the threads beside, or the ring
//   T_row_2  T[0, 1] …                      a row that another thread has: from the ring, as vectors

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lower/pipeline/frame.hpp"

namespace kasc::kernel {

class PipelineRows : public PipelineFrame {
public:
    using PipelineFrame::PipelineFrame;

protected:
    /// A row of a kept value, `row` rows beside the thread's own, of a plane of this age; beyond the grid its image.
    struct RowOf {
        ValueId value;
        int row = 0, age = 0;
        std::optional<BoundaryKind> image{};  ///< none: the row is on the grid
        auto operator<=>(const RowOf&) const = default;
    };
    /// Words beside those of the thread.
    struct Beside {
        int low = 0, high = 0;
    };

    /// What the place of a read along an axis sees may lie beyond the grid.
    [[nodiscard]] bool crosses(const PipelineStage& stage, ValueId value, std::size_t axis, int step) const {
        const bool inside = axis == walk() ? planes_inside_ : cells_inside_;
        return !inside && may_cross_face(work_, stage, value, axis, step);
    }
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
    [[nodiscard]] int words(const Beside& beside) const { return beside.low + vector() + beside.high; }
    std::string row_name(const RowOf& row);
    ExprRef in_ring(const RowOf& row, int step);
    Body filled(const RowOf& row, const Beside& beside);
};

}  // namespace kasc::kernel
