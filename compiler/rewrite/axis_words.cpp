#include "rewrite/axis_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rewrite/constant_positions.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/word_statements.hpp"

namespace kasc {

namespace {

/// A thread has a register for each.
constexpr long long most_words = 32;
/// Cells of a window, which a thread has at once. Where several windows of 49 stand in a kernel, 0.5 kB of words are
/// spilled (guided filter, ptxas 13.0), and it takes a fifth of what their folds take.
constexpr long long most_of_window = 128;

bool is_along(const Program& program, VariableId variable, AxisId axis) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    return field != nullptr && std::find(field->axes.begin(), field->axes.end(), axis) != field->axes.end();
}

/// Some field has it beside other axes than these: of a list alone there is nothing to bring together.
bool is_beside_others(const Program& program, const std::vector<AxisId>& these, AxisId axis) {
    const auto ids = program.variables.ids();
    return std::any_of(ids.begin(), ids.end(), [&](VariableId v) {
        if (!is_along(program, v, axis)) return false;
        const std::vector<AxisId>& axes = field_shape(program, v).axes;
        return std::any_of(axes.begin(), axes.end(),
                           [&](AxisId other) { return std::find(these.begin(), these.end(), other) == these.end(); });
    });
}

/// What folds run along that is a window, each once, in the order of the program.
std::vector<rewriting::WordAxes> windows_of(const Program& program) {
    std::vector<rewriting::WordAxes> all;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr || !s->fold || !s->fold->parts || s->fold->pieces) return;
        rewriting::WordAxes window{s->fold->axes, {}, true};
        for (const AxisId axis : window.axes) {
            const auto cells = declared_length(program.axes[axis]);
            if (!cells || program.axes[axis].own || is_beside_others(program, window.axes, axis)) return;
            window.lengths.push_back(*cells);
        }
        // Threads share the cells of one result for all.
        const bool several = field_shape(program, s->target).axes.size() > 1;
        const bool known = std::any_of(all.begin(), all.end(), [&](const auto& w) { return w.axes == window.axes; });
        if (several && !known && window.cells() > 1 && window.cells() <= most_of_window) all.push_back(window);
    });
    return all;
}

std::string axes_text(const Program& program, const std::vector<AxisId>& axes) {
    std::string text = axes.size() > 1 ? "axes " : "axis ";
    for (const AxisId axis : axes) text += (axis == axes.front() ? "" : ", ") + program.axes[axis].name;
    return text;
}

}  // namespace

AxisWords axis_words(const Program& program) {
    AxisWords result{program, {}, false};
    const auto write = [&](const rewriting::WordAxes& axes) {
        rewriting::StatementsOfWords made = rewriting::statements_of_words(result.program, axes);
        result.changed = result.changed || made.verdict;
        if (made.verdict) result.program = std::move(made.program);
        result.verdicts.push_back({axes_text(program, axes.axes), std::move(made.verdict)});
    };
    std::set<AxisId> of_windows;
    for (const rewriting::WordAxes& window : windows_of(program)) {
        write(window);
        of_windows.insert(window.axes.begin(), window.axes.end());
    }
    for (const AxisId axis : program.axes.ids()) {
        if (of_windows.contains(axis)) continue;
        const auto cells = declared_length(program.axes[axis]);
        if (!cells || *cells < 2 || *cells > most_words || program.axes[axis].own) continue;
        if (is_beside_others(result.program, {axis}, axis)) write({{axis}, {*cells}});
    }
    if (result.changed) result.program = rewriting::with_neighbours(std::move(result.program));
    return result;
}

}  // namespace kasc
