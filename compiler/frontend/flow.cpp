#include "frontend/flow.hpp"

#include <fmt/format.h>

#include <algorithm>

// A loop that may run zero times gives no certain value to what only its body assigns. A field that is read behind it
// is zero before it, as series are (frontend/zeroed_series):
//
//     for (n = 0; n < steps; n++) { V = V + T; T = …; S[t = n] = T; M = T; }
//     return M;        M: zero before the loop; S: a series, complete with zeros; V: no value at its first read
//
// One of the two sides of an `if` runs:
//
//     if (hot > 0) { A = T; B = T; } else { A = 0; }
//     return A, B;     A: assigned; B: assigned perhaps

namespace kasc::frontend {

Flow::Track& Flow::track(VariableId variable) {
    if (tracks_.size() <= variable.index) tracks_.resize(variable.index + 1);
    return tracks_[variable.index];
}

void Flow::hidden(VariableId variable) {
    Track& t = track(variable);
    t.state = State::assigned;
    t.written = t.used = true;
}

void Flow::input(VariableId variable) {
    track(variable).state = State::assigned;
    track(variable).input = true;
}

bool Flow::has_value(const Variable& variable, VariableId id) {
    Track& t = track(id);
    const bool is_field = std::holds_alternative<FieldShape>(variable.shape);
    if (t.state == State::perhaps && is_field && !t.side && !t.by_cell) {
        zero_before_loops_.insert(id);
        t.state = State::assigned;
    }
    return t.state == State::assigned;
}

void Flow::read(const Variable& variable, VariableId id, const Span& span, Report& report) {
    Track& t = track(id);
    t.used = true;
    if (has_value(variable, id)) return;
    if (t.state == State::perhaps) {
        Diagnostic& d = report.error("K0209", fmt::format("'{}' may have no value here", variable.name), span);
        d.notes.push_back({t.loop, t.side ? "it is assigned only on one side of this 'if'"
                                          : "it is assigned only in this loop, which may run zero times"});
        d.help = t.side ? fmt::format("assign '{}' on both sides, or before the 'if'", variable.name)
                        : fmt::format("assign '{}' before the loop as well", variable.name);
    } else if (const auto later = first_assigned_.find(variable.name); later != first_assigned_.end()) {
        Diagnostic& d = report.error("K0208", fmt::format("'{}' is used before it is assigned", variable.name), span);
        d.notes.push_back({later->second, "assigned here"});
        const char* help = loops_.empty() ? "make it an input, 'input {};', or assign it first"
                                          : "make it an input, 'input {0};', or assign it before the loop: '{0} = 0;'";
        d.help = fmt::format(fmt::runtime(help), variable.name);
    } else {
        Diagnostic& d = report.error("K0208", fmt::format("'{}' has no value", variable.name), span,
                                     "it is no input and is never assigned");
        d.notes.push_back({variable.span, "declared here"});
        const bool of_procedure = variable.span.source && variable.span.source->making;
        d.help = of_procedure ? "assign it first"
                              : fmt::format("make it an input, 'input {};', or assign it first", variable.name);
    }
    t.state = State::assigned;  // said once
}

void Flow::assign(VariableId variable, AssignedPart part) {
    Track& t = track(variable);
    t.written = true;
    if (t.state == State::assigned) return;
    t.state = State::assigned;
    if (part == AssignedPart::whole && !loops_.empty()) loops_.back().first_here.push_back(variable);
}

void Flow::output(const Variable& variable, VariableId id, const Span& span, Report& report) {
    if (track(id).state == State::never) {
        track(id).used = true;
        Diagnostic& d = report.error("K0210", fmt::format("the output '{}' is never assigned", variable.name), span);
        d.notes.push_back({variable.span, "declared here"});
        d.help = "assign it, or leave it out of the return";
        return;
    }
    read(variable, id, span, report);
}

void Flow::enter_loop(const Span& head, LoopRuns runs, Side side) {
    OpenLoop loop{head, runs, side, {}, {}};
    if (side == Side::second) loop.other_side = std::move(first_side_);
    loops_.push_back(std::move(loop));
}

void Flow::leave_loop(bool faulty) {
    const OpenLoop loop = std::move(loops_.back());
    loops_.pop_back();
    for (const VariableId variable : loop.first_here) {
        const bool on_both =
            std::find(loop.other_side.begin(), loop.other_side.end(), variable) != loop.other_side.end();
        if (loop.runs != LoopRuns::always && !on_both && !faulty) {
            Track& t = track(variable);
            t.state = State::perhaps;
            t.loop = loop.head;
            // Where a side does not run, there is what a loop before it has left, or zero.
            t.side = loop.side != Side::none && !t.by_loop;
            t.by_cell = loop.runs == LoopRuns::by_cell;
            t.by_loop = !t.side && !t.by_cell;
        } else if (!loops_.empty()) {
            loops_.back().first_here.push_back(variable);
        }
    }
    first_side_ = loop.first_here;
}

void Flow::report_unused(const Program& program, Report& report) const {
    for (const VariableId id : program.variables.ids()) {
        const Track t = id.index < tracks_.size() ? tracks_[id.index] : Track{};
        if (t.used || (t.written && !t.input)) continue;  // what is assigned in vain the graph knows
        const Variable& variable = program.variables[id];
        const auto shaped = std::find_if(program.shaped.begin(), program.shaped.end(), [&](const ShapedField& f) {
            return std::find(f.words.begin(), f.words.end(), id) != f.words.end();
        });
        // Some words of a cell may be left aside; where all are, it is said once.
        if (shaped != program.shaped.end() &&
            (shaped->words.front() != id || std::any_of(shaped->words.begin(), shaped->words.end(), [&](VariableId w) {
                 return w.index < tracks_.size() && (tracks_[w.index].used || tracks_[w.index].written);
             })))
            continue;
        const std::string& name = shaped == program.shaped.end() ? variable.name : shaped->name;
        if (t.input) {
            report.warning("K0241", fmt::format("the input '{}' is never used", name), variable.span);
        } else {
            report.warning("K0240", fmt::format("'{}' is never used", name), variable.span);
        }
    }
}

}  // namespace kasc::frontend
