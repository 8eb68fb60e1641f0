#include <fmt/format.h>

#include <algorithm>

#include "frontend/cell_arguments.hpp"
#include "frontend/check_expression.hpp"
#include "frontend/foreign_arrays.hpp"
#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/library_functions.hpp"
#include "frontend/operators.hpp"
#include "frontend/token_words.hpp"

// Functions of other languages, and numbers for axes, in expressions that the grammar takes.

namespace kasc::frontend {

std::vector<std::string> ExpressionChecker::declared_axes(const std::string& field) const {
    const Symbol* symbol = checking_.names.find(field);
    const auto* id = symbol ? std::get_if<VariableId>(&symbol->meaning) : nullptr;
    return id && !checking_.ast.calls_alone ? axis_names(*id) : std::vector<std::string>();
}

std::vector<std::string> ExpressionChecker::running_axes() const {
    std::vector<std::string> names;
    if (!allowed_.operands || !allowed_.operands->has_target()) return names;
    for (const AxisId axis : allowed_.operands->running()) names.push_back(checking_.program.axes[axis].name);
    return names;
}

std::string ExpressionChecker::help_for_arrays_of(const ast::Call& node) const {
    ForeignCall call;
    call.name = node.callee.text;
    for (const ast::ExpressionRef& argument : node.arguments)
        call.arguments.push_back({"", short_text(argument->span)});
    if (allowed_.operands && allowed_.operands->has_target()) call.target = target_name();
    call.target_axes = running_axes();
    const std::string& text = node.callee.span.source->text;
    std::size_t before = node.callee.span.begin, behind = node.callee.span.end;
    if (!node.arguments.empty()) behind = node.arguments.back()->span.end;
    while (before > 0 && text[before - 1] == ' ') --before;
    while (behind < text.size() && (text[behind] == ' ' || text[behind] == ')')) ++behind;
    call.alone = !frame_ && before > 0 && text[before - 1] == '=' && behind < text.size() && text[behind] == ';';
    call.axes_of = [&](const std::string& name) -> std::optional<std::vector<std::string>> {
        const Symbol* symbol = checking_.names.find(name);
        const auto* id = symbol ? std::get_if<VariableId>(&symbol->meaning) : nullptr;
        if (!id || checking_.ast.calls_alone) return std::nullopt;
        return axis_names(*id);
    };
    return help_for_arrays(call);
}

std::string ExpressionChecker::help_for_axes(const Reduction& called, const ast::Call& node) const {
    const std::string& name = node.callee.text;
    std::string help = help_for_arrays_of(node);
    if (help.empty()) help = fmt::format("as in '{}(u, x{})'", name, called.running ? "" : ", y");
    return help + (called.running ? "; '-x' in place of 'x' is from the last cell down"
                                  : "; without any, all axes are folded");
}

void ExpressionChecker::report_unknown_function(const ast::Call& node, const Span& span) {
    const std::string& asked = node.callee.text;
    std::vector<std::string> names = intrinsic_names();
    for (std::string& known : function_names(checking_.ast, checking_.library)) names.push_back(std::move(known));
    Diagnostic& d = error("K0203", fmt::format("unknown function '{}'", asked), node.callee.span);
    for (const ast::Name& procedure : checking_.ast.procedures) {
        if (procedure.text != asked) continue;
        d.notes.push_back({procedure.span, "a procedure has this name"});
        d.help = fmt::format("a procedure has no value: it stands by itself, '{}(...);'", procedure.text);
        return;
    }
    std::vector<std::string> given;
    for (const ast::ExpressionRef& argument : node.arguments) given.push_back(short_text(argument->span));
    const std::string first = given.empty() ? "" : given.front();
    const std::vector<std::string> axes = declared_axes(first);
    const bool fields = !checking_.ast.calls_alone;
    const bool range = allowed_.where == std::string_view("the length of an axis");
    if (given.size() == 1 &&
        (asked == "len" || asked == "size" || asked == "shape" || asked == "numel" || asked == "length"))
        d.help = lengths_here(axes);
    if (range && (asked == "range" || asked == "arange") && given.size() == 1)
        d.help = fmt::format("write '{}'", first);
    if (!d.help.empty()) return;
    const std::vector<std::string> of_cells = functions_of_stem(asked, names);
    const std::string arrays = fields ? help_for_arrays_of(node) : std::string();
    const std::string here = form_here(asked, with_axes(given, running_axes()));
    const std::string said = fields || of_cells.empty()
                                 ? sentence_here(asked, with_axes(given, axes.empty() ? running_axes() : axes))
                                 : std::string();
    std::string help = !arrays.empty() ? arrays : !said.empty() ? said : "";
    if (help.empty() && !here.empty()) help = fmt::format("write '{}'", here);
    help = in_place_of(span, std::move(help));
    if (!help.empty() && !of_cells.empty())
        help = help.starts_with("write ")
                   ? fmt::format("of cells there are {}, of fields {}", name_list(of_cells), help.substr(6))
                   : fmt::format("of cells there are {}; of fields: {}", name_list(of_cells), help);
    d.help = help;
    if (d.help.empty()) d.help = did_you_mean(asked, names);
    if (d.help.empty() && !of_cells.empty()) d.help = fmt::format("of cells there are {}", name_list(of_cells));
    if (d.help.empty()) d.help = fmt::format("the functions of the language are {}", name_list(intrinsic_names()));
}

}  // namespace kasc::frontend
