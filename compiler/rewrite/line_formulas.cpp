#include "rewrite/line_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/new_field.hpp"

namespace kasc::rewriting {

namespace {

/// The read stands at the cell itself along each axis, but for those where it stands at a number of the text.
std::optional<std::size_t> axes_of_line(const Operand& operand) {
    std::size_t axes = 0;
    for (const AxisIndex& index : operand.indices) {
        const auto* own = std::get_if<Offset>(&index);
        const auto* at = std::get_if<Absolute>(&index);
        if (own != nullptr ? own->cells != 0 : at == nullptr || !std::holds_alternative<Literal>(at->position->node))
            return std::nullopt;
        axes += own != nullptr;
    }
    return axes;
}

class Collecting {
public:
    Collecting(const Program& program, const Statements& list, std::size_t axes, const std::set<VariableId>& changing)
        : program_(program), list_(list), axes_(axes), changing_(changing) {}

    /// What makes the value that the field has before statement `at`, of fields with fewer axes.
    void collect(VariableId field, std::size_t at) {
        const auto place = definition(list_, field, at);
        const auto* made = place ? std::get_if<FieldStatement>(&list_[*place]) : nullptr;
        if (!place)
            formula_.fault = fmt::format("{} is an input of as many cells", name(field));
        else if (made == nullptr)
            formula_.fault = fmt::format("{} comes from a transform or a loop", name(field));
        else if (!is_whole(program_, *made))
            formula_.fault = fmt::format("not all cells of {} are assigned alike", name(field));
        if (!formula_.fault.empty() || !formula_.statements.insert(*place).second) return;
        for (const Operand& operand : made->operands) {
            const auto axes = axes_of_line(operand);
            if (!axes)
                formula_.fault = fmt::format("{} is read at other cells", name(operand.variable));
            else if (*axes >= axes_)
                collect(operand.variable, *place);
            else if (changing_.contains(operand.variable) ||
                     !unchanged(list_, operand.variable, *place + 1, list_.size()))
                formula_.fault = fmt::format("{} changes after it was read", name(operand.variable));
            if (!formula_.fault.empty()) return;
        }
    }
    [[nodiscard]] LineFormula formula() && { return std::move(formula_); }

private:
    const Program& program_;
    const Statements& list_;
    std::size_t axes_;
    const std::set<VariableId>& changing_;
    LineFormula formula_;

    [[nodiscard]] const std::string& name(VariableId v) const { return program_.variables[v].name; }
};

}  // namespace

LineFormula line_formula(const Program& program, const Statements& list, VariableId field,
                         const std::set<VariableId>& changing) {
    const FieldShape& shape = field_shape(program, field);
    if (is_integer(shape.type)) return {{}, "it holds integers"};
    if (is_short(shape.type)) return {{}, "it rounds to 16 bits"};
    Collecting collecting(program, list, shape.axes.size(), changing);
    collecting.collect(field, list.size());
    return std::move(collecting).formula();
}

void make_anew(Program& program, const Statements& list, const std::set<std::size_t>& places,
               std::map<VariableId, VariableId>& again, Statements& made) {
    for (const std::size_t place : places) {
        const VariableId target = std::get<FieldStatement>(list[place]).target;
        if (again.contains(target)) continue;
        const Variable& variable = program.variables[target];
        const FieldShape& shape = field_shape(program, target);
        again[target] = new_field(program, variable.name + "_again", shape.axes, shape.type, variable.span);
    }
    for (const std::size_t place : places) {
        FieldStatement statement = reading(std::get<FieldStatement>(list[place]), again);
        statement.target = again.at(statement.target);
        made.emplace_back(std::move(statement));
    }
}

}  // namespace kasc::rewriting
