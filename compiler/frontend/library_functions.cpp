#include "frontend/library_functions.hpp"

#include <map>
#include <set>

#include "frontend/declared_names.hpp"
#include "frontend/parse.hpp"

namespace kasc::frontend {

Outcome<Ast> with_library_functions(Ast ast, const Library& library) {
    Diagnostics diagnostics;
    std::vector<ast::Function> functions;
    std::map<std::string, SourceRef> last;  // without a source: code of a later folder
    for (const auto& [source, replaced] : library.field_functions) {
        auto read = parse_functions(source);
        diagnostics.insert(diagnostics.end(), read.diagnostics.begin(), read.diagnostics.end());
        if (!read) return failure<Ast>(std::move(diagnostics));
        for (ast::Function& function : *read.value) {
            last[function.name.text] = replaced.contains(function.name.text) ? nullptr : source;
            function.of_library = true;
            functions.push_back(std::move(function));
        }
    }
    const std::set<std::string> own = declared_names(ast);
    for (ast::Function& f : functions) f.hidden = own.contains(f.name.text) || last[f.name.text] != f.name.span.source;
    ast.functions.insert(ast.functions.begin(), std::make_move_iterator(functions.begin()),
                         std::make_move_iterator(functions.end()));
    return success(std::move(ast), std::move(diagnostics));
}

std::vector<std::string> function_names(const Ast& ast, const Library& library) {
    std::vector<std::string> names;
    for (const ast::Function& function : ast.functions) names.push_back(function.name.text);
    for (const Function& function : library.functions) names.push_back(function.name);
    names.insert(names.end(), library.unread.begin(), library.unread.end());
    return names;
}

}  // namespace kasc::frontend
