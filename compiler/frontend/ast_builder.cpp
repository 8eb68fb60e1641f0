#include "frontend/ast_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/ast_expression.hpp"
#include "frontend/ast_parts.hpp"
#include "frontend/constant.hpp"
#include "frontend/number_value.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

class ItemBuilder {
public:
    ItemBuilder(const Ast& ast, Report& report) : ast_(ast), report_(report), expressions_(ast.source, report) {}

    void declaration(KascParser::DeclarationContext* context, std::vector<ast::Declaration>& all) {
        const ast::Name type = expressions_.name(context->type);
        for (KascParser::DeclaratorContext* declarator : context->declarator()) {
            ast::Declaration item{type, expressions_.name(declarator->name()), {}, std::nullopt};
            item.is_field = declarator->axes() != nullptr;
            if (item.is_field) item.axes = names(declarator->axes()->name());
            if (declarator->boundary()) item.boundary = boundary(declarator->boundary());
            item.or_uniform = declarator->uniform() != nullptr;
            all.push_back(std::move(item));
        }
    }

    ast::CellTypeDeclaration cell_type(KascParser::CellTypeContext* context) {
        ast::CellTypeDeclaration item{expressions_.name(context->declared), expressions_.name(context->of), {}};
        for (antlr4::tree::TerminalNode* extent : context->INTEGER())
            item.extents.push_back(integer_value(extent->getText()).value_or(0));
        return item;
    }

    ast::Parameter parameter(KascParser::ParameterContext* context) {
        ast::Parameter item{expressions_.name(context->type), expressions_.name(context->name(1)), nullptr};
        if (context->expression()) item.fallback = expressions_.expression(context->expression());
        return item;
    }

    ast::Function function(KascParser::FunctionContext* context) {
        std::vector<ast::Name> all = names(context->name());  // its own first
        ast::Function item{all.front(), {all.begin() + 1, all.end()}, nullptr};
        item.body = expressions_.expression(context->expression());
        return item;
    }

    std::vector<ast::Name> names(const std::vector<KascParser::NameContext*>& contexts) const {
        std::vector<ast::Name> all;
        for (KascParser::NameContext* context : contexts) all.push_back(expressions_.name(context));
        return all;
    }

    /// Null, with an error, where it is too deep.
    ast::ExpressionRef condition(KascParser::ChoiceContext* context) {
        return expressions_.expression(context->expression());
    }
    /// The run chooses among statements: not all that the condition names are options.
    bool is_of_run(KascParser::ChoiceContext* context, const ast::ExpressionRef& condition) const {
        return condition && !is_of_options(*condition) && are_statements(context);
    }
    static bool are_statements(KascParser::ChoiceContext* context) {
        const auto all = [](const std::vector<KascParser::ItemContext*>& items) {
            return std::all_of(items.begin(), items.end(), [](KascParser::ItemContext* item) {
                return item->statement() &&
                       (!item->statement()->choice() || are_statements(item->statement()->choice()));
            });
        };
        return all(context->then->item()) && (!context->otherwise || all(context->otherwise->item())) &&
               (!context->choice() || are_statements(context->choice()));
    }

    ast::Statement choice(KascParser::ChoiceContext* context, const ast::ExpressionRef& condition) {
        auto item = std::make_shared<ast::Loop>();
        item->once = true;
        item->condition = condition;
        item->span = expressions_.span(context->expression());
        statements(context->then->item(), item->body);
        if (context->otherwise) statements(context->otherwise->item(), item->otherwise);
        if (context->choice()) statements(context->choice(), item->otherwise);
        return item;
    }

    /// The items of the branch that is taken; `condition`: the first.
    std::vector<KascParser::ItemContext*> chosen(KascParser::ChoiceContext* context, ast::ExpressionRef condition) {
        while (condition) {
            const auto value = known(*condition, "the condition of an 'if'");
            if (!value) return {};
            if (value->value != 0) return context->then->item();
            if (context->otherwise) return context->otherwise->item();
            context = context->choice();
            condition = context ? this->condition(context) : nullptr;
        }
        return {};
    }

