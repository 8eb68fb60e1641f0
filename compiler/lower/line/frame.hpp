#pragma once
// What the parts of a kernel of whole lines share: where threads stand, what things are called, what threads hold.

#include <map>
#include <string>
#include <vector>

#include "lower/field/result_frame.hpp"
#include "schedule/line/schedule.hpp"

namespace kasc::kernel {

class LineFrame : protected ResultFrame {
public:
    LineFrame(const LineSchedule& schedule, const Program& program, const Graph& graph);

protected:
    const LineSchedule& schedule_;
    const LineWork& work_;
    const std::vector<ValueId> again_;      ///< inputs that several passes read
    std::map<ValueId, std::string> words_;  ///< by value, the thread's array of its line's word

    [[nodiscard]] std::string held_name(ValueId value);
    [[nodiscard]] std::string ahead_name(ValueId value);
    void keep_word(const FieldCall& call);
    /// Threads of a row lie along x, as its cells; those that have columns beside each other likewise.
    [[nodiscard]] BlockShape block_shape() const;
    [[nodiscard]] ExprRef lane() const;
    /// The thread is the first of its team; null: it is alone.
    [[nodiscard]] ExprRef is_first() const;
    [[nodiscard]] ExprRef team() const;
    /// The line's number among the block's.
    [[nodiscard]] ExprRef line() const;
    /// The block's lines are counted through all axes that are kept: along the first of them alone there may be fewer.
    [[nodiscard]] bool counts_lines() const { return schedule_.lines() > 1 && work_.kept.size() > 1; }
    /// The block's first line: its number, or its place along the one axis that is kept.
    [[nodiscard]] ExprRef first_line();
    [[nodiscard]] ExprRef from();
    [[nodiscard]] ExprRef at();
    /// Where lines are folded across: a block's first line among those that follow each other, how often it takes lines
    /// anew, and which time it is.
    [[nodiscard]] ExprRef first_across();
    [[nodiscard]] ExprRef turns();
    [[nodiscard]] ExprRef turn();
    /// Cells of a line.
    [[nodiscard]] ExprRef length();
    /// Parts of a line; one whose cells are held has as many as there are teams at most.
    [[nodiscard]] ExprRef parts();
    /// The line exists; null: every line of every block does.
    [[nodiscard]] ExprRef is_line();
    [[nodiscard]] ExprRef grid();
    /// Block level: where the block's lines are.
    Body place();
    /// Thread level: the line of the thread.
    void place_line(Body& body);
    /// The part of the thread's team; what says that it exists, null: it does.
    [[nodiscard]] ExprRef place_part(Body& body);

private:
    /// The coordinates along these axes of what has this number among all of them.
    void place_at(Body& body, ExprRef number, const std::vector<AxisId>& axes, bool wide_number);
    [[nodiscard]] ExprRef line_across();
    [[nodiscard]] ExprRef lines_across();
    [[nodiscard]] Body place_across();
    void place_line_across(Body& body);
    /// Lines are counted in 64 bits where they lie along several axes.
    [[nodiscard]] bool counts_across() const { return work_.across->axes.size() > 1; }
    [[nodiscard]] ExprRef parts_across();
    [[nodiscard]] std::vector<AxisId> behind_across() const;
};

}  // namespace kasc::kernel
