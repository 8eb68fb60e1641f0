// The run's steps: loops, launches, transforms, copies.
#include <algorithm>
#include <cstdlib>

#include "emit/run_printer.hpp"

namespace kasc::emit {

void RunPrinter::steps() {
    if (c_.has_parts()) return parts();
    for (const HostStep& s : computing_) step(s);
    out_.line("return memory.status();");
}

void RunPrinter::parts() {
    out_.open("switch (part)");
    std::size_t part = 0;
    out_.open("case 0:");
    for (const SeriesSlot& s : series_) {
        const Series& series = s.names->series;
        std::vector<int> rows;
        if (series.before > 0) rows.push_back(series.first);
        if (series.before > 1) rows.push_back(series.first + series.before - 1);  // windows have no gaps
        for (const int row : rows) out_.line("if (!{0}.holds({1})) return {0}.lacks({1});", s.names->window, row);
    }
    for (const HostStep& s : computing_) {
        if (!std::holds_alternative<LoopStep>(s.what)) {
            step(s);
        } else if (!rest_of(s, c_.program)) {
            next_part(++part);
            outermost(loops_.at(part / 2));
            next_part(++part);
        }
    }
    out_.line("part = {};", part + 1);
    out_.close();
    out_.close();
    out_.line("return memory.status();");
}

void RunPrinter::next_part(std::size_t part) {
    out_.line("part = {};", part);
    out_.close();
    out_.line("[[fallthrough]];");
    out_.open("case {}:", part);
}

std::string RunPrinter::row_text(const std::string& index, int behind) {
    return behind == 0 ? index : fmt::format("{} {} {}", index, behind < 0 ? "-" : "+", std::abs(behind));
}

/// Whether several iterations may be done at a time: the piece has room for them, windows have their rows, and they are
/// such ones (Loop::plain).
std::string RunPrinter::have_room(const Outermost& of) const {
    const std::string& i = index(*of.step);
    const Loop& several = c_.program.loops[of.several->loop];
    std::string text = fmt::format("(long long){0} - {1} >= {2} && until - done >= {2}", of.to, i, several.by);
    for (const SeriesSlot& s : series_) {
        const Series& series = s.names->series;
        if (series.loop != of.step->loop) continue;
        text += fmt::format(" && {0}.holds({1}) && {0}.holds({2})", s.names->window, row_text(i, series.low),
                            row_text(i, series.high + several.by - 1));
    }
    if (several.plain != nullptr) text += fmt::format(" && {}()", plain_);
    return text;
}

void RunPrinter::several(const Outermost& of) {
    const LoopStep& loop = *of.several;
    const std::string &i = index(*of.step), &own = index(loop);
    const int by = c_.program.loops[loop.loop].by;
    // No kernel of a captured step may ask for it.
    out_.line("[[maybe_unused]] int {} = {};", own, i);
    if (!loop.after.empty()) out_.line("const int {} = {};", begun_ = scope_.fresh(own + "_begun"), i);
    out_.open("for (; {0}; {1} = {2} += {3}, done += {3})", have_room(of), own, i, by);
    body(loop);
    after(loop);
}

void RunPrinter::outermost(const Outermost& of) {
    // Iterations that have other conditions are done one by one, and the next at a time again.
    const ExpressionRef plain = of.several != nullptr ? c_.program.loops[of.several->loop].plain : nullptr;
    const bool turns = plain != nullptr;
    if (turns) {
        plain_ = scope_.fresh("plain");
        out_.line("// The next {} iterations do what is done together.", c_.program.loops[of.several->loop].by);
        out_.line("const auto {} = [&] {{ return {}; }};", plain_, host_text(*plain, c_.names));
        out_.open("while ({} < {})", index(*of.step), of.to);
        if (of.step->going) look_or_end(of);
    }
    if (of.several != nullptr) several(of);
    single(of, turns);
    if (turns) out_.close();
}

void RunPrinter::single(const Outermost& of, bool turns) {
    const LoopStep& loop = *of.step;
    const std::string &i = index(loop), &to = of.to;
    if (loop.looking == LoopStep::Looking::ahead) return ahead(loop, of.from, to, Depth::outermost);
    const bool leaves = !loop.after.empty();
    if (leaves) out_.line("const int {} = {};", begun_ = scope_.fresh(i + "_begun"), i);
    out_.open("for (; {0} < {1}; ++{0}, ++done)", i, to);
    const bool may_end_earlier =
        std::any_of(loops_.begin(), loops_.end(), [](const Outermost& o) { return !!o.step->going; });
    out_.line("if (done {} until) {};", may_end_earlier ? ">=" : "==", leaves ? "break" : "return memory.status()");
    if (turns) out_.line("if ({}) break;", have_room(of));
    if (loop.going && loop.looking == LoopStep::Looking::each) look_or_end(of);
    for (const SeriesSlot& s : series_) {
        const Series& series = s.names->series;
        if (series.loop != loop.loop) continue;
        std::vector<int> rows{series.low};
        if (series.high != series.low) rows.push_back(series.high);  // windows have no gaps
        for (const int row : rows) {
            out_.line("if (!{0}.holds({1})) return {0}.lacks({1});", s.names->window, row_text(i, row));
        }
    }
    body(loop);
    after(loop);
    if (leaves) out_.line("if ({} < {}{}) return memory.status();", i, to, turns ? " && done >= until" : "");
}

/// Leaves the loop around where no further iteration runs.
void RunPrinter::look_or_end(const Outermost& of) {
    const std::string &i = index(*of.step), &to = of.to;
    look(*of.step);
    out_.open("if (going <= 0)");
    out_.line("done += {} - {}, {} = {};", to, i, i, to);
    out_.line("break;");
    out_.close();
}

void RunPrinter::look(const LoopStep& loop) {
    out_.line("int going = 0;");
    out_.line("if (const int status = memory.look(going, {}); status != 0) return status;", c_.slot(*loop.going));
}

/// Iterations that are launched before the host looks how many of them ran (plan/run_ahead.hpp).
void RunPrinter::ahead(const LoopStep& loop, const std::string& from, const std::string& to, Depth depth) {
    const std::string& i = index(loop);
    const bool outermost = depth == Depth::outermost;
    const std::string ahead = scope_.fresh("ahead"), ran = scope_.fresh("ran"), end = scope_.fresh("end");
    out_.open("for (int {0} = 1;; {0} = std::min(2 * {0}, {1}))", ahead, most_ahead);
    look(loop);
    std::string swaps;
    for (auto swap = loop.swaps.rbegin(); swap != loop.swaps.rend(); ++swap)
        swaps +=
            fmt::format("{}std::swap({}, {})", swaps.empty() ? "" : ", ", c_.slot(swap->first), c_.slot(swap->second));
    out_.line("const int {} = {} + (going > 0 ? going - 1 : -going);  // where iterations compute nothing from", ran,
              from);
    const std::string back = outermost ? fmt::format("--{}, --done", i) : "--" + i;
    if (swaps.empty())
        out_.line("while ({} > {}) {};", i, ran, back);
    else
        out_.line("for (; {} > {}; {}) {};", i, ran, back, swaps);
    if (outermost) out_.line("if (going <= 0) done += {0} - {1}, {1} = {0};", to, i);
    out_.line("if ({}{} >= {}) break;", outermost ? "" : "going <= 0 || ", i, to);
    if (outermost) out_.line("if (done >= until) return memory.status();");
    const std::string room = outermost ? fmt::format("std::min<long long>({{{}, {} - {}, until - done}})", ahead, to, i)
                                       : fmt::format("std::min({}, {} - {})", ahead, to, i);
    std::string off;
    for (const kernel::PositionCheck& check : moving_positions(c_.plan, loop)) {
        const std::string text = host_text(*check.position, c_.names),
                          position = text.find('?') == std::string::npos ? text : "(" + text + ")",
                          extent = "args." + c_.names.extents.at(check.axis.index);
        off += fmt::format("{}{} < {} || {} >= {}{}", off.empty() ? "" : " || ", position, check.low, position, extent,
                           check.high > 0 ? fmt::format(" - {}", check.high) : "");
    }
    const std::string first = off.empty() ? "" : scope_.fresh("first");
    out_.open("for (const int {0}{1} = {2} + (int){3}; {2} < {1}; ++{2}{4})",
              off.empty() ? "" : fmt::format("{} = {}, ", first, i), end, i, room, outermost ? ", ++done" : "");
    if (!off.empty()) out_.line("if ({} > {} && ({})) break;  // if it runs is for the host to see", i, first, off);
    body(loop);
    out_.close();
}

void RunPrinter::after(const LoopStep& loop) {
    if (loop.after.empty()) return;
    out_.open("if ({} > {})", index(loop), begun_);
    around_.push_back(loop.loop);
    just_ended_ = loop.loop;
    for (const HostStep& s : loop.after) step(s);
    just_ended_ = std::nullopt;
    around_.pop_back();
    out_.close();
}

void RunPrinter::body(const LoopStep& loop) {
    around_.push_back(loop.loop);
    std::size_t next = 0;
    for (const NamedGraph& graph : graphs_) {
        if (graph.loop != &loop) continue;
        for (; next < graph.captured->first; ++next) step(loop.body[next]);
        out_.line(
            "if (const int status = {}.run(memory, {}, {{{}}}, [&] {{ return {}(); }}); status != 0) return status;",
            graph.name, replayed_, arrays_of(*graph.captured), graph.steps);
        next = graph.captured->end;
    }
    for (; next < loop.body.size(); ++next) step(loop.body[next]);
    for (const auto& [a, b] : loop.swaps) out_.line("std::swap({}, {});", c_.slot(a), c_.slot(b));
    around_.pop_back();
    out_.close();
}

void RunPrinter::step(const HostStep& s) {
    std::visit([&](const auto& what) { print(what); }, s.what);
}

void RunPrinter::print(const LaunchStep& s) { launch(s, "args, memory", std::nullopt); }
void RunPrinter::launch(const LaunchStep& s, std::string arguments, std::optional<ValueId> given) {
    const kernel::Kernel& first = c_.plan.kernels[s.kernel].alternatives.front();
    if (const auto word = finished_.find(s.kernel); word != finished_.end()) arguments += ", " + word->second;
    for (const LoopId loop : around_) {
        const std::string back = just_ended_ == loop ? fmt::format(" - {}", c_.program.loops[loop].by) : "";
        arguments += in_graph_ ? ", 0" : ", " + c_.names.local.loops.at(loop.index) + back;
    }
    if (carries_former_iteration(first))
        arguments += fmt::format(", {} > {}", c_.names.local.loops.at(around_.back().index), begun_);
    for (const auto& [value, array] : s.arrays) {
        if (value != given && !array_name(first, value).empty()) arguments += ", " + c_.slot(array);
    }
    out_.line("if (const int status = launch_{}({}); status != 0) return status;", first.name, arguments);
}

void RunPrinter::print(const TransformStep& s) {
    if (s.statement.direction == Direction::renew) throw std::logic_error("processes walk what they renew");
    if (orders(s.statement.direction)) return orders_.run(out_, s);
    if (is_storing(s, c_.target)) {
        launch(*s.stores,
               fmt::format("args, memory, transforms, {}, {}, {}", storing_name(c_.plan, s), c_.slot(s.to),
                           c_.slot(s.from)),
               c_.plan.kernels[s.stores->kernel].alternatives.front().at_store->given);
        return;
    }
    transforms_.run(out_, s);
    if (s.stores) print(*s.stores);
}

void RunPrinter::print(const LoopStep& s) {
    const std::string& i = index(s);
    const std::string to = scope_.fresh(i + "_to");
    const std::string from = host_text(*s.from, c_.names), end = host_text(*s.to, c_.names);
    const int by = c_.program.loops[s.loop].by;
    const std::string next = by == 1 ? "++" + i : fmt::format("{} += {}", i, by);
    if (s.looking == LoopStep::Looking::ahead) {
        const std::string begun = scope_.fresh(i + "_from");
        out_.open_block();
        out_.line("const int {} = {}, {} = {};", begun, from, to, end);
        out_.line("int {} = {};", i, begun);
        ahead(s, begun, to, Depth::inner);
        out_.close();
        return;
    }
    if (s.after.empty()) {
        out_.open("for (int {0} = {1}, {2} = {3}; {0} < {2}; {4})", i, from, to, end, next);
        if (s.going && s.looking == LoopStep::Looking::each) {
            look(s);
            out_.line("if (going <= 0) break;");
        }
        body(s);
        return;
    }
    const std::string around = std::exchange(begun_, scope_.fresh(i + "_begun"));
    out_.open_block();
    out_.line("const int {} = {}, {} = {};", begun_, from, to, end);
    out_.line("int {} = {};", i, begun_);
    out_.open("for (; {} < {}; {})", i, to, next);
    body(s);
    after(s);
    out_.close();
    begun_ = around;
}

void RunPrinter::print(const CopyStep& s) {
    out_.line("memory.copy({}, {}, {});", c_.slot(s.to), c_.slot(s.from), c_.words_of_slot(s.to));
}

void RunPrinter::print(const ZeroStep& s) {
    out_.line("{}memory.zero({}, {});", where_whole(series_at(s.slot)), c_.slot(s.slot),
              c_.words(c_.plan.slots[s.slot].variable));
}

void RunPrinter::print(const DeliverStep& s) {
    const VariableId variable = c_.plan.slots[s.slot].variable;
    const std::string array = "args." + c_.names.outputs.at(s.position);
    out_.line("{}memory.deliver({}, {}, {});", where_whole(series_at(s.slot)),
              callers_array_text(c_.program, variable, array, false), c_.slot(s.slot), c_.words(variable));
}

}  // namespace kasc::emit
