#include "frontend/called_reduction.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"

namespace kasc::frontend {

namespace {

/// A function or a type of the program or of the library has the name there.
bool is_taken(const Ast& ast, const Library& library, const std::string& name, std::optional<std::size_t> text) {
    if (library.find_function(name)) return true;
    if (text && ast.functions[*text].of_library) {
        const auto above = ast.functions.begin() + static_cast<std::ptrdiff_t>(*text);
        return std::any_of(ast.functions.begin(), above, [&](const ast::Function& f) { return f.name.text == name; });
    }
    return std::any_of(ast.functions.begin(), ast.functions.end(),
                       [&](const ast::Function& f) { return !f.hidden && f.name.text == name; }) ||
           std::any_of(ast.types.begin(), ast.types.end(),
                       [&](const ast::CellTypeDeclaration& type) { return type.name.text == name; });
}

}  // namespace

const Reduction* called_reduction(const Ast& ast, const Library& library, const std::string& name,
                                  std::optional<std::size_t> text) {
    const Reduction* reduction = find_reduction(name);
    if (!reduction || reduction->reserved) return reduction;
    return is_taken(ast, library, name, text) ? nullptr : reduction;
}

std::optional<Intrinsic> called_intrinsic(const Ast& ast, const Library& library, const std::string& name,
                                          std::optional<std::size_t> text) {
    const auto intrinsic = find_intrinsic(name);
    if (!intrinsic || is_reserved(*intrinsic)) return intrinsic;
    return is_taken(ast, library, name, text) ? std::nullopt : intrinsic;
}

ast::ExpressionRef folded_of(const Reduction& reduction, const ast::ExpressionRef& argument) {
    const auto made = [&](auto node) {
        return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), argument->span});
    };
    switch (reduction.folds) {
        case Reduction::Folds::value:
            return argument;
        case Reduction::Folds::square:
            return made(ast::Binary{BinaryOperator::multiply, argument, argument, argument->span});
        case Reduction::Folds::condition:
            return made(ast::Conditional{argument, made(ast::Number{"1"}), made(ast::Number{"0"})});
        case Reduction::Folds::first_minimum:
        case Reduction::Folds::first_maximum:
            break;
    }
    throw std::logic_error("a reduction folds nothing");
}

bool gives_position(const Reduction& reduction) {
    return reduction.folds == Reduction::Folds::first_minimum || reduction.folds == Reduction::Folds::first_maximum;
}

ast::ExpressionRef position_of(const Reduction& reduction, const ast::ExpressionRef& argument,
                               const std::string& axis) {
    const Span& span = argument->span;
    const auto made = [&](auto node) {
        return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
    };
    const char* extreme = reduction.folds == Reduction::Folds::first_minimum ? "minimum" : "maximum";
    const ast::ExpressionRef along = made(ast::NameUse{axis});
    const ast::ExpressionRef most = made(ast::Call{{extreme, span}, {argument, along}, {}, find_reduction(extreme)});
    const ast::ExpressionRef none = made(ast::Call{{extent_name, span}, {along}});
    return made(ast::Conditional{made(ast::Binary{BinaryOperator::equal, argument, most, span}), along, none});
}

}  // namespace kasc::frontend
