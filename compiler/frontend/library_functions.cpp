#include "frontend/library_functions.hpp"

#include <map>
#include <set>

#include "frontend/parse.hpp"

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

std::set<std::string> declared_names(const Ast& ast) {
    std::set<std::string> names;
    for (const ast::Declaration& d : ast.declarations) names.insert(d.name.text);
    for (const ast::Parameter& p : ast.parameters) names.insert(p.name.text);
    for (const ast::Function& f : ast.functions) names.insert(f.name.text);
    add_loop_variables(ast.statements, names);
    return names;
}

}  // namespace

Outcome<Ast> with_library_functions(Ast ast, const Library& library) {
    Diagnostics diagnostics;
    std::vector<ast::Function> functions;
    std::map<std::string, SourceRef> last;
    for (const SourceRef& source : library.field_functions) {
        auto read = parse_functions(source);
        diagnostics.insert(diagnostics.end(), read.diagnostics.begin(), read.diagnostics.end());
        if (!read) return failure<Ast>(std::move(diagnostics));
        for (ast::Function& function : *read.value) {
            last[function.name.text] = source;
            functions.push_back(std::move(function));
        }
    }
    const std::set<std::string> own = declared_names(ast);
    for (ast::Function& f : functions) f.hidden = own.contains(f.name.text) || last[f.name.text] != f.name.span.source;
    ast.functions.insert(ast.functions.begin(), std::make_move_iterator(functions.begin()),
                         std::make_move_iterator(functions.end()));
    return success(std::move(ast), std::move(diagnostics));
}

}  // namespace kasc::frontend
