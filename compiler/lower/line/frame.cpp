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

ExprRef LineFrame::length() {
    ExprRef cells = c().extent(work_.along);
    for (const AxisId axis : work_.further) cells = multiply(cells, c().extent(axis));
    return cells;
}

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

BlockShape LineFrame::block_shape() const {
    const int lanes = schedule_.lanes(), teams = schedule_.teams(), lines = schedule_.lines();
    if (schedule_.columns()) return {lines, lanes, teams};
    // The third dimension of a block has 64 threads at most.
    return teams > 1 ? BlockShape{lanes, teams, lines} : BlockShape{lanes, lines, 1};
}

ExprRef LineFrame::lane() const {
    if (schedule_.lanes() == 1) return integer(0);
    return thread_index(schedule_.columns() ? Dimension::y : Dimension::x);
}

ExprRef LineFrame::is_first() const { return schedule_.lanes() > 1 ? binary("==", lane(), integer(0)) : nullptr; }

ExprRef LineFrame::team() const {
    if (schedule_.teams() == 1) return integer(0);
    return thread_index(schedule_.columns() ? Dimension::z : Dimension::y);
}

ExprRef LineFrame::line() const {
    if (schedule_.lines() == 1) return integer(0);
    if (schedule_.columns()) return thread_index(Dimension::x);
    return thread_index(schedule_.teams() > 1 ? Dimension::z : Dimension::y);
}

ExprRef LineFrame::first_line() {
    return name(c().once("first line", counts_lines() ? "first_line" : coordinate(work_.kept.front()) + "_from"));
}

ExprRef LineFrame::from() { return name(c().once("first part", coordinate(work_.parts) + "_from")); }

ExprRef LineFrame::at() { return name(c().once("parts in turn", "at")); }

ExprRef LineFrame::parts() {
    if (!schedule_.holds_cells() && work_.further.empty()) return c().extent(work_.parts);
    const int cells = work_.part_cells();
    return divide(kernel::add(length(), integer(cells - 1)), integer(cells));
}

ExprRef LineFrame::is_line() {
    const AxisId axis = work_.kept.back();
    return schedule_.lines() > 1 ? binary("<", name(coordinate(axis)), c().extent(axis)) : nullptr;
}

ExprRef LineFrame::grid() {
    const int lines = schedule_.lines();
    ExprRef all = c().extent(work_.kept.front());
    for (std::size_t k = 1; k < work_.kept.size(); ++k)
        all = multiply(k == 1 ? wide(all) : all, c().extent(work_.kept[k]));
    return lines > 1 ? divide(kernel::add(all, integer(lines - 1)), integer(lines)) : all;
}

void LineFrame::place_at(Body& body, ExprRef number) {
    for (const AxisId axis : work_.kept) {
        const bool last = axis == work_.kept.back();
        const ExprRef along = last ? number : modulo(number, c().extent(axis));
        body.push_back({Let{Type::i32, coordinate(axis), counts_lines() ? convert(Type::i32, along) : along}});
        if (!last) number = divide(number, c().extent(axis));
    }
}

Body LineFrame::place() {
    Body body;
    const ExprRef block = block_index(Dimension::x), lines = integer(schedule_.lines());
    if (schedule_.lines() == 1)
        place_at(body, block);
    else if (counts_lines())
        body.push_back({Let{Type::i64, text_of(first_line()), multiply(wide(block), lines)}});
    else
        body.push_back({Let{Type::i32, text_of(first_line()), multiply(block, lines)}});
    return body;
}

void LineFrame::place_line(Body& body) {
    if (schedule_.lines() == 1) return;
    if (!counts_lines()) {
        place_at(body, kernel::add(first_line(), line()));
        return;
    }
    const ExprRef number = name(c().once("line", "line"));
    body.push_back({Let{Type::i64, text_of(number), kernel::add(first_line(), line())}});
    place_at(body, number);
}

ExprRef LineFrame::place_part(Body& body) {
    if (schedule_.teams() == 1 && schedule_.holds_cells()) return is_line();
    const ExprRef part = name(coordinate(work_.parts));
    const ExprRef own = schedule_.holds_cells() ? team() : kernel::add(at(), team());
    body.push_back({Let{Type::i32, text_of(part), own}});
    return schedule_.teams() > 1 ? both(is_line(), binary("<", part, parts())) : is_line();
}

}  // namespace kasc::kernel
