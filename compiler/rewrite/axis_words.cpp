#include "rewrite/axis_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "graph/statements.hpp"
#include "rewrite/constant_positions.hpp"
#include "rewrite/inner_windows.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/word_statements.hpp"

namespace kasc {

namespace {

bool is_along(const Program& program, VariableId variable, AxisId axis) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    return field != nullptr && std::find(field->axes.begin(), field->axes.end(), axis) != field->axes.end();
}

/// Fields that have the axis beside others than these. Of a list alone there is nothing to bring together.
std::vector<VariableId> beside_others(const Program& program, const std::vector<AxisId>& these, AxisId axis) {
    std::vector<VariableId> fields;
    for (const VariableId v : program.variables.ids()) {
        if (!is_along(program, v, axis)) continue;
        const std::vector<AxisId>& axes = field_shape(program, v).axes;
        if (std::any_of(axes.begin(), axes.end(),
                        [&](AxisId other) { return std::find(these.begin(), these.end(), other) == these.end(); }))
            fields.push_back(v);
    }
    return fields;
}

/// Some operand stands at a position that goes along one of the axes: `u[x = x + i - 2]`.
bool gathers(const FieldStatement& s, const std::vector<AxisId>& axes) {
    const auto goes_along = [&](const Expression& part) {
        const auto* at = std::get_if<CoordinateUse>(&part.node);
        return at != nullptr && std::find(axes.begin(), axes.end(), at->axis) != axes.end();
    };
    return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
        return std::any_of(operand.indices.begin(), operand.indices.end(), [&](const AxisIndex& index) {
            const auto* computed = std::get_if<Computed>(&index);
            return computed != nullptr && any_part(*computed->position, goes_along);
        });
    });
}

bool folds_along(const Statement& statement, AxisId axis) {
    const auto* s = std::get_if<FieldStatement>(&statement);
    return s != nullptr && s->fold &&
           std::find(s->fold->axes.begin(), s->fold->axes.end(), axis) != s->fold->axes.end();
}

/// Some field along the axis is assigned, or some fold runs along it: else there are no cells to bring together.
bool computes_along(const Program& program, AxisId axis) {
    bool found = false;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        for (const VariableId v : statements::targets(statement)) found = found || is_along(program, v, axis);
        found = found || folds_along(statement, axis);
    });
    return found;
}

/// Some iteration sums along the axis: it waits for all cells, unless a thread has them.
bool is_folded_in_loops(const Program& program, AxisId axis) {
    bool found = false;
    for (const Statement& statement : program.statements) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        if (loop == nullptr) continue;
        rewriting::each_statement((*loop)->body, [&](const Statement& s) { found = found || folds_along(s, axis); });
    }
    return found;
}

std::set<VariableId> assigned_in(const Program& program) {
    std::set<VariableId> all;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        for (const VariableId v : statements::targets(statement)) all.insert(v);
    });
    return all;
}

/// What is computed of words: conditions on where a cell stands in its window are known.
int operations_with_words(const Expression& e) {
    int operations = 0;
    for_each_part(e, [&](const Expression& part) {
        const bool computes =
            !std::holds_alternative<Conditional>(part.node) && !std::holds_alternative<OperandUse>(part.node);
        operations += computes && operands_end(part) > 0;
    });
    return operations;
}

/// A window of more cells than these is written out where no other field stands beside what it looks at, and its cells
/// compute little: 512 samples of a rotated image, each of four pixels, take nine seconds of search; 512 differences of
/// samples of sound are, written out, 1.2 times slower on an H200, 256 of pixels 2.4 times faster.
constexpr long long cells_of_any_window = 128, operations_of_large_windows = 1000;
bool may_be_written_out(const FieldStatement& fold, long long cells, bool weighted) {
    if (cells <= cells_of_any_window) return true;
    return cells <= most_window_cells && !weighted &&
           cells * operations_with_words(*fold.value) <= operations_of_large_windows;
}