    std::optional<Constant> known(const ast::Expression& expression, const char* what) {
        const auto value = constant_of(expression, [&](const std::string& name) -> std::optional<Constant> {
            const auto option = std::find_if(ast_.options.begin(), ast_.options.end(),
                                             [&](const ast::Option& o) { return o.name.text == name; });
            if (option != ast_.options.end()) return Constant{option->value, option->whole};
            return std::nullopt;
        });
        if (!value) {
            report_
                .error("K0116", fmt::format("{} must be known when the program is compiled", what), expression.span,
                       "made of numbers and of options that are declared above")
                .help =
                "declare 'option name = 0;' and set it with --set name=1; what differs from cell to cell is "
                "chosen with 'condition ? a : b'";
        }
        return value;
    }

    ast::Option option(KascParser::OptionContext* context, const ProgramSettings& settings) {
        ast::Option item{expressions_.name(context->name()), 0, true};
        const auto value = known(*expressions_.expression(context->expression()), "the value of an option");
        const auto set = settings.find(item.name.text);
        if (value) item.value = value->value, item.whole = value->whole;
        if (set != settings.end()) item.value = set->second;
        if (item.whole && item.value != std::floor(item.value)) {
            report_.error("K0117", fmt::format("the option '{}' is an integer, not {}", item.name.text, item.value),
                          item.name.span);
        }
        return item;
    }

    void statements(KascParser::StatementContext* context, std::vector<ast::Statement>& all) {
        if (context->loop()) return all.push_back(loop(context->loop()));
        if (!context->choice()) return all.push_back(assignment(context));
        statements(context->choice(), all);
    }
    void statements(KascParser::ChoiceContext* context, std::vector<ast::Statement>& all) {
        const ast::ExpressionRef first = condition(context);
        if (is_of_run(context, first)) return all.push_back(choice(context, first));
        statements(chosen(context, first), all);
    }
    void statements(const std::vector<KascParser::ItemContext*>& items, std::vector<ast::Statement>& all) {
        for (KascParser::ItemContext* item : items) {
            if (item->statement()) {
                statements(item->statement(), all);
            } else {
                report_.error("K0108", "only statements stand in a loop", expressions_.span(item));
            }
        }
    }

    ast::Assignment assignment(KascParser::StatementContext* context) {
        KascParser::AssignmentContext* from = context->assignment();
        ast::Assignment item;
        item.target = expressions_.name(from->name());
        item.span = expressions_.span(from);
        if (from->indices()) {
            item.indices = expressions_.indices(from->indices());
            item.indices_span = expressions_.span(from->indices());
        }
        if (from->word()) item.word = expressions_.word(from->word());
        item.adds = text_of(span(from->op)) == "+=";
        item.value = expressions_.expression(from->expression());
        if (from->colours()) item.colours = expressions_.expression(from->colours()->expression());
        return item;
    }

    std::vector<ast::ExpressionRef> conditions(KascParser::RequirementContext* context) {
        std::vector<ast::ExpressionRef> all;
        for (KascParser::ExpressionContext* condition : context->expression())
            all.push_back(expressions_.expression(condition));
        return all;
    }

    ast::AxisLength axis_length(KascParser::AxisLengthContext* context) {
        return {expressions_.name(context->name()), expressions_.expression(context->expression())};
    }

