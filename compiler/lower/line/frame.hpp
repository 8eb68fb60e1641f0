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
    [[nodiscard]] ExprRef lane() const;
    /// The thread is the first of its team; null: it is alone.
    [[nodiscard]] ExprRef is_first() const;
    [[nodiscard]] ExprRef team() const;
    /// The line's number among the block's.
    [[nodiscard]] ExprRef line() const;
    [[nodiscard]] ExprRef first_line();
    [[nodiscard]] ExprRef from();
    [[nodiscard]] ExprRef at();
    /// Parts of a line; one whose cells are held has as many as there are teams at most.
    [[nodiscard]] ExprRef parts();
    /// The line exists; null: every line of every block does.
    [[nodiscard]] ExprRef is_line();
    /// Blocks along the first axis that is kept.
    [[nodiscard]] ExprRef groups();
    [[nodiscard]] ExprRef grid();
    /// Block level: where the block's lines are.
    Body place();
    /// Thread level: the line of the thread.
    void place_line(Body& body);
    /// The part of the thread's team; what says that it exists, null: it does.
    [[nodiscard]] ExprRef place_part(Body& body);
};

}  // namespace kasc::kernel