/// What folds run along that is a window, each once, in the order of the program.
std::vector<rewriting::WordAxes> windows_of(const Program& program) {
    std::vector<rewriting::WordAxes> all;
    const std::set<VariableId> assigned = assigned_in(program);
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr || !s->fold || !s->fold->parts || s->fold->pieces) return;
        rewriting::WordAxes window{s->fold->axes, {}, true};
        bool weighted = false;
        for (const AxisId axis : window.axes) {
            const auto cells = declared_length(program.axes[axis]);
            if (!cells || program.axes[axis].own) return;
            // What is never assigned is read in place, `weight[i, j, c]`.
            const std::vector<VariableId> fields = beside_others(program, window.axes, axis);
            const bool given =
                std::none_of(fields.begin(), fields.end(), [&](VariableId v) { return assigned.contains(v); });
            if (!fields.empty() && !(gathers(*s, window.axes) && given)) return;
            weighted = weighted || !fields.empty();
            window.lengths.push_back(*cells);
        }
        // Threads share the cells of one result for all.
        const bool several = field_shape(program, s->target).axes.size() > 1;
        const bool known = std::any_of(all.begin(), all.end(), [&](const auto& w) { return w.axes == window.axes; });
        if (several && !known && window.cells() > 1 && may_be_written_out(*s, window.cells(), weighted))
            all.push_back(window);
    });
    return all;
}

std::string axes_text(const Program& program, const std::vector<AxisId>& axes) {
    std::string text = axes.size() > 1 ? "axes " : "axis ";
    for (const AxisId axis : axes) text += (axis == axes.front() ? "" : ", ") + program.axes[axis].name;
    return text;
}

/// `of_loops`: axes of more cells as well, that loops sum along.
AxisWords words_of(const Program& program, bool of_loops) {
    AxisWords result{program, {}, false};
    const auto write = [&](const rewriting::WordAxes& axes) {
        rewriting::StatementsOfWords made = rewriting::statements_of_words(result.program, axes);
        result.changed = result.changed || made.verdict;
        if (made.verdict) result.program = std::move(made.program);
        return std::move(made.verdict);
    };
    std::set<AxisId> of_windows;
    std::vector<rewriting::WordAxes> windows = windows_of(program);
    while (!windows.empty()) {
        bool written = false;
        for (const rewriting::WordAxes& window : windows) {
            Verdict verdict = write(window);
            written = written || verdict;
            result.verdicts.push_back({axes_text(program, window.axes), std::move(verdict)});
            of_windows.insert(window.axes.begin(), window.axes.end());
        }
        if (!written) break;
        // Around what is written out now there may be others.
        Program around = with_inner_windows_read(result.program);
        windows = windows_of(around);
        std::erase_if(windows, [&](const auto& w) { return of_windows.contains(w.axes.front()); });
        if (!windows.empty()) result.program = std::move(around);
    }
    std::map<AxisId, Verdict> verdicts;
    // Which cell of f a product `sum(M*f[a = b], b)` reads is known once b is words: what was refused is asked again.
    for (bool again = true; again;) {
        again = false;
        for (const AxisId axis : program.axes.ids()) {
            const auto cells = declared_length(program.axes[axis]);
            const bool summed = of_loops && is_folded_in_loops(program, axis);
            const long long most = summed ? rewriting::most_words_summed_in_loops : rewriting::most_words;
            if (!cells || *cells < 2 || *cells > most || program.axes[axis].own || of_windows.contains(axis)) continue;
            const auto before = verdicts.find(axis);
            const bool is_done = before != verdicts.end() && before->second;
            if (is_done || beside_others(result.program, {axis}, axis).empty()) continue;
            if (!computes_along(result.program, axis)) continue;
            Verdict verdict = write({{axis}, {*cells}});
            again = again || verdict;
            verdicts.insert_or_assign(axis, std::move(verdict));
        }
    }
    for (auto& [axis, verdict] : verdicts) result.verdicts.push_back({axes_text(program, {axis}), std::move(verdict)});
    if (result.changed) result.program = rewriting::with_neighbours(std::move(result.program));
    return result;
}

}  // namespace

AxisWords axis_words(const Program& program) { return words_of(program, false); }

AxisWords axis_words_of_loops(const Program& program) {
    std::set<AxisId> of_windows;
    for (const rewriting::WordAxes& window : windows_of(program))
        of_windows.insert(window.axes.begin(), window.axes.end());
    std::set<std::string> of_loops;
    for (const AxisId axis : program.axes.ids())
        if (declared_length(program.axes[axis]).value_or(0) > rewriting::most_words &&
            is_folded_in_loops(program, axis) && !of_windows.contains(axis))
            of_loops.insert(axes_text(program, {axis}));
    if (of_loops.empty()) return {program, {}, false};
    AxisWords made = words_of(program, true);
    std::erase_if(made.verdicts, [&](const AxisVerdict& v) { return !of_loops.contains(v.axes); });
    made.changed =
        std::any_of(made.verdicts.begin(), made.verdicts.end(), [](const AxisVerdict& v) { return bool(v.verdict); });
    return made;
}

}  // namespace kasc
