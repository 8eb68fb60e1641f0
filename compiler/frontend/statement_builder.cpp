#include "frontend/statement_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/declaration_builder.hpp"
#include "frontend/expansion.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/item_reader.hpp"
#include "frontend/known.hpp"
#include "frontend/lists.hpp"
#include "frontend/mentions.hpp"
#include "frontend/procedures.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

/// 'output S;' reads like the declaration of an S; empty: it is one.
std::string foreign_statement(KascParser::DeclarationContext* declaration) {
    std::string names;
    for (KascParser::DeclaratorContext* declarator : declaration->declarator()) {
        if (declarator->axes()) return {};
        names += fmt::format("{}{}", names.empty() ? "" : ", ", declarator->getText());
    }
    return statement_here(declaration->type->getText(), names);
}

bool are_statements(KascParser::ChoiceContext* context) {
    const auto all = [](const std::vector<KascParser::ItemContext*>& items) {
        return std::all_of(items.begin(), items.end(), [](KascParser::ItemContext* item) {
            if (item->declaration() || item->axisLength()) return true;
            return item->statement() && (!item->statement()->choice() || are_statements(item->statement()->choice()));
        });
    };
    return all(context->then->item()) && (!context->otherwise || all(context->otherwise->item())) &&
           (!context->choice() || are_statements(context->choice()));
}

/// Options, and entries of lists, may leave nothing of it.
bool may_vanish(KascParser::StatementContext* context) { return !context->assignment() && !context->local(); }

bool may_vanish(KascParser::ChoiceContext* context) {
    const auto some = [](const std::vector<KascParser::ItemContext*>& items) {
        return std::any_of(items.begin(), items.end(), [](KascParser::ItemContext* item) {
            return item->statement() && may_vanish(item->statement());
        });
    };
    return some(context->then->item()) || (context->otherwise && some(context->otherwise->item())) ||
           (context->choice() && may_vanish(context->choice()));
}

/// n < most && residual > 1e-6: what stands before the first && is the bound.
void take_condition_apart(ast::Loop& loop) {
    std::vector<std::pair<ast::ExpressionRef, const ast::Expression*>> terms;
    const ast::ExpressionRef written = loop.to;
    ast::ExpressionRef first = written;
    while (first) {
        const auto* both = std::get_if<ast::Binary>(&first->node);
        if (!both || both->op != BinaryOperator::logical_and) break;
        terms.emplace_back(both->right, first.get());
        first = both->left;
    }
    loop.to = first;
    for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
        if (!loop.condition) {
            loop.condition = term->first;
            continue;
        }
        const Span span{loop.condition->span.source, loop.condition->span.begin, term->first->span.end};
        loop.condition = std::make_shared<const ast::Expression>(
            ast::Expression{ast::Binary{BinaryOperator::logical_and, loop.condition, term->first,
                                        std::get<ast::Binary>(term->second->node).op_span},
                            span});
    }
}

}  // namespace

bool StatementBuilder::is_of_run(KascParser::ChoiceContext* context, const ast::ExpressionRef& condition) const {
    return condition && !is_of_options(building_.ast, *condition) && are_statements(context);
}

std::shared_ptr<const ast::Loop> StatementBuilder::choice(KascParser::ChoiceContext* context,
                                                          const ast::ExpressionRef& condition) {
    auto item = std::make_shared<ast::Loop>();
    item->once = true;
    item->condition = condition;
    item->span = span(context->expression());
    const std::size_t errors = report_.errors();
    branch(context->then->item(), item->body);
    if (context->otherwise) branch(context->otherwise->item(), item->otherwise);
    if (context->choice()) {
        building_.lets.enter_list(item->otherwise);
        choose(context->choice(), item->otherwise);
        building_.lets.leave_list();
    }
    if (item->body.empty() && item->otherwise.empty() && !may_vanish(context) && report_.errors() == errors)
        report_.error("K0115", "no branch has statements", item->span).help = "give it some, or remove it";
    return item;
}

StatementBuilder::Items StatementBuilder::chosen(KascParser::ChoiceContext* context, ast::ExpressionRef condition) {
    while (condition) {
        const auto value = known(building_, *condition, "the condition of an 'if'");
        if (!value) return {};
        if (value->value != 0) return context->then->item();
        if (context->otherwise) return context->otherwise->item();
        context = context->choice();
        condition = context ? this->condition(context) : nullptr;
    }
    return {};
}

