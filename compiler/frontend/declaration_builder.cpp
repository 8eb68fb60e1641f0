#include "frontend/declaration_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/constant_table.hpp"
#include "frontend/known.hpp"
#include "frontend/lists.hpp"
#include "frontend/number_value.hpp"

namespace kasc::frontend {

using grammar::KascParser;

void DeclarationBuilder::declare(KascParser::DeclarationContext* context) {
    const ast::Name type = expressions_.name(context->type);
    for (KascParser::DeclaratorContext* declarator : context->declarator()) {
        ast::Declaration item{type, expressions_.name(declarator->name()), {}, std::nullopt};
        item.is_field = declarator->axes() != nullptr;
        if (item.is_field) item.axes = names(declarator->axes()->name());
        if (declarator->boundary()) item.boundary = boundary(declarator->boundary());
        item.or_uniform = declarator->uniform() != nullptr;
        if (declarator->layout()) item.layout = expressions_.name(declarator->layout()->name());
        if (declarator->table()) add_table(item, declarator->table(), expressions_, building_);
        add(std::move(item));
    }
}

/// A field, or the parameter that stands in its place.
void DeclarationBuilder::add(ast::Declaration declaration) {
    if (building_.lets.find(declaration.name.text) && is_declared(building_, declaration.name)) return;
    Ast& ast = building_.ast;
    if (declaration.or_uniform) ast.may_be_uniform.push_back(declaration.name);
    const auto set = building_.settings.find(declaration.name.text);
    if (!declaration.or_uniform || set == building_.settings.end()) {
        ast.declarations.push_back(std::move(declaration));
        return;
    }
    const Span span = declaration.name.span;
    const auto number = std::make_shared<const ast::Expression>(ast::Expression{
        declaration.type.text == "int"
            ? ast::Number{fmt::format("{}", static_cast<long long>(set->second)), ast::NumberForm::integer}
            : ast::Number{fmt::format("{:.17e}", set->second), ast::NumberForm::real},
        span});
    ast.parameters.push_back({declaration.type, declaration.name, number});
    ast.uniform.push_back(std::move(declaration));
}

void DeclarationBuilder::cell_type(KascParser::CellTypeContext* context) {
    ast::CellTypeDeclaration item{expressions_.name(context->declared), expressions_.name(context->of), {}};
    for (antlr4::tree::TerminalNode* extent : context->INTEGER())
        item.extents.push_back(integer_value(extent->getText()).value_or(0));
    building_.ast.types.push_back(std::move(item));
}

void DeclarationBuilder::axis_length(KascParser::AxisLengthContext* context) {
    building_.ast.axis_lengths.push_back(
        {expressions_.name(context->name()), expressions_.expression(context->expression())});
}

void DeclarationBuilder::parameter(KascParser::ParameterContext* context) {
    for (KascParser::ParameterEntryContext* entry : context->parameterEntry()) {
        ast::Parameter item{expressions_.name(context->type), expressions_.name(entry->name()), nullptr};
        if (entry->expression()) item.fallback = expressions_.expression(entry->expression());
        building_.ast.parameters.push_back(std::move(item));
    }
}

void DeclarationBuilder::function(KascParser::FunctionContext* context) {
    std::vector<ast::Name> all = names(context->name());  // its own first
    ast::Function item{all.front(), {all.begin() + 1, all.end()}, nullptr};
    Lets& lets = building_.lets;
    lets.enter_scope();
    for (const ast::Name& argument : item.arguments) lets.hide(argument);
    for (KascParser::LocalContext* local : context->local()) {
        const ast::Name name = expressions_.name(local->name());
        const auto given = std::find_if(item.arguments.begin(), item.arguments.end(),
                                        [&](const ast::Name& a) { return a.text == name.text; });
        const auto let = lets.find(name.text);
        if (given != item.arguments.end() || (let && let->scope == lets.scope())) {
            Diagnostic& d = report_.error("K0202", fmt::format("'{}' is declared twice", name.text), name.span);
            d.notes.push_back(
                {let ? let->name.span : given->span, let ? "the first declaration is here" : "it is an argument here"});
        }
        ast::ExpressionRef value = expressions_.expression(local->expression());
        if (value) lets.declare(name, std::move(value), expressions_.nodes(), expressions_.deepest());
    }
    item.body = expressions_.expression(context->expression());
    lets.leave_scope();
    building_.ast.functions.push_back(std::move(item));
}

void DeclarationBuilder::list(KascParser::ListContext* context) {
    const ast::Name name = expressions_.name(context->name());
    if (building_.lists.contains(name.text))
        report_.error("K0202", fmt::format("'{}' is declared twice", name.text), name.span).help =
            "give the second list another name";
    building_.lists[name.text] = entries_of(context->entries(), expressions_.source(), building_);
}

void DeclarationBuilder::option(KascParser::OptionContext* context) {
    ast::Option item{expressions_.name(context->name(0)), 0, true};
    words(item, context->choices);
    const auto value = known(building_, *expressions_.expression(context->expression()), "the value of an option");
    const auto set = building_.settings.find(item.name.text);
    if (value) item.value = value->value, item.whole = value->whole;
    if (set != building_.settings.end()) item.value = set->second;
    if (item.whole && item.value != std::floor(item.value)) {
        report_.error("K0117", fmt::format("the option '{}' is an integer, not {}", item.name.text, item.value),
                      item.name.span);
    }
    const auto count = static_cast<double>(item.words.size());
    if (count > 0 && (!item.whole || item.value < 0 || item.value >= count)) {
        report_.error("K0117", fmt::format("the option '{}' is none of its words", item.name.text), item.name.span)
            .help = fmt::format("they are {}: the numbers from 0 to {}", name_list(item.words), item.words.size() - 1);
    }
    building_.ast.options.push_back(std::move(item));
}

void DeclarationBuilder::words(ast::Option& option, const std::vector<KascParser::NameContext*>& contexts) {
    for (KascParser::NameContext* context : contexts) {
        const ast::Name word = expressions_.name(context);
        const auto number = static_cast<double>(option.words.size());
        option.words.push_back(word.text);
        // Options may share a word that is the same number.
        const auto& all = building_.ast.options;
        const bool same = std::any_of(all.begin(), all.end(), [&](const ast::Option& other) {
            return other.is_word && other.name.text == word.text && other.value == number;
        });
        if (!same && !is_declared(building_, word)) building_.ast.options.push_back({word, number, true, {}, true});
    }
}

std::vector<ast::Name> DeclarationBuilder::names(const std::vector<KascParser::NameContext*>& contexts) const {
    std::vector<ast::Name> all;
    for (KascParser::NameContext* context : contexts) all.push_back(expressions_.name(context));
    return all;
}

ast::Boundary DeclarationBuilder::boundary(KascParser::BoundaryContext* context) {
    ast::Boundary item{{}, expressions_.span(context)};
    if (context->face()) {
        const ast::Face all = face(context->face());
        item.faces.push_back({std::nullopt, all, all, all.span});
    }
    for (KascParser::FacesContext* faces : context->faces()) {
        std::optional<ast::Name> axis;
        if (faces->axis) axis = expressions_.name(faces->axis);
        const ast::Face low = face(faces->low);
        item.faces.push_back({axis, low, faces->high ? face(faces->high) : low, expressions_.span(faces)});
    }
    return item;
}

ast::Face DeclarationBuilder::face(KascParser::FaceContext* context) {
    const Span place = expressions_.span(context);
    if (auto* keep = dynamic_cast<KascParser::KeepFaceContext*>(context)) {
        return {BoundaryKind::keep, expressions_.expression(keep->expression()), place};
    }
    if (auto* value = dynamic_cast<KascParser::ValueFaceContext*>(context)) {
        return {BoundaryKind::value, expressions_.expression(value->expression()), place};
    }
    if (dynamic_cast<KascParser::MirrorFaceContext*>(context) == nullptr)
        return {BoundaryKind::periodic, nullptr, place};
    return {BoundaryKind::mirror, nullptr, place, context->getText() != "mirror"};
}

}  // namespace kasc::frontend
