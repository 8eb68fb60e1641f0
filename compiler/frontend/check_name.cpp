#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/foreign_functions.hpp"

// A name in an expression: an argument of the function that is being expanded, a parameter, a loop variable, a field.

namespace kasc::frontend {

std::optional<std::size_t> ExpressionChecker::argument_index(const std::string& name) const {
    if (!frame_) return std::nullopt;
    const std::vector<ast::Name>& arguments = checking_.ast.functions[frame_->function].arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].text == name) return i;
    }
    return std::nullopt;
}

ExpressionRef ExpressionChecker::name(Wanted wanted, const std::string& name, const Span& span) {
    if (const auto argument = argument_index(name)) {
        const Frame* frame = frame_;
        frame_ = frame->caller;
        ExpressionRef value = check(wanted, *frame->arguments[*argument]);
        frame_ = frame;
        return value;
    }
    const bool bound = std::any_of(bound_axes_.begin(), bound_axes_.end(),
                                   [&](const BoundAxis& b) { return b.frame == frame_ && b.name == name; });
    const Symbol* symbol = bound ? nullptr : checking_.names.use(name);
    if (const auto axis = symbol ? std::nullopt : axis_named(name)) return coordinate(wanted, *axis, span);
    if (!symbol && beyond_ && is_loop_variable(checking_.ast, name)) {
        report_loop_variable_beyond(name, span);
        return nullptr;
    }
    if (!symbol) {
        if (!checking_.undeclared.insert(name).second) return nullptr;
        Diagnostic& d = error("K0204", fmt::format("'{}' is not declared", name), span);
        const bool imaginary = wanted == Wanted::complex && (name == "i" || name == "j" || name == "I");
        d.help = imaginary ? "the imaginary unit is 'complex(0, 1)'" : name_here(name);
        const bool counts = name.size() > 1 && (name.front() == 'N' || name.front() == 'n');
        if (d.help.empty() && counts && checking_.axes.contains(name.substr(1)))
            d.help = fmt::format("the length along {0} is 'extent({0})'", name.substr(1));
        if (d.help.empty() && is_loop_variable(checking_.ast, name))
            d.help = fmt::format(
                "the variable of a loop is known inside of it: a field 'float last[];' keeps it, 'last = {};'", name);
        if (d.help.empty() && !checking_.report.full()) d.help = did_you_mean(name, checking_.names.all());
        if (d.help.empty() && checking_.deciding)
            d.help =
                fmt::format("declare it, 'int {0}[];' or 'float {0}[];', and give it a value before: '{0} = 0;'", name);
        if (d.help.empty() && !checking_.ast.calls_alone && name.size() > 1)
            d.help = fmt::format("declare it: 'param float {0};' is a number of a run, 'float {0}[x];' a field", name);
        return nullptr;
    }
    if (std::holds_alternative<Faulty>(symbol->meaning)) return nullptr;
    if (wanted == Wanted::boolean) {
        report_not_condition(span, name);
        return nullptr;
    }
    if (const auto* id = std::get_if<ParameterId>(&symbol->meaning)) {
        const ast::Declaration* uniform = allowed_.folded ? uniform_field({name, span}) : nullptr;
        if (uniform) run_along(*uniform, {});
        return parameter(wanted, *id, span);
    }
    if (const auto* id = std::get_if<VariableId>(&symbol->meaning)) return field(wanted, *id, span);
    if (const auto* id = std::get_if<LoopId>(&symbol->meaning)) return loop_variable(*id, span);
    if (const auto* option = std::get_if<OptionIndex>(&symbol->meaning)) {
        const ast::Option& known = checking_.ast.options[option->index];
        if (wanted == Wanted::integer && !known.whole) {
            report_not_integer(span, "the option is real");
            return nullptr;
        }
        return make_expression(Literal{known.value}, known.whole ? ScalarKind::integer : ScalarKind::real, span);
    }
    Diagnostic& d = error("K0213", fmt::format("'{}' is a function", name), span);
    d.notes.push_back({symbol->span, "declared here"});
    d.help = fmt::format("call it: '{}(...)'", name);
    return nullptr;
}