void StatementBuilder::choose(KascParser::ChoiceContext* context, Statements& all) {
    const ast::ExpressionRef first = condition(context);
    if (is_of_run(context, first)) return add(choice(context, first), all);
    block(chosen(context, first), all);
}

void StatementBuilder::block(const Items& items, Statements& all) {
    building_.lets.enter_scope();
    for (KascParser::ItemContext* context : items) item(context, all);
    building_.lets.leave_scope();
}

void StatementBuilder::branch(const Items& items, Statements& own) {
    building_.lets.enter_list(own);
    block(items, own);
    building_.lets.leave_list();
}

void StatementBuilder::item(KascParser::ItemContext* context, Statements& all) {
    if (context->statement()) return statement(context->statement(), all);
    if (context->declaration() && is_foreign(context->declaration())) return;
    if (!context->declaration() && !context->axisLength()) {
        Diagnostic& d = report_.error("K0108",
                                      fmt::format("declarations of fields and statements alone stand in a {}",
                                                  building_.expanding.empty() ? "loop" : "procedure"),
                                      span(context));
        if (context->outputs()) d.help = "results are returned once, by the last line of the program";
        return;
    }
    DeclarationBuilder declarations(source_, building_);
    if (context->declaration()) declarations.declare(context->declaration());
    if (context->axisLength()) declarations.axis_length(context->axisLength());
}

bool StatementBuilder::is_foreign(KascParser::DeclarationContext* declaration) {
    const std::string help = foreign_statement(declaration);
    if (help.empty()) return false;
    const Span word = span(declaration->type);
    report_.error("K0101", fmt::format("there is no '{}'", text_of(word)), word).help = help;
    return true;
}

void StatementBuilder::statement(KascParser::StatementContext* context, Statements& all) {
    if (const Nested nested(building_, span(context)); nested) add_statement(context, all);
}

void StatementBuilder::add_statement(KascParser::StatementContext* context, Statements& all) {
    if (context->loop()) return add(loop(context->loop()), all);
    if (context->choice()) return choose(context->choice(), all);
    if (context->local()) return let(context->local());
    if (context->callStatement()) return call(context->callStatement(), all);
    if (context->forEach())
        return each(context->forEach(), [&](const SourceRef& made) { add_items(made, building_, all); });
    all.push_back(assignment(context->assignment()));
}

ast::Assignment StatementBuilder::assignment(KascParser::AssignmentContext* from) {
    ast::Assignment item;
    item.target = expressions_.name(from->name());
    item.span = span(from);
    if (from->indices()) {
        item.indices = expressions_.indices(from->indices());
        item.indices_span = span(from->indices());
    }
    if (from->word()) item.word = expressions_.word(from->word());
    item.adds = text_of(expressions_.span(from->op)) == "+=";
    item.value = expressions_.expression(from->expression());
    if (from->colours()) item.colours = expressions_.expression(from->colours()->expression());
    const auto constant = std::find_if(building_.tables.begin(), building_.tables.end(), [&](const ConstantTable& t) {
        return t.statement.target.text == item.target.text;
    });
    if (constant != building_.tables.end()) {
        Diagnostic& d = report_.error("K0122", fmt::format("'{}' is a table of constants", item.target.text),
                                      item.target.span, "is assigned");
        d.notes.push_back({constant->statement.target.span, "its values are given here"});
        d.help = "declare it without values, and assign it before it is read";
    }
    if (const auto let = building_.lets.find(item.target.text)) {
        Diagnostic& d = report_.error(
            "K0213", fmt::format("'{}' is a name for an expression, not a field", item.target.text), item.target.span);
        d.notes.push_back({let->name.span, "given here"});
    }
    building_.lets.assign(item.target, item.indices);
    return item;
}

void StatementBuilder::let(KascParser::LocalContext* context) {
    const ast::Name name = expressions_.name(context->name());
    ast::ExpressionRef value = expressions_.expression(context->expression());
    const bool loop = std::find(building_.loops.begin(), building_.loops.end(), name.text) != building_.loops.end();
    if (loop) report_.error("K0202", fmt::format("'{}' is the variable of a loop around", name.text), name.span);
    if (loop || !value || is_declared(building_, name)) return;
    building_.lets.declare(name, std::move(value), expressions_.nodes(), expressions_.deepest());
}

