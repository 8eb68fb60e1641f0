#pragma once
// What lies beside the grid in rings of planes: rows beyond a face of the second axis hold what calls see there, so
// that stages at the rim look at them as at others.
//
//   mirror, keep       the row that is seen there: whoever leaves it in the ring, or fetches it, does so at its images
//                      as well. -1 -2 | 0 1 2: what has rows 0 and 1 writes them to -1 and -2, too
//   value              the value, which is there from the start: nobody writes beyond such a face
//
// Numbers behind odd mirrors have their own sign there: readers turn them. Words beyond the ends of rows are put in
// place where rows are read (rows.hpp).

#include "lower/pipeline/rows.hpp"

namespace kasc::kernel {

class PipelineImages : public PipelineRows {
public:
    using PipelineRows::PipelineRows;

protected:
    /// How far rows beyond the faces are images of others.
    [[nodiscard]] CellsBeyond images(const KeptPlanes& kept) const;
    /// They are the same ones, of the same rows.
    [[nodiscard]] bool have_same_images(const KeptPlanes& one, const KeptPlanes& other) const;
    /// The row of the grid that is seen at a place, which is on the grid or has an image.
    ExprRef row_seen(const KeptPlanes& kept, const ExprRef& place);
    /// The place is beyond a face with a value; null: it never is.
    ExprRef holds_value(const KeptPlanes& kept, const ExprRef& place);

    /// Thread level: rings as they are before the first plane: as if zeros had been computed, beside them the values of
    /// faces.
    Body cleared();
    /// Thread level: planes that others look at next.
    Body left();
    /// Thread level, behind the cells of a stage: rows that a thread has beyond the grid beside others on it.
    Body own_images(const PipelineStage& stage);

private:
    [[nodiscard]] bool is_left(const KeptPlanes& kept) const {
        return schedule_.copies(kept) > 0 && !schedule_.is_fetched(kept);
    }
    [[nodiscard]] const Faces& faces(const KeptPlanes& kept) const { return context_->shape(kept.value).faces[1]; }
    ExprRef first_word(const KeptPlanes& kept, const ExprRef& at);
    /// The thread's row at hand, from this word of the ring on.
    void store_row(Body& body, const KeptPlanes& kept, const ExprRef& word);
    /// The row at hand in the ring, and at its images.
    Body store_with_images(const KeptPlanes& kept);
    /// Cells of the thread that lie beyond the grid along the second axis, or in rows that have images.
    ExprRef rim();
};

}  // namespace kasc::kernel
