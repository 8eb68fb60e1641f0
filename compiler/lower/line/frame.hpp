#pragma once
// What the parts of a kernel of whole lines share: where threads stand, what things are called, what threads hold.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lower/field/fold.hpp"
#include "schedule/line/schedule.hpp"

namespace kasc::kernel {

/// The kernel while it is written. Its parts, the cells of a pass, its joins and its words, go on with one context.
class LineFrame {
public:
    LineFrame(const LineSchedule& schedule, const Program& program, const Graph& graph);

protected:
    const LineSchedule& schedule_;
    const LineWork& work_;
    const Program& program_;
    const std::vector<ValueId> again_;  ///< inputs that several passes read
    std::unique_ptr<FieldContext> context_;
    std::map<ValueId, std::string> words_;  ///< by value, the thread's array of its line's word
    Body private_;                          ///< what each thread has across barriers
    std::vector<std::string> region_names_;
    std::vector<Type> region_types_;

    [[nodiscard]] FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part);
    [[nodiscard]] const std::string& variable_name(ValueId value);
    [[nodiscard]] Type word_register(ValueId value);
    [[nodiscard]] std::string coordinate(AxisId axis);
    [[nodiscard]] std::string held_name(ValueId value);
    [[nodiscard]] std::string ahead_name(ValueId value);
    void keep_word(const FieldCall& call);
    void name_region(const std::string& n, Type type);
    [[nodiscard]] ExprRef lane() const;
    /// The thread is the first of its team; null: it is alone.
    [[nodiscard]] ExprRef is_first() const;
    [[nodiscard]] ExprRef team() const;
    /// Of the block's.
    [[nodiscard]] ExprRef line() const;
    [[nodiscard]] ExprRef first_line();
    [[nodiscard]] ExprRef from();
    [[nodiscard]] ExprRef at();
    /// Of a line; of one whose cells are held as many as there are teams at most.
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

[[nodiscard]] bool holds(const std::vector<ValueId>& values, ValueId value);

}  // namespace kasc::kernel