    Span span(antlr4::ParserRuleContext* context) const { return expressions_.span(context); }
    Span span(antlr4::Token* token) const { return expressions_.span(token); }

private:
    ast::Boundary boundary(KascParser::BoundaryContext* context) {
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

    ast::Face face(KascParser::FaceContext* context) {
        const Span place = expressions_.span(context);
        if (auto* keep = dynamic_cast<KascParser::KeepFaceContext*>(context)) {
            return {BoundaryKind::keep, expressions_.expression(keep->expression()), place};
        }
        if (auto* value = dynamic_cast<KascParser::ValueFaceContext*>(context)) {
            return {BoundaryKind::value, expressions_.expression(value->expression()), place};
        }
        const bool mirror = dynamic_cast<KascParser::MirrorFaceContext*>(context) != nullptr;
        return {mirror ? BoundaryKind::mirror : BoundaryKind::periodic, nullptr, place};
    }

    bool is_of_options(const ast::Expression& e) const {
        if (const auto* use = std::get_if<ast::NameUse>(&e.node))
            return std::any_of(ast_.options.begin(), ast_.options.end(),
                               [&](const ast::Option& o) { return o.name.text == use->name; });
        if (std::holds_alternative<ast::Access>(e.node) || std::holds_alternative<ast::WordUse>(e.node)) return false;
        bool all = true;
        for_each_operand(e, [&](const ast::ExpressionRef& part) { all = all && is_of_options(*part); });
        return all;
    }

    std::shared_ptr<const ast::Loop> loop(KascParser::LoopContext* context) {
        auto item = std::make_shared<ast::Loop>();
        if (KascParser::LoopHeadContext* head = context->loopHead()) {
            item->variable = expressions_.name(head->name(0));
            require_loop_variable(item->variable, expressions_.name(head->name(1)), "compares");
            require_loop_variable(item->variable, expressions_.name(head->name(2)), "counts up");
            item->from = expressions_.expression(head->expression(0));
            item->to = expressions_.expression(head->expression(1));
            item->span = expressions_.span(head);
            take_condition_apart(*item);
        } else {
            item->condition = expressions_.expression(context->whileHead()->expression());
            item->span = expressions_.span(context->whileHead());
        }
        const std::size_t errors = report_.errors();
        for (KascParser::StatementContext* inner : context->statement()) statements(inner, item->body);
        if (item->body.empty() && report_.errors() == errors)
            report_.error("K0115", "the loop has no statements", item->span).help = "give it some, or remove it";
        return item;
    }

    /// n < most && residual > 1e-6: what stands before the first && is the bound.
    static void take_condition_apart(ast::Loop& loop) {
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

    void require_loop_variable(const ast::Name& variable, const ast::Name& other, const char* what) {
        if (other.text == variable.text) return;
        Diagnostic& d = report_.error("K0110", fmt::format("the loop {} '{}', not its variable", what, other.text),
                                      other.span, fmt::format("expected '{}'", variable.text));
        d.notes.push_back({variable.span, "the loop's variable"});
    }

    const Ast& ast_;  ///< its options are those that are declared by now
    Report& report_;
    ExpressionBuilder expressions_;
};

}  // namespace

AstBuilder::AstBuilder(const SourceRef& source, const ProgramSettings& settings, Report& report)
    : report_(report), settings_(settings) {
    ast_.source = source;
}

/// A field, or the parameter that stands in its place.
void AstBuilder::add_declaration(ast::Declaration declaration) {
    if (declaration.or_uniform) ast_.may_be_uniform.push_back(declaration.name);
    const auto set = settings_.find(declaration.name.text);
    if (!declaration.or_uniform || set == settings_.end()) {
        ast_.declarations.push_back(std::move(declaration));
        return;
    }
    const Span span = declaration.name.span;
    const auto number = std::make_shared<const ast::Expression>(ast::Expression{
        declaration.type.text == "int"
            ? ast::Number{fmt::format("{}", static_cast<long long>(set->second)), ast::NumberForm::integer}
            : ast::Number{fmt::format("{:.17e}", set->second), ast::NumberForm::real},
        span});
    ast_.parameters.push_back({declaration.type, declaration.name, number});
    ast_.uniform.push_back(std::move(declaration));
}

void AstBuilder::enter(Part part, const Span& span, const char* what) {
    if (part == part_) return;
    if (part > part_) {
        part_ = part;
        part_span_ = span;
        return;
    }
    static constexpr const char* begun[] = {"", "the inputs are given", "the requirements begin",
                                            "the statements begin", "the program returns"};
    Diagnostic& d = report_.error("K0108",
                                  fmt::format("{} must stand before {}", what,
                                              part_ == Part::inputs         ? "the inputs"
                                              : part_ == Part::requirements ? "the requirements"
                                              : part_ == Part::statements   ? "the statements"
                                                                            : "the return"),
                                  span);
    d.notes.push_back({part_span_, fmt::format("{} here", begun[static_cast<std::size_t>(part_)])});
    d.help = "the order is: declarations, parameters and functions; 'input'; 'require'; statements; 'return'";
}

void AstBuilder::add(antlr4::ParserRuleContext* context) {
    auto* item = dynamic_cast<KascParser::ItemContext*>(context);
    ItemBuilder build(ast_, report_);
    last_ = build.span(item);
    const Span first = build.span(item->getStart());
    if (auto* choice = item->statement() ? item->statement()->choice() : nullptr) {
        const std::size_t errors = report_.errors();
        const ast::ExpressionRef condition = build.condition(choice);
        if (build.is_of_run(choice, condition)) {
            if (!not_a_function_.source) not_a_function_ = first;
            enter(Part::statements, first, "a statement");
            ast_.statements.push_back(build.choice(choice, condition));
            return;
        }
        const std::vector<KascParser::ItemContext*> chosen = build.chosen(choice, condition);
        unknown_branch_ = unknown_branch_ || report_.errors() > errors;
        for (KascParser::ItemContext* inner : chosen) add(inner);
        last_ = build.span(item);
        return;
    }
    if (!item->function() && !not_a_function_.source) not_a_function_ = first;
    if (item->declaration()) {
        enter(Part::declarations, first, "a declaration");
        std::vector<ast::Declaration> declared;
        build.declaration(item->declaration(), declared);
        for (ast::Declaration& d : declared) add_declaration(std::move(d));
    } else if (item->cellType()) {
        enter(Part::declarations, first, "a type");
        ast_.types.push_back(build.cell_type(item->cellType()));
    } else if (item->axisLength()) {
        enter(Part::declarations, first, "the length of an axis");
        ast_.axis_lengths.push_back(build.axis_length(item->axisLength()));
    } else if (item->parameter()) {
        enter(Part::declarations, first, "a parameter");
        ast_.parameters.push_back(build.parameter(item->parameter()));
    } else if (item->option()) {
        enter(Part::declarations, first, "an option");
        ast_.options.push_back(build.option(item->option(), settings_));
    } else if (item->function()) {
        enter(Part::declarations, first, "a function");
        ast_.functions.push_back(build.function(item->function()));
    } else if (item->inputs()) {
        if (part_ != Part::inputs && !once(inputs_span_, first, "input")) return;
        enter(Part::inputs, first, "'input'");
        for (ast::Name& name : build.names(item->inputs()->name())) {
            const bool parameter = std::any_of(ast_.parameters.begin(), ast_.parameters.end(),
                                               [&](const ast::Parameter& p) { return p.name.text == name.text; });
            const bool uniform = std::any_of(ast_.may_be_uniform.begin(), ast_.may_be_uniform.end(),
                                             [&](const ast::Name& n) { return n.text == name.text; });
            if (!(parameter && uniform)) ast_.inputs.push_back(std::move(name));
        }
    } else if (item->requirement()) {
        enter(Part::requirements, first, "a requirement");
        for (ast::ExpressionRef& condition : build.conditions(item->requirement()))
            ast_.requirements.push_back(std::move(condition));
    } else if (item->outputs()) {
        if (part_ != Part::outputs && !once(outputs_span_, first, "return")) return;
        enter(Part::outputs, first, "'return'");
        for (ast::Name& name : build.names(item->outputs()->name())) ast_.outputs.push_back(std::move(name));
    } else {
        enter(Part::statements, first, "a statement");
        build.statements(item->statement(), ast_.statements);
    }
}

bool AstBuilder::once(Span& before, const Span& span, const char* word) {
    if (!before.source) {
        before = span;
        return true;
    }
    Diagnostic& d = report_.error("K0109", fmt::format("a second '{}'", word), span);
    d.notes.push_back({before, "the first is here"});
    d.help = fmt::format("name all variables in one '{}', separated by commas", word);
    return false;
}

Ast AstBuilder::finish_functions() {
    if (not_a_function_.source) {
        report_.error("K0112", "a library file for fields holds functions alone", not_a_function_).help =
            "write 'function name(arguments) = expression;'";
    }
    return std::move(ast_);
}

Ast AstBuilder::finish() {
    if (!last_.source) {
        report_.error("K0112", "the program is empty", {ast_.source, 0, 0}).help =
            "it holds declarations, 'input ...;', statements and 'return ...;'";
        return std::move(ast_);
    }
    // What seems missing may stand in the branch that nobody knows.
    if (unknown_branch_) return std::move(ast_);
    const Span end{ast_.source, last_.end, last_.end + 1};
    if (ast_.declarations.empty()) {
        report_.error("K0112", "the program declares no variables", {ast_.source, 0, 1}).help =
            "begin with declarations, as in 'matrix3x3 A, B;' or 'float T[x, y];'";
    }
    if (!inputs_span_.source) {
        report_.error("K0112", "the program has no inputs", end).help =
            "mark them before the statements: 'input A, B;'";
    }
    if (ast_.statements.empty()) {
        report_.error("K0113", "the program has no statements", end).help =
            "write what is computed between 'input ...;' and 'return ...;'";
    }
    if (!outputs_span_.source) {
        report_.error("K0112", "the program returns nothing", end).help = "end it with its outputs: 'return F;'";
    }
    return std::move(ast_);
}

}  // namespace kasc::frontend
