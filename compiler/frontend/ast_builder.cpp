#include "frontend/ast_builder.hpp"

#include <fmt/format.h>

#include "frontend/ast_expression.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

class ItemBuilder {
public:
    ItemBuilder(const SourceRef& source, Report& report) : report_(report), expressions_(source, report) {}

    void declaration(KascParser::DeclarationContext* context, std::vector<ast::Declaration>& all) {
        const ast::Name type = expressions_.name(context->type);
        for (KascParser::DeclaratorContext* declarator : context->declarator()) {
            ast::Declaration item{type, expressions_.name(declarator->name()), {}, std::nullopt};
            if (declarator->axes()) item.axes = names(declarator->axes()->name());
            if (declarator->boundary()) item.boundary = boundary(declarator->boundary());
            all.push_back(std::move(item));
        }
    }

    ast::Parameter parameter(KascParser::ParameterContext* context) {
        ast::Parameter item{expressions_.name(context->type), expressions_.name(context->name(1)), nullptr};
        if (context->expression()) item.fallback = expressions_.expression(context->expression());
        return item;
    }

    ast::Function function(KascParser::FunctionContext* context) {
        std::vector<ast::Name> all = names(context->name());
        ast::Function item{all.front(), {all.begin() + 1, all.end()}, nullptr};
        item.body = expressions_.expression(context->expression());
        return item;
    }

    std::vector<ast::Name> names(const std::vector<KascParser::NameContext*>& contexts) const {
        std::vector<ast::Name> all;
        for (KascParser::NameContext* context : contexts) all.push_back(expressions_.name(context));
        return all;
    }

    ast::Statement statement(KascParser::StatementContext* context) {
        if (context->loop()) return loop(context->loop());
        KascParser::AssignmentContext* from = context->assignment();
        ast::Assignment item;
        item.target = expressions_.name(from->name());
        item.span = expressions_.span(from);
        if (from->indices()) {
            item.indices = expressions_.indices(from->indices());
            item.indices_span = expressions_.span(from->indices());
        }
        item.adds = text_of(span(from->op)) == "+=";
        item.value = expressions_.expression(from->expression());
        if (from->colours()) item.colours = expressions_.expression(from->colours()->expression());
        return item;
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

    std::shared_ptr<const ast::Loop> loop(KascParser::LoopContext* context) {
        KascParser::LoopHeadContext* head = context->loopHead();
        auto item = std::make_shared<ast::Loop>();
        item->variable = expressions_.name(head->name(0));
        require_loop_variable(item->variable, expressions_.name(head->name(1)), "compares");
        require_loop_variable(item->variable, expressions_.name(head->name(2)), "counts up");
        item->from = expressions_.expression(head->expression(0));
        item->to = expressions_.expression(head->expression(1));
        item->span = expressions_.span(head);
        for (KascParser::StatementContext* inner : context->statement()) item->body.push_back(statement(inner));
        if (item->body.empty())
            report_.error("K0115", "the loop has no statements", item->span).help = "give it some, or remove it";
        return item;
    }

    void require_loop_variable(const ast::Name& variable, const ast::Name& other, const char* what) {
        if (other.text == variable.text) return;
        Diagnostic& d = report_.error("K0110", fmt::format("the loop {} '{}', not its variable", what, other.text),
                                      other.span, fmt::format("expected '{}'", variable.text));
        d.notes.push_back({variable.span, "the loop's variable"});
    }

    Report& report_;
    ExpressionBuilder expressions_;
};

}  // namespace

AstBuilder::AstBuilder(const SourceRef& source, Report& report) : report_(report) { ast_.source = source; }

void AstBuilder::enter(Part part, const Span& span, const char* what) {
    if (part == part_) return;
    if (part > part_) {
        part_ = part;
        part_span_ = span;
        return;
    }
    static constexpr const char* begun[] = {"", "the inputs are given", "the statements begin", "the program returns"};
    Diagnostic& d = report_.error("K0108",
                                  fmt::format("{} must stand before {}", what,
                                              part_ == Part::inputs       ? "the inputs"
                                              : part_ == Part::statements ? "the statements"
                                                                          : "the return"),
                                  span);
    d.notes.push_back({part_span_, fmt::format("{} here", begun[static_cast<std::size_t>(part_)])});
    d.help = "the order is: declarations, parameters and functions; 'input'; statements; 'return'";
}

void AstBuilder::add(antlr4::ParserRuleContext* context) {
    auto* item = dynamic_cast<KascParser::ItemContext*>(context);
    ItemBuilder build(ast_.source, report_);
    last_ = build.span(item);
    const Span first = build.span(item->getStart());
    if (!item->function() && !not_a_function_.source) not_a_function_ = first;
    if (item->declaration()) {
        enter(Part::declarations, first, "a declaration");
        build.declaration(item->declaration(), ast_.declarations);
    } else if (item->axisLength()) {
        enter(Part::declarations, first, "the length of an axis");
        ast_.axis_lengths.push_back(build.axis_length(item->axisLength()));
    } else if (item->parameter()) {
        enter(Part::declarations, first, "a parameter");
        ast_.parameters.push_back(build.parameter(item->parameter()));
    } else if (item->function()) {
        enter(Part::declarations, first, "a function");
        ast_.functions.push_back(build.function(item->function()));
    } else if (item->inputs()) {
        if (!once(inputs_span_, first, "input")) return;
        enter(Part::inputs, first, "'input'");
        ast_.inputs = build.names(item->inputs()->name());
    } else if (item->outputs()) {
        if (!once(outputs_span_, first, "return")) return;
        enter(Part::outputs, first, "'return'");
        ast_.outputs = build.names(item->outputs()->name());
    } else {
        enter(Part::statements, first, "a statement");
        ast_.statements.push_back(build.statement(item->statement()));
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