ExpressionRef ExpressionChecker::parameter(Wanted wanted, ParameterId id, const Span& span) {
    const Parameter& parameter = checking_.program.parameters[id];
    if (id.index >= allowed_.parameters) {
        const bool itself = id.index == allowed_.parameters;
        Diagnostic& d = error("K0221",
                              fmt::format("the value of a parameter uses {}",
                                          itself ? "the parameter itself"
                                                 : fmt::format("'{}', which is declared below it", parameter.name)),
                              span);
        if (!itself) d.notes.push_back({parameter.span, "declared here"});
        d.help = "a parameter's value may use the parameters above it";
        return nullptr;
    }
    if (wanted == Wanted::integer && parameter.kind != ScalarKind::integer) {
        const char* type = parameter.precision == Precision::dual ? "double" : "float";
        Diagnostic& d = error("K0219", "an integer is needed here", span,
                              fmt::format("'{}' is a 'param {}'", parameter.name, type));
        d.notes.push_back({parameter.span, "declared here"});
        d.help = fmt::format("declare it 'param int {0};', or cut its fraction off: 'int({0})'", parameter.name);
        return nullptr;
    }
    return make_expression(ParameterUse{id}, parameter.kind, span);
}

ExpressionRef ExpressionChecker::coordinate(Wanted wanted, AxisId axis, const Span& span) {
    const std::string& name = checking_.program.axes[axis].name;
    if (!allowed_.operands) {
        error("K0226", fmt::format("{} cannot use the coordinate '{}'", allowed_.where, name), span,
              "it differs from cell to cell")
            .help = allowed_.instead;
        return nullptr;
    }
    if (wanted == Wanted::boolean) {
        report_not_condition(span, name);
        return nullptr;
    }
    if (beyond_) {
        ExpressionRef place = coordinate_beyond(axis, span);
        return place ? word_as_wanted(wanted, std::move(place)) : nullptr;
    }
    if (allowed_.operands->target_axis(axis) != Operands::TargetAxis::running) {
        error("K0216",
              fmt::format("{} does not run along '{}'", allowed_.transformed ? "what is transformed" : "the statement",
                          name),
              span)
            .help = fmt::format("a coordinate is known along the axes of {}; 'extent({})' is the length",
                                allowed_.transformed ? "a transform's argument" : "the target", name);
        return nullptr;
    }
    return make_expression(CoordinateUse{axis}, ScalarKind::integer, span);
}

/// Among reals an integer that is more than a leaf is converted.
ExpressionRef ExpressionChecker::word_as_wanted(Wanted wanted, ExpressionRef word) {
    const bool leaf =
        std::holds_alternative<OperandUse>(word->node) || std::holds_alternative<CoordinateUse>(word->node);
    return leaf || word->kind != ScalarKind::integer ? word : as_wanted(wanted, std::move(word));
}

ExpressionRef ExpressionChecker::loop_variable(LoopId id, const Span& span) {
    if (frame_) {
        error("K0234", fmt::format("a function cannot use the loop variable '{}'", checking_.program.loops[id].name),
              span)
            .help = "pass it as an argument";
        return nullptr;
    }
    if (!allowed_.loop_variables) {
        error("K0234",
              fmt::format("{} cannot use the loop variable '{}'", allowed_.where, checking_.program.loops[id].name),
              span)
            .help = "it may use integer literals and 'param int'";
        return nullptr;
    }
    return make_expression(LoopIndexUse{id}, ScalarKind::integer, span);
}

ExpressionRef ExpressionChecker::field(Wanted wanted, VariableId id, const Span& span) {
    const Variable& variable = checking_.program.variables[id];
    const bool stream = checking_.ast.calls_alone;
    if (stream || !allowed_.operands) {
        Diagnostic& d = error(
            "K0226",
            fmt::format("{} cannot use the {} '{}'", allowed_.where, stream ? "stream" : "field", variable.name), span);
        d.notes.push_back({variable.span, "declared here"});
        d.help = allowed_.instead;
        return nullptr;
    }
    if (wanted == Wanted::integer && !is_integer(field_shape(checking_.program, id).type)) {
        Diagnostic& d = error("K0219", "an integer is needed here", span, "the value of a field is real");
        const char* type = name_of(field_shape(checking_.program, id).type);
        d.notes.push_back({variable.span, fmt::format("'{}' is a field of '{}'", variable.name, type)});
        d.help = is_complex(field_shape(checking_.program, id).type)
                     ? "an integer is read from a field of 'int', 'int64' or 'uint8'"
                     : fmt::format("'int({0})' cuts the fraction off, '{0} > 0 ? 1 : 0' chooses", variable.name);
        return nullptr;
    }
    if (is_complex(field_shape(checking_.program, id).type) &&
        !complex_may_stand(wanted, span, fmt::format("'{}' is a field of complex numbers", variable.name)))
        return nullptr;
    ExpressionRef value =
        read(id, std::vector<AxisIndex>(field_shape(checking_.program, id).axes.size(), Offset{0}), span);
    return value ? word_as_wanted(wanted, std::move(value)) : nullptr;
}

}  // namespace kasc::frontend
