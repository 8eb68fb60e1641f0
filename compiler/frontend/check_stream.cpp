#include <fmt/format.h>

#include "frontend/cell_arguments.hpp"
#include "frontend/checking.hpp"

// target = callee(arguments): the types of the arguments and of the target are those of the library's function.

namespace kasc::frontend {

namespace {

const std::string& type_name(const Checking& checking, TypeId type) { return checking.library.types[type].name; }

TypeId type_of(const Checking& checking, VariableId variable) {
    return std::get<StreamShape>(checking.program.variables[variable].shape).type;
}

/// The arguments that could be resolved; none, with an error, where one is no variable.
std::optional<std::vector<VariableId>> resolve_arguments(Checking& checking, const ast::Call& call) {
    std::vector<VariableId> arguments;
    bool good = true;
    for (const ast::ExpressionRef& argument : call.arguments) {
        if (checking.report.full()) return std::nullopt;
        const auto& use = std::get<ast::NameUse>(argument->node);
        const auto id = resolve_variable(checking, {use.name, argument->span});
        good = good && id.has_value();
        if (!id) continue;
        checking.flow.read(checking.program.variables[*id], *id, argument->span, checking.report);
        arguments.push_back(*id);
    }
    return good ? std::optional(std::move(arguments)) : std::nullopt;
}

bool check_signature(Checking& checking, const ast::Call& call, const Function& function,
                     const std::vector<VariableId>& arguments) {
    if (arguments.size() != function.arguments.size()) {
        Diagnostic& d = checking.report.error(
            "K0205", fmt::format("'{}' takes {}", function.name, counted(function.arguments.size(), "argument")),
            call.callee.span, fmt::format("{} given", arguments.size()));
        d.help = fmt::format("the function is {}", signature(checking.library, function));
        return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const TypeId given = type_of(checking, arguments[i]);
        if (given == function.arguments[i]) continue;
        const Variable& variable = checking.program.variables[arguments[i]];
        Diagnostic& d =
            checking.report.error("K0206",
                                  fmt::format("argument {} of '{}' must be of type '{}'", i + 1, function.name,
                                              type_name(checking, function.arguments[i])),
                                  call.arguments[i]->span, fmt::format("'{}' given", type_name(checking, given)));
        d.notes.push_back({variable.span, fmt::format("'{}' is declared here", variable.name)});
        d.help = fmt::format("the function is {}", signature(checking.library, function));
        good = false;
    }
    return good;
}

bool check_result(Checking& checking, const ast::Assignment& assignment, const Function& function, VariableId target) {
    if (type_of(checking, target) == function.result) return true;
    const Variable& variable = checking.program.variables[target];
    Diagnostic& d = checking.report.error(
        "K0207",
        fmt::format("'{}' gives a '{}', not a '{}'", function.name, type_name(checking, function.result),
                    type_name(checking, type_of(checking, target))),
        assignment.target.span, fmt::format("is a '{}'", type_name(checking, type_of(checking, target))));
    d.notes.push_back({variable.span, fmt::format("'{}' is declared here", variable.name)});
    return false;
}

}  // namespace

std::optional<Statement> check_stream_assignment(Checking& checking, const ast::Assignment& assignment) {
    // Other statements are of fields, those too that call what the library does not have (element_axis.hpp).
    const auto& call = std::get<ast::Call>(assignment.value->node);
    const auto target = resolve_variable(checking, assignment.target);
    std::optional<Statement> statement;
    const FunctionId callee = checking.library.find_function(call.callee.text).value();
    const auto arguments = resolve_arguments(checking, call);
    if (arguments) {
        const Function& function = checking.library.functions[callee];
        const bool fits = check_signature(checking, call, function, *arguments);
        if (fits && target && check_result(checking, assignment, function, *target)) {
            statement = CallStatement{assignment.span, *target, callee, *arguments};
        }
    }
    if (target) checking.flow.assign(*target, AssignedPart::whole);
    return statement;
}

}  // namespace kasc::frontend