void StatementBuilder::add(const std::shared_ptr<const ast::Loop>& loop, Statements& all) {
    if (!loop->body.empty() || !loop->otherwise.empty()) all.push_back(loop);
}

std::shared_ptr<const ast::Loop> StatementBuilder::loop(KascParser::LoopContext* context) {
    auto item = std::make_shared<ast::Loop>();
    if (KascParser::LoopHeadContext* head = context->loopHead()) {
        item->variable = expressions_.name(head->name(0));
        require_loop_variable(item->variable, expressions_.name(head->name(1)), "compares");
        require_loop_variable(item->variable, expressions_.name(head->name(2)), "counts up");
        item->from = expressions_.expression(head->expression(0));
        item->to = expressions_.expression(head->expression(1));
        item->span = span(head);
        if (const auto let = building_.lets.find(item->variable.text)) {
            Diagnostic& d =
                report_.error("K0214", fmt::format("the loop variable '{}' is already declared", item->variable.text),
                              item->variable.span);
            d.notes.push_back({let->name.span, "declared here"});
            d.help = "a loop declares its variable itself: choose another name";
        }
        take_condition_apart(*item);
    } else {
        item->condition = expressions_.expression(context->whileHead()->expression());
        item->span = span(context->whileHead());
    }
    const std::size_t errors = report_.errors();
    building_.lets.enter_scope();
    building_.lets.enter_list(item->body);
    building_.lets.enter_loop();
    building_.loops.push_back(item->variable.text);
    for (KascParser::ItemContext* one : context->block()->item()) this->item(one, item->body);
    building_.loops.pop_back();
    building_.lets.leave_loop(report_);
    building_.lets.leave_list();
    building_.lets.leave_scope();
    const auto& inner = context->block()->item();
    const bool vanishes = std::any_of(inner.begin(), inner.end(), [](KascParser::ItemContext* one) {
        return one->statement() && may_vanish(one->statement());
    });
    if (item->body.empty() && !vanishes && report_.errors() == errors)
        report_.error("K0115", "the loop has no statements", item->span).help = "give it some, or remove it";
    return item;
}

void StatementBuilder::require_loop_variable(const ast::Name& variable, const ast::Name& other, const char* what) {
    if (other.text == variable.text) return;
    Diagnostic& d = report_.error("K0110", fmt::format("the loop {} '{}', not its variable", what, other.text),
                                  other.span, fmt::format("expected '{}'", variable.text));
    d.notes.push_back({variable.span, "the loop's variable"});
}

void StatementBuilder::each(KascParser::ForEachContext* context, const std::function<void(const SourceRef&)>& take) {
    const auto rows = rows_of(context, source_, building_);
    const Span block = inside(context->block(), source_);
    const std::size_t errors = report_.errors();
    for (const Row& row : rows) {
        if (report_.errors() > errors) return;  // what is wrong is the same for each entry mostly
        const Expansion made(building_, block, row.replacements, row.by, row.why);
        if (!made) return;
        building_.lets.enter_scope();
        take(made.source());
        building_.lets.leave_scope();
    }
}

void StatementBuilder::call(KascParser::CallStatementContext* context, Statements& all) {
    const auto call = called(context, source_, building_);
    if (!call) return;
    const Procedure procedure = building_.procedures[call->procedure];
    const Expansion made(building_, procedure.body, call->replacements, span(context),
                         fmt::format("in the expansion of '{}'", procedure.name.text));
    if (!made) return;
    building_.expanding.push_back(call->procedure);
    building_.lets.enter_scope();
    add_items(made.source(), building_, all);
    building_.lets.leave_scope();
    building_.expanding.pop_back();
}

void add_items(const SourceRef& source, Building& building, StatementBuilder::Statements& all) {
    ItemReader reader(source, building.report);
    building.names.insert(reader.names().begin(), reader.names().end());
    StatementBuilder build(source, building);
    reader.for_each([&](KascParser::ItemContext* item) {
        add_mentions(item, building.ast.mentions);
        build.item(item, all);
    });
}

}  // namespace kasc::frontend
