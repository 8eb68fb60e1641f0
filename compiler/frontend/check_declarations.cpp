#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/element_axis.hpp"
#include "frontend/foreign_types.hpp"
#include "frontend/operators.hpp"
#include "frontend/reduction.hpp"

// The first declaration says whether the program is one over streams or over fields; the others follow it.

namespace kasc::frontend {

namespace {

bool is_field(const Checking& checking, const ast::Declaration& declaration) {
    if (declaration.is_field) return true;
    return find_cell_type(declaration.type.text) && !checking.library.find_type(declaration.type.text);
}

std::optional<FieldShape> field_shape(Checking& checking, const ast::Declaration& declaration) {
    const ast::Name& type = declaration.type;
    const CellType cell = find_cell_type(type.text).value();  // unknown types went no further than cell_fields.hpp
    if (!declaration.is_field) {
        Diagnostic& d = checking.report.error(
            "K0233", fmt::format("the field '{0}' has no axes", declaration.name.text), declaration.name.span);
        d.help = fmt::format(
            "name them, as in 'float {0}[x, y];', write 'float {0}[];' for one number that the program computes, or "
            "make it a parameter: 'param float {0};'",
            declaration.name.text);
        const auto& all = checking.ast.declarations;
        if (std::any_of(all.begin(), all.end(), [](const ast::Declaration& other) {
                return std::any_of(other.axes.begin(), other.axes.end(),
                                   [](const ast::Name& axis) { return axis.text == element_axis; });
            }))
            d.help = fmt::format("one an element is '{1} {0}[{2}];', one number that the program computes '{1} {0}[];'",
                                 declaration.name.text, type.text, element_axis);
        return std::nullopt;
    }
    if (declaration.axes.size() > most_axes) {
        checking.report.error("K0235", fmt::format("a field has at most {} axes", most_axes),
                              declaration.axes[most_axes].span,
                              fmt::format("'{}' has {}", declaration.name.text, declaration.axes.size()));
        return std::nullopt;
    }
    FieldShape shape;
    shape.type = cell;
    for (const ast::Name& axis : declaration.axes) {
        const auto [place, added] = checking.axes.try_emplace(axis.text, AxisId{});
        if (added) place->second = checking.program.axes.add({axis.text, axis.span, nullptr, {}, false});
        if (std::find(shape.axes.begin(), shape.axes.end(), place->second) != shape.axes.end()) {
            checking.report.error(
                "K0202", fmt::format("'{}' has the axis '{}' twice", declaration.name.text, axis.text), axis.span);
        }
        shape.axes.push_back(place->second);
    }
    shape.faces.resize(shape.axes.size());
    return shape;
}

void declare_variable(Checking& checking, const ast::Declaration& declaration) {
    std::optional<std::variant<StreamShape, FieldShape>> shape;
    if (is_field(checking, declaration)) {
        shape = field_shape(checking, declaration);
    } else {
        shape = StreamShape{checking.library.find_type(declaration.type.text).value()};
    }
    if (!shape) return checking.names.declare(declaration.name, Faulty{}, checking.report);
    const VariableId id = checking.program.variables.add({declaration.name.text, declaration.name.span, *shape});
    checking.names.declare(declaration.name, id, checking.report);
}

void declare_parameter(Checking& checking, const ast::Parameter& parameter) {
    const bool integer = parameter.type.text == "int", dual = parameter.type.text == "double";
    if (!integer && !dual && parameter.type.text != "float") {
        checking.report
            .error("K0233", fmt::format("a parameter cannot be of type '{}'", parameter.type.text), parameter.type.span)
            .help = parameter.type.text.find("complex") != std::string::npos
                        ? "take two of 'float' or 'double': 'complex(a, b)' is a + ib"
                    : parameter_type_here(parameter.type.text).empty()
                        ? "parameters are 'float', 'double' or 'int'"
                        : fmt::format("write 'param {} {}'{}", parameter_type_here(parameter.type.text),
                                      parameter.name.text, parameter_differs(parameter.type.text));
    }
    const ScalarKind kind = integer ? ScalarKind::integer : ScalarKind::real;
    const Precision precision = dual ? Precision::dual : Precision::single;
    const ParameterId id =
        checking.program.parameters.add({parameter.name.text, kind, precision, nullptr, parameter.name.span});
    checking.names.declare(parameter.name, id, checking.report);
}

void declare_function(Checking& checking, std::size_t index) {
    const ast::Function& function = checking.ast.functions[index];
    const Reduction* reduction = find_reduction(function.name.text);
    const auto intrinsic = find_intrinsic(function.name.text);
    if ((intrinsic && is_reserved(*intrinsic)) || function.name.text == axis_sum_name ||
        function.name.text == extent_name || is_transform(function.name.text) || function.name.text == half_name ||
        function.name.text == staggered_name || (reduction && reduction->reserved)) {
        checking.report
            .error("K0202", fmt::format("'{}' is a function of the language", function.name.text), function.name.span)
            .help = "give it another name";
        return;
    }
    if (!function.hidden) checking.names.declare(function.name, FunctionIndex{index}, checking.report);
    if (function.arguments.size() > most_arguments) {
        checking.report.error("K0235", fmt::format("a function has at most {} arguments", most_arguments),
                              function.arguments[most_arguments].span,
                              fmt::format("'{}' has {}", function.name.text, function.arguments.size()));
        return;
    }
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (function.arguments[i].text != function.arguments[j].text) continue;
            Diagnostic& d = checking.report.error(
                "K0202", fmt::format("'{}' has two arguments '{}'", function.name.text, function.arguments[i].text),
                function.arguments[i].span);
            d.notes.push_back({function.arguments[j].span, "the first is here"});
        }
    }
}

}  // namespace

void check_declarations(Checking& checking) {
    for (const ast::Declaration& declaration : checking.ast.declarations) {
        if (checking.report.full()) return;
        declare_variable(checking, declaration);
    }
    for (std::size_t i = 0; i < checking.ast.options.size(); ++i)
        checking.names.declare(checking.ast.options[i].name, OptionIndex{i}, checking.report);
    for (const ast::Parameter& parameter : checking.ast.parameters) declare_parameter(checking, parameter);
    for (std::size_t i = 0; i < checking.ast.functions.size(); ++i) declare_function(checking, i);
}

}  // namespace kasc::frontend
