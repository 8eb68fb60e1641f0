#include "frontend/names_in_order.hpp"

#include <fmt/format.h>

#include "frontend/ast_parts.hpp"

// The text is read from above, so that what statements have said when a declaration comes is what stands above it:
//
//     T = dt*a;
//     param float dt;        error: 'dt' is used above

namespace kasc::frontend {

using grammar::KascParser;

namespace {

std::vector<KascParser::NameContext*> declared(KascParser::ItemContext* item) {
    std::vector<KascParser::NameContext*> names;
    if (item->declaration())
        for (KascParser::DeclaratorContext* field : item->declaration()->declarator()) names.push_back(field->name());
    if (item->parameter())
        for (KascParser::ParameterEntryContext* entry : item->parameter()->parameterEntry())
            names.push_back(entry->name());
    if (item->inputs()) names = item->inputs()->name();
    if (item->cellType()) names.push_back(item->cellType()->declared);
    if (item->option()) names.push_back(item->option()->name(0));
    if (item->function()) names.push_back(item->function()->callee);
    return names;
}

}  // namespace

void NamesInOrder::say(const std::vector<ast::Statement>& statements, std::size_t first) {
    for (std::size_t i = first; i < statements.size(); ++i) {
        if (const auto* assignment = std::get_if<ast::Assignment>(&statements[i])) {
            said_.try_emplace(assignment->target.text, assignment->target.span);
            for (const ast::Index& index : assignment->indices) say(index.value);
            say(assignment->value);
            say(assignment->colours);
            continue;
        }
        const ast::Loop& loop = *std::get<std::shared_ptr<const ast::Loop>>(statements[i]);
        for (const ast::ExpressionRef& e : {loop.from, loop.to, loop.condition}) say(e);
        say(loop.body);
        say(loop.otherwise);
    }
}

void NamesInOrder::say(const ast::ExpressionRef& e) {
    if (!e || !seen_.insert(e.get()).second) return;
    if (const auto* use = std::get_if<ast::NameUse>(&e->node)) said_.try_emplace(use->name, e->span);
    if (const auto* call = std::get_if<ast::Call>(&e->node)) said_.try_emplace(call->callee.text, call->callee.span);
    if (const auto* word = std::get_if<ast::WordUse>(&e->node)) say(word->cell);
    if (const auto* access = std::get_if<ast::Access>(&e->node)) {
        said_.try_emplace(access->variable.text, access->variable.span);
        for (const ast::Index& index : access->indices) say(index.value);
    }
    for_each_operand(*e, [&](const ast::ExpressionRef& part) { say(part); });
}

void NamesInOrder::declare(KascParser::ItemContext* item, const ExpressionBuilder& places, Report& report) const {
    for (KascParser::NameContext* context : declared(item)) {
        const ast::Name name = places.name(context);
        const auto above = said_.find(name.text);
        if (above == said_.end()) continue;
        const bool input = item->inputs() != nullptr;
        Diagnostic& d = report.error(
            "K0275", fmt::format("'{}' is {} below its use", name.text, input ? "an input" : "declared"), name.span);
        d.notes.push_back({above->second, "it is used here"});
        d.help = input ? "inputs are read before the first statement: write 'input' above"
                       : "declare it above the statement";
    }
}

}  // namespace kasc::frontend
