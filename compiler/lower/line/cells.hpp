#pragma once
// How a thread comes to the cells of its line's part, and what it does with them.

#include <vector>

#include "lower/line/frame.hpp"

namespace kasc::kernel {

class LineCells : public LineFrame {
public:
    using LineFrame::LineFrame;

protected:
    /// Thread level: all that a pass does with the cells of the thread, its lanes joined into the first word of those
    /// that it exchanges.
    [[nodiscard]] Body cells_of_part(const LinePass& pass, const std::vector<FoldedCall>& folds);
    /// The folds of a pass that are folded along its lines, or across them.
    [[nodiscard]] std::vector<FoldedCall> folds_of_pass(bool across);
    /// What lanes across lines have is kept cell by cell, a row of as many as threads hold for each of them: the row of
    /// this one, and where in it the thread's first cell is.
    [[nodiscard]] ExprRef row_of_lane(const ExprRef& lane) const;
    [[nodiscard]] ExprRef first_in_row() const;
    /// k from 0 to count, unrolled.
    [[nodiscard]] static Statement each(const ExprRef& k, int count, Body body);

private:
    std::vector<ValueId> loaded_;  ///< that threads hold by now

    /// Lanes of a thread that have cells: in a line that is shorter than its lanes, the thread's last ones have none.
    [[nodiscard]] int lanes_of_thread() const;
    /// What is folded of the thread's lanes: those without cells change a number alone that is not one.
    Body joined_lanes_of(const FoldedCall& f);
    /// All cells of the thread, of which it has words in registers. The last groups are left out where a line or part
    /// has fewer.
    Body cells_held(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                    const ExprRef& count);
    /// Cells of a part by its team, some of each thread at a time.
    Body cells_in_turn(const LinePass& pass, const std::vector<FoldedCall>& folds, const ExprRef& first,
                       const ExprRef& count);
    /// Cells that are read together: the number of one among the thread's, and its place among them.
    struct Group {
        ExprRef number, place;
        int cells;
    };
    /// Where a thread's cells stand: from the part's `first` cell on, its own from `begin`. `count`: where set, cells
    /// from there on do not count. `skips`: these are not read; else they read what the part's first cell reads.
    struct Cells {
        ExprRef first, count, begin;
        bool skips = false;
    };
    /// What a group reads is under way together, before anything is computed of it: ptxas moves no load across a
    /// quotient.
    Body group_of(const LinePass& pass, const std::vector<FoldedCall>& folds, const std::vector<ValueId>& read,
                  const Group& group, const Cells& cells);
    /// What later passes take of what this one stores: the threads' arrays, and their words of a cell.
    std::vector<std::pair<std::string, ExprRef>> words_kept(const LinePass& pass, CellWriter& writer);
    [[nodiscard]] ExprRef counts();
    /// Where the thread's first cell is among the lanes across lines.
    [[nodiscard]] ExprRef place_in_lanes();
    /// Where the thread's cell of this number stands along the line.
    Body place_cell(bool needed, const ExprRef& number, const Cells& cells);
    Body loads(const std::vector<ValueId>& values, const ExprRef& number, const ExprRef& place, const Cells& cells,
               bool held);
    /// The word that is read depends on where the cell stands along the line.
    [[nodiscard]] bool depends_on_place(const FieldRead& read) const;
    [[nodiscard]] bool tells_place(const Expression& value) const;
    /// Cells read words that their group does not load for them, or call functions of the library, whose loops may need
    /// what cells have.
    [[nodiscard]] bool reads_elsewhere(const LinePass& pass) const;
    /// Something beside what threads have in registers asks where the cell is.
    [[nodiscard]] bool needs_place(const LinePass& pass, const std::vector<ValueId>& read) const;
};

}  // namespace kasc::kernel
