#include "lower/line/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"

namespace kasc::kernel {

LineFrame::LineFrame(const LineSchedule& schedule, const Program& program, const Graph& graph)
    : ResultFrame(schedule.work->passes.front().cells, schedule.fusion(), program, graph),
      schedule_(schedule),
      work_(*schedule.work),
      again_(read_again(work_)) {
    c().serve_lengths(schedule.lengths);
}

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

ExprRef LineFrame::first_across() { return name(c().once("first line across", "first_line")); }

ExprRef LineFrame::line_across() { return name(c().once("line across", "line")); }

ExprRef LineFrame::turn() { return name(c().once("lines in turn", "turn")); }

ExprRef LineFrame::turns() {
    const int beside = schedule_.lines_of_part();
    const ExprRef of_part = integer(column_part_cells);
    const ExprRef lines = minimum(subtract(lines_across(), first_across()), counts_across() ? wide(of_part) : of_part);
    return divide(kernel::add(lines, integer(beside - 1)), integer(beside));
}

ExprRef LineFrame::lines_across() {
    ExprRef lines = integer(1);
    for (const AxisId axis : work_.across->axes)
        lines = multiply(lines, counts_across() ? wide(c().extent(axis)) : c().extent(axis));
    return lines;
}

/// Groups of parts that a block has at once.
ExprRef LineFrame::parts_across() {
    const int lines = column_part_cells * schedule_.parts_across();
    return divide(kernel::add(lines_across(), integer(lines - 1)), integer(lines));
}

std::vector<AxisId> LineFrame::behind_across() const {
    return {work_.kept.begin() + static_cast<std::ptrdiff_t>(work_.across->axes.size()), work_.kept.end()};
}

ExprRef LineFrame::is_line() {
    if (work_.across) return binary("<", line_across(), lines_across());
    const AxisId axis = work_.kept.back();
    return schedule_.lines() > 1 ? binary("<", name(coordinate(axis)), c().extent(axis)) : nullptr;
}

ExprRef LineFrame::grid() {
    if (work_.across) {
        ExprRef all = wide(parts_across());
        for (const AxisId axis : behind_across()) all = multiply(all, c().extent(axis));
        return all;
    }
    const int lines = schedule_.lines();
    ExprRef all = c().extent(work_.kept.front());
    for (std::size_t k = 1; k < work_.kept.size(); ++k)
        all = multiply(k == 1 ? wide(all) : all, c().extent(work_.kept[k]));
    return lines > 1 ? divide(kernel::add(all, integer(lines - 1)), integer(lines)) : all;
}

void LineFrame::place_at(Body& body, ExprRef number, const std::vector<AxisId>& axes, bool wide_number) {
    for (const AxisId axis : axes) {
        const bool last = axis == axes.back();
        const ExprRef along = last ? number : modulo(number, c().extent(axis));
        body.push_back({Let{Type::i32, coordinate(axis), wide_number ? convert(Type::i32, along) : along}});
        if (!last) number = divide(number, c().extent(axis));
    }
}

Body LineFrame::place_across() {
    Body body;
    const std::vector<AxisId> behind = behind_across();
    const ExprRef block = block_index(Dimension::x), groups = parts_across();
    ExprRef group = behind.empty() ? block : modulo(block, groups);
    const ExprRef lines = integer(std::int64_t{column_part_cells} * schedule_.parts_across());
    if (counts_across()) group = wide(group);
    const Type type = counts_across() ? Type::i64 : Type::i32;
    body.push_back({Let{type, text_of(first_across()), multiply(group, lines)}});
    if (!behind.empty()) place_at(body, divide(block, groups), behind, counts_across());
    return body;
}

Body LineFrame::place() {
    if (work_.across) return place_across();
    Body body;
    const ExprRef block = block_index(Dimension::x), lines = integer(schedule_.lines());
    if (schedule_.lines() == 1)
        place_at(body, block, work_.kept, false);
    else if (counts_lines())
        body.push_back({Let{Type::i64, text_of(first_line()), multiply(wide(block), lines)}});
    else
        body.push_back({Let{Type::i32, text_of(first_line()), multiply(block, lines)}});
    return body;
}

/// Line k of a block is of part k / 8, and one of the eight lanes: that of its number, which k % 8 is.
void LineFrame::place_line_across(Body& body) {
    const int beside = schedule_.lines_of_part();
    ExprRef own = line();
    if (schedule_.parts_across() > 1)
        own = kernel::add(multiply(divide(own, integer(beside)), integer(column_part_cells)),
                          modulo(own, integer(beside)));
    const ExprRef number = kernel::add(kernel::add(first_across(), multiply(turn(), integer(beside))), own);
    body.push_back({Let{counts_across() ? Type::i64 : Type::i32, text_of(line_across()), number}});
    place_at(body, line_across(), work_.across->axes, counts_across());
}

void LineFrame::place_line(Body& body) {
    if (work_.across) {
        place_line_across(body);
        return;
    }
    if (schedule_.lines() == 1) return;
    if (!counts_lines()) {
        place_at(body, kernel::add(first_line(), line()), work_.kept, false);
        return;
    }
    const ExprRef number = name(c().once("line", "line"));
    body.push_back({Let{Type::i64, text_of(number), kernel::add(first_line(), line())}});
    place_at(body, number, work_.kept, true);
}

ExprRef LineFrame::place_part(Body& body) {
    if (schedule_.teams() == 1 && schedule_.holds_cells()) return is_line();
    const ExprRef part = name(coordinate(work_.parts));
    const ExprRef own = schedule_.holds_cells() ? team() : kernel::add(at(), team());
    body.push_back({Let{Type::i32, text_of(part), own}});
    return schedule_.teams() > 1 ? both(is_line(), binary("<", part, parts())) : is_line();
}

}  // namespace kasc::kernel
