#include "rewrite/axis_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rewrite/constant_positions.hpp"
#include "rewrite/word_statements.hpp"

namespace kasc {

namespace {

/// A thread has a register for each.
constexpr long long most_words = 32;

bool is_along(const Program& program, VariableId variable, AxisId axis) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    return field != nullptr && std::find(field->axes.begin(), field->axes.end(), axis) != field->axes.end();
}

/// Some field has it beside others: of a list alone there is nothing to bring together.
bool is_beside_others(const Program& program, AxisId axis) {
    const auto ids = program.variables.ids();
    return std::any_of(ids.begin(), ids.end(), [&](VariableId v) {
        return is_along(program, v, axis) && field_shape(program, v).axes.size() > 1;
    });
}

}  // namespace

AxisWords axis_words(const Program& program) {
    AxisWords result{program, {}, false};
    for (const AxisId axis : program.axes.ids()) {
        const auto cells = declared_length(program.axes[axis]);
        if (!cells || *cells < 2 || *cells > most_words || program.axes[axis].own) continue;
        if (!is_beside_others(program, axis)) continue;
        rewriting::StatementsOfWords made = rewriting::statements_of_words(result.program, axis, *cells);
        result.changed = result.changed || made.verdict;
        if (made.verdict) result.program = std::move(made.program);
        result.verdicts.push_back({program.axes[axis].name, std::move(made.verdict)});
    }
    if (result.changed) result.program = rewriting::with_neighbours(std::move(result.program));
    return result;
}

}  // namespace kasc
