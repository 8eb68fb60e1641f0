#pragma once
// Parse trees of statements → ast, procedures and lists expanded.

#include <KascParser.h>

#include <functional>

#include "frontend/ast_expression.hpp"
#include "frontend/building.hpp"

namespace kasc::frontend {

class StatementBuilder {
public:
    using Statements = std::vector<ast::Statement>;
    using Items = std::vector<grammar::KascParser::ItemContext*>;

    StatementBuilder(const SourceRef& source, Building& building)
        : source_(source), building_(building), report_(building.report), expressions_(source, building) {}

    /// What an item makes of the statements around; of a procedure also of the declarations.
    void item(grammar::KascParser::ItemContext* context, Statements& all);
    void statement(grammar::KascParser::StatementContext* context, Statements& all);

    [[nodiscard]] ast::ExpressionRef condition(grammar::KascParser::ChoiceContext* context) {
        return expressions_.expression(context->expression());
    }
    /// The run chooses among statements: not all that the condition names are options.
    [[nodiscard]] bool is_of_run(grammar::KascParser::ChoiceContext* context,
                                 const ast::ExpressionRef& condition) const;
    [[nodiscard]] std::shared_ptr<const ast::Loop> choice(grammar::KascParser::ChoiceContext* context,
                                                          const ast::ExpressionRef& condition);
    /// A loop, or an `if` of the run, of which options have left something.
    static void add(const std::shared_ptr<const ast::Loop>& loop, Statements& all);
    /// The items of the branch that is taken; `condition`: the first.
    [[nodiscard]] Items chosen(grammar::KascParser::ChoiceContext* context, ast::ExpressionRef condition);
    /// Calls `take` with the text of the block for each entry.
    void each(grammar::KascParser::ForEachContext* context, const std::function<void(const SourceRef&)>& take);
    void let(grammar::KascParser::LocalContext* context);

    /// Reports a statement of another language that reads like a declaration, 'output S;'; false: it is none.
    [[nodiscard]] bool is_foreign(grammar::KascParser::DeclarationContext* declaration);

private:
    void add_statement(grammar::KascParser::StatementContext* context, Statements& all);
    void block(const Items& items, Statements& all);
    /// The same in a list of its own.
    void branch(const Items& items, Statements& own);
    void choose(grammar::KascParser::ChoiceContext* context, Statements& all);
    void call(grammar::KascParser::CallStatementContext* context, Statements& all);
    [[nodiscard]] ast::Assignment assignment(grammar::KascParser::AssignmentContext* context);
    [[nodiscard]] std::shared_ptr<const ast::Loop> loop(grammar::KascParser::LoopContext* context);
    void require_loop_variable(const ast::Name& variable, const ast::Name& other, const char* what);
    [[nodiscard]] Span span(antlr4::ParserRuleContext* context) const { return expressions_.span(context); }

    const SourceRef& source_;
    Building& building_;
    Report& report_;
    ExpressionBuilder expressions_;
};

/// The items of a made text, in the place of what is expanded.
void add_items(const SourceRef& source, Building& building, StatementBuilder::Statements& all);

}  // namespace kasc::frontend
