#include "frontend/declared_names.hpp"

namespace kasc::frontend {

namespace {

void add_loop_variables(const std::vector<ast::Statement>& statements, std::set<std::string>& names) {
    for (const ast::Statement& statement : statements) {
        const auto* loop = std::get_if<std::shared_ptr<const ast::Loop>>(&statement);
        if (!loop) continue;
        names.insert((*loop)->variable.text);
        add_loop_variables((*loop)->body, names);
    }
}

}  // namespace

std::set<std::string> declared_names(const Ast& ast) {
    std::set<std::string> names;
    for (const ast::Declaration& d : ast.declarations) names.insert(d.name.text);
    for (const ast::Parameter& p : ast.parameters) names.insert(p.name.text);
    for (const ast::Function& f : ast.functions) names.insert(f.name.text);
    add_loop_variables(ast.statements, names);
    return names;
}

}  // namespace kasc::frontend
