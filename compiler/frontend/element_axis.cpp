//   matrix3x3 A, B;                         matrix3x3 A[elements], B[elements];
//   param float s;                     →    param float s;
//   B = s*mmul33(A, A);                     B = s*mmul33(A, A);
//
//   matrix3x3 A, B;                    →    the same
//   param float least;
//   require(least > 0);
//   B = mmul33(A, A);
#include "frontend/element_axis.hpp"

#include <algorithm>
#include <set>

#include "foundation/cell_type.hpp"
#include "frontend/cell_conditions.hpp"

namespace kasc::frontend {

namespace {

class Streams {
public:
    Streams(const Ast& ast, const Library& library) : ast_(ast), library_(library) {}

    /// A type that nobody knows is at fault either way.
    [[nodiscard]] bool is_stream(const ast::Declaration& declaration) const {
        const std::string& type = declaration.type.text;
        return !declaration.is_field && (is_type(type) || !find_cell_type(type));
    }
    /// All that touches a stream is a call of the library with streams alone: those have kernels of their own.
    [[nodiscard]] bool are_called_alone() const {
        const auto& all = ast_.declarations;
        const bool plain = std::all_of(all.begin(), all.end(), [&](const ast::Declaration& d) {
            return !d.is_field && !d.boundary && !d.or_uniform && !d.layout && !has(ast_.types, d.type.text);
        });
        const auto& required = ast_.requirements;
        return plain && ast_.uniform.empty() && ast_.axis_lengths.empty() && are_calls(ast_.statements) &&
               std::all_of(required.begin(), required.end(),
                           [&](const ast::ExpressionRef& condition) { return is_of_numbers(*condition); });
    }

private:
    const Ast& ast_;
    const Library& library_;

    template <class Items>
    [[nodiscard]] static bool has(const Items& items, const std::string& name) {
        return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name.text == name; });
    }
    [[nodiscard]] bool is_type(const std::string& name) const {
        return library_.find_type(name) || has(ast_.types, name);
    }
    /// The expression names no stream, and not their axis.
    [[nodiscard]] bool is_of_numbers(const ast::Expression& expression) const {
        std::set<std::string> names;
        add_names(expression, ast_, names);
        return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
            return name == element_axis || has(ast_.declarations, name);
        });
    }
    [[nodiscard]] bool are_calls(const std::vector<ast::Statement>& statements) const {
        return std::all_of(statements.begin(), statements.end(), [&](const ast::Statement& statement) {
            if (const auto* held = std::get_if<std::shared_ptr<const ast::Loop>>(&statement)) {
                const ast::Loop& loop = **held;
                return !loop.once && !loop.condition && is_of_numbers(*loop.from) && is_of_numbers(*loop.to) &&
                       are_calls(loop.body);
            }
            return is_call(std::get<ast::Assignment>(statement));
        });
    }
    /// Functions of the program, and its types, take the place of the library's.
    [[nodiscard]] bool is_of_library(const std::string& function) const {
        return library_.find_function(function) && !has(ast_.functions, function) && !is_type(function);
    }
    [[nodiscard]] bool is_call(const ast::Assignment& assignment) const {
        const auto* call = std::get_if<ast::Call>(&assignment.value->node);
        const bool whole = assignment.indices.empty() && !assignment.word && !assignment.adds && !assignment.colours;
        return whole && call && is_of_library(call->callee.text) &&
               std::all_of(call->arguments.begin(), call->arguments.end(), [&](const ast::ExpressionRef& argument) {
                   const auto* use = std::get_if<ast::NameUse>(&argument->node);
                   return use && !has(ast_.parameters, use->name) && !has(ast_.options, use->name);
               });
    }
};

}  // namespace

Ast with_element_axis(Ast ast, const Library& library) {
    const Streams streams(ast, library);
    ast.calls_alone = streams.are_called_alone();
    if (ast.calls_alone) return ast;
    const auto is_number = [&](const std::string& name) {
        const auto type = library.find_type(name);
        return type && library.types[*type].shape.empty();
    };
    std::vector<ast::Declaration> made = ast.declarations, uniform = ast.uniform;
    for (std::vector<ast::Declaration>* all : {&made, &uniform}) {
        for (ast::Declaration& declaration : *all) {
            if (!streams.is_stream(declaration)) continue;
            declaration.is_field = true;
            declaration.axes = {{element_axis, declaration.name.span}};
            if (is_number(declaration.type.text)) declaration.type.text = "float";
        }
    }
    // A field that is one number here is a parameter: of a type of the language.
    for (const ast::Declaration& field : uniform) {
        for (ast::Parameter& parameter : ast.parameters)
            if (parameter.name.text == field.name.text && is_number(parameter.type.text)) parameter.type.text = "float";
    }
    ast.declarations = std::move(made);
    ast.uniform = std::move(uniform);
    return ast;
}

}  // namespace kasc::frontend
