#include "frontend/known.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/ast_parts.hpp"

namespace kasc::frontend {

namespace {

const ast::Option* find_option(const Ast& ast, const std::string& name) {
    const auto option =
        std::find_if(ast.options.begin(), ast.options.end(), [&](const ast::Option& o) { return o.name.text == name; });
    return option == ast.options.end() ? nullptr : &*option;
}

template <class Item>
const ast::Name* find_name(const std::vector<Item>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Item& item) { return item.name.text == name; });
    return found == all.end() ? nullptr : &found->name;
}

}  // namespace

std::optional<Constant> known(const Building& building, const ast::Expression& expression, const char* what) {
    const auto value = constant_of(expression, [&](const std::string& name) -> std::optional<Constant> {
        const ast::Option* option = find_option(building.ast, name);
        return option ? std::optional(Constant{option->value, option->whole}) : std::nullopt;
    });
    if (!value) {
        building.report
            .error("K0116", fmt::format("{} must be known when the program is compiled", what), expression.span,
                   "made of numbers and of options that are declared above")
            .help =
            "declare 'option name = 0;' and set it with --set name=1; what differs from cell to cell is "
            "chosen with 'condition ? a : b'";
    }
    return value;
}

bool is_of_options(const Ast& ast, const ast::Expression& e) {
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return find_option(ast, use->name) != nullptr;
    if (std::holds_alternative<ast::Access>(e.node) || std::holds_alternative<ast::WordUse>(e.node)) return false;
    bool all = true;
    for_each_operand(e, [&](const ast::ExpressionRef& part) { all = all && part && is_of_options(ast, *part); });
    return all;
}

bool is_declared(const Building& building, const ast::Name& name) {
    const Ast& ast = building.ast;
    const ast::Name* first = find_name(ast.declarations, name.text);
    if (!first) first = find_name(ast.parameters, name.text);
    if (!first) first = find_name(ast.options, name.text);
    if (!first) first = find_name(ast.functions, name.text);
    const auto let = building.lets.find(name.text);
    if (!first && let) first = &let->name;
    if (!first) return false;
    Diagnostic& d = building.report.error("K0202", fmt::format("'{}' is declared twice", name.text), name.span);
    d.notes.push_back({first->span, "the first declaration is here"});
    return true;
}

}  // namespace kasc::frontend
