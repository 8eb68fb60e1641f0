#include "frontend/new_field.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc {

VariableId new_field(Program& program, const std::string& wish, const std::vector<AxisId>& axes, CellType type,
                     const Span& span) {
    const auto taken = [&](const std::string& name) {
        return std::any_of(program.variables.begin(), program.variables.end(),
                           [&](const Variable& v) { return v.name == name; });
    };
    std::string name = wish;
    for (int k = 2; taken(name); ++k) name = fmt::format("{}_{}", wish, k);
    return program.variables.add({name, span, FieldShape{axes, std::vector<Faces>(axes.size()), type}});
}

VariableId new_field_of_list(Program& program, VariableId target, const char* what, const std::vector<AxisId>& axes,
                             CellType type, const Span& span) {
    const VariableId made = new_field(program, program.variables[target].name + what, axes, type, span);
    program.variables[made].of_list = true;
    return made;
}

}  // namespace kasc
