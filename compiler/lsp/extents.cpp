#include "lsp/extents.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::lsp {

namespace {

/// The first input with this axis; empty: none has it.
std::string input_with(const Program& program, AxisId axis) {
    for (const VariableId input : program.inputs) {
        const auto* shape = std::get_if<FieldShape>(&program.variables[input].shape);
        if (!shape || std::find(shape->axes.begin(), shape->axes.end(), axis) == shape->axes.end()) continue;
        for (const ShapedField& field : program.shaped)
            if (std::find(field.words.begin(), field.words.end(), input) != field.words.end()) return field.name;
        return program.variables[input].name;
    }
    return {};
}

std::string origin_of(const Program& program, AxisId id) {
    const Axis& axis = program.axes[id];
    if (axis.half_of) return fmt::format("half({})", program.axes[*axis.half_of].name);
    const std::string length = axis.fallback_extent ? to_text(*axis.fallback_extent, program, {}) : "";
    if (axis.declared && !length.empty()) return length;
    if (const std::string input = input_with(program, id); !input.empty()) return "as the input " + input + " has it";
    return length.empty() ? "--set " + axis.name + "=…" : length + ", the end of the loop that indexes it";
}

}  // namespace

std::string extents_text(const CheckedProgram& checked, const std::vector<std::string>& axes) {
    std::string text;
    for (const AxisId id : checked.program.axes.ids()) {
        const std::string& name = checked.program.axes[id].name;
        if (std::find(axes.begin(), axes.end(), name) == axes.end()) continue;
        text += fmt::format("\n- `{}`: {}", name, origin_of(checked.program, id));
        if (id.index < checked.problem.extents.size())
            text += fmt::format(" (planned for {})", checked.problem.extents[id.index]);
    }
    return text.empty() ? text : "Extents:" + text;
}

}  // namespace kasc::lsp
