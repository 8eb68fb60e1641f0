#include "emit/interface_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/c_spelling.hpp"
#include "kernel/kernel.hpp"
#include "kernel/text.hpp"
#include "kernel/uniform_expression.hpp"

namespace kasc::emit {

InterfaceNames interface_names(const Program& program) {
    kernel::Names fresh;
    InterfaceNames names;
    if (has_streams(program)) names.elements = fresh.fresh("n");
    for (const Axis& axis : program.axes) names.extents.push_back(fresh.fresh("n" + axis.name));
    for (const kasc::Parameter& p : program.parameters) {
        names.parameters.push_back(fresh.fresh(p.name));
        names.parameter_precisions.push_back(p.precision);
    }
    for (const VariableId v : program.inputs) names.inputs.push_back(fresh.fresh(program.variables[v].name));
    for (const VariableId v : program.outputs) {
        const bool is_input = std::find(program.inputs.begin(), program.inputs.end(), v) != program.inputs.end();
        names.outputs.push_back(fresh.fresh(program.variables[v].name + (is_input ? "_out" : "")));
    }
    names.local = kernel::host_names(program);
    for (const Series& s : series_of(program)) {
        const std::string& array = (s.input ? names.inputs : names.outputs).at(s.position);
        names.series.push_back({s, fresh.fresh(array + "_rows"), names.local.scope.fresh(array + "_window")});
    }
    return names;
}

bool has_pieces(const Program& program) {
    return !has_streams(program) &&
           std::any_of(program.statements.begin(), program.statements.end(), [](const Statement& s) {
               return std::holds_alternative<std::shared_ptr<const LoopStatement>>(s);
           });
}

std::string words_text(const Program& program, const Library& library, const InterfaceNames& names, VariableId variable,
                       const std::string& prefix) {
    const auto& shape = program.variables[variable].shape;
    if (const auto* stream = std::get_if<StreamShape>(&shape)) {
        const int words = library.types[stream->type].words;
        return words == 1 ? prefix + names.elements : fmt::format("{}{} * {}", prefix, names.elements, words);
    }
    std::string product;
    for (const AxisId axis : std::get<FieldShape>(shape).axes) {
        product += (product.empty() ? "" : " * ") + prefix + names.extents.at(axis.index);
    }
    return product.empty() ? "1" : product;
}

const char* word_text(const Program& program, VariableId variable) {
    return c_name_of(cell_type_of(program, variable));
}

const char* callers_word_text(const Program& program, VariableId variable) {
    return c_name_of(part_type(cell_type_of(program, variable)));
}

std::string callers_words_text(const Program& program, const Library& library, const InterfaceNames& names,
                               VariableId variable, const std::string& prefix) {
    const bool pairs = is_complex(cell_type_of(program, variable));
    return (pairs ? "2 * " : "") + words_text(program, library, names, variable, prefix);
}

std::string callers_array_text(const Program& program, VariableId variable, const std::string& array, bool input) {
    if (!is_complex(cell_type_of(program, variable))) return array;
    return fmt::format("reinterpret_cast<{}{} *>({})", input ? "const " : "", word_text(program, variable), array);
}

const char* type_text(const kasc::Parameter& parameter) {
    if (parameter.kind == ScalarKind::integer) return "int";
    return parameter.precision == Precision::dual ? "double" : "float";
}

kernel::ExprRef host_expression(const Expression& expression, const InterfaceNames& names, Precision precision) {
    const kernel::UniformSources sources{
        [&](ParameterId id) { return kernel::name(names.local.parameters.at(id.index)); },
        [&](ParameterId id) { return names.parameter_precisions.at(id.index); },
        [&](LoopId id) { return kernel::name(names.local.loops.at(id.index)); },
        [&](AxisId id, kernel::Type type) {
            return kernel::convert(type, kernel::name("args." + names.extents.at(id.index)));
        }};
    return kernel::uniform_expression(expression, sources, precision);
}

std::string host_text(const Expression& expression, const InterfaceNames& names, Precision precision) {
    kernel::Spelling spelling = kernel::plain_spelling();
    spelling.function = kernel::host_function;
    return kernel::text(host_expression(expression, names, precision), spelling);
}

}  // namespace kasc::emit
