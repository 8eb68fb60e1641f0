#include "lower/line/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"

namespace kasc::kernel {

LineFrame::LineFrame(const LineSchedule& schedule, const Program& program, const Graph& graph)
    : ResultFrame(schedule.work->passes.front().cells, schedule.fusion(), program, graph),
      schedule_(schedule),
      work_(*schedule.work),
      again_(read_again(work_)) {}

std::string LineFrame::held_name(ValueId value) {
    return c().once(fmt::format("held {}", value.index), variable_name(value) + "_held");
}

std::string LineFrame::ahead_name(ValueId value) {
    return c().once(fmt::format("ahead {}", value.index), variable_name(value) + "_ahead");
}

void LineFrame::keep_word(const FieldCall& call) {
    words_[call.value] = c().once(fmt::format("word {}", call.value.index), variable_name(call.value) + "_word");
    private_.push_back({PrivateArray{words_[call.value], 1, word_register(call.value)}});
    c().hold(call.value, element(words_[call.value], integer(0)));
}

ExprRef LineFrame::lane() const { return schedule_.lanes() > 1 ? thread_index(Dimension::x) : integer(0); }

ExprRef LineFrame::is_first() const { return schedule_.lanes() > 1 ? binary("==", lane(), integer(0)) : nullptr; }

ExprRef LineFrame::team() const { return schedule_.teams() > 1 ? thread_index(Dimension::y) : integer(0); }

ExprRef LineFrame::line() const {
    if (schedule_.lines() == 1) return integer(0);
    return thread_index(schedule_.teams() > 1 ? Dimension::z : Dimension::y);
}

ExprRef LineFrame::first_line() { return name(c().once("first line", coordinate(work_.kept.front()) + "_from")); }

ExprRef LineFrame::from() { return name(c().once("first part", coordinate(work_.parts) + "_from")); }

ExprRef LineFrame::at() { return name(c().once("parts in turn", "at")); }

ExprRef LineFrame::parts() {
    if (!schedule_.holds_cells()) return c().extent(work_.parts);
    return divide(kernel::add(c().extent(work_.along), integer(row_part_cells - 1)), integer(row_part_cells));
}

ExprRef LineFrame::is_line() {
    const AxisId axis = work_.kept.front();
    return schedule_.lines() > 1 ? binary("<", name(coordinate(axis)), c().extent(axis)) : nullptr;
}

ExprRef LineFrame::groups() {
    const int lines = schedule_.lines();
    const ExprRef extent = c().extent(work_.kept.front());
    return lines > 1 ? divide(kernel::add(extent, integer(lines - 1)), integer(lines)) : extent;
}

ExprRef LineFrame::grid() {
    ExprRef blocks = groups();
    for (std::size_t k = 1; k < work_.kept.size(); ++k)
        blocks = multiply(k == 1 ? wide(blocks) : blocks, c().extent(work_.kept[k]));
    return blocks;
}

Body LineFrame::place() {
    Body body;
    ExprRef number = block_index(Dimension::x);
    const auto take = [&](const std::string& n, const ExprRef& count, bool last) {
        body.push_back({Let{Type::i32, n, last ? number : modulo(number, count)}});
        if (!last) number = divide(number, count);
    };
    const bool alone = work_.kept.size() == 1;
    if (schedule_.lines() == 1) {
        take(coordinate(work_.kept.front()), c().extent(work_.kept.front()), alone);
    } else {
        const std::string group = c().once("group of lines", "group");
        take(group, groups(), alone);
        body.push_back({Let{Type::i32, text_of(first_line()), multiply(name(group), integer(schedule_.lines()))}});
    }
    for (std::size_t k = 1; k < work_.kept.size(); ++k)
        take(coordinate(work_.kept[k]), c().extent(work_.kept[k]), k + 1 == work_.kept.size());
    return body;
}

void LineFrame::place_line(Body& body) {
    if (schedule_.lines() > 1)
        body.push_back({Let{Type::i32, coordinate(work_.kept.front()), kernel::add(first_line(), line())}});
}

ExprRef LineFrame::place_part(Body& body) {
    if (schedule_.teams() == 1 && schedule_.holds_cells()) return is_line();
    const ExprRef part = name(coordinate(work_.parts));
    const ExprRef own = schedule_.holds_cells() ? team() : kernel::add(at(), team());
    body.push_back({Let{Type::i32, text_of(part), own}});
    return schedule_.teams() > 1 ? both(is_line(), binary("<", part, parts())) : is_line();
}

}  // namespace kasc::kernel
