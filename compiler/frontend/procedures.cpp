#include "frontend/procedures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/ast_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/expansion.hpp"
#include "frontend/known.hpp"
#include "frontend/lists.hpp"
#include "frontend/token_words.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

/// Reads the text of a definition for what its names are.
class Definition {
public:
    Definition(const SourceRef& source, Building& building, Procedure& made)
        : expressions_(source, building), report_(building.report), made_(made) {}

    void read(antlr4::tree::ParseTree* tree, std::size_t depth = 0) {
        if (depth > deepest_tree) return;
        if (auto* item = dynamic_cast<KascParser::ItemContext*>(tree)) require_part(item);
        if (auto* declarator = dynamic_cast<KascParser::DeclaratorContext*>(tree)) local(declarator->name());
        if (auto* axis = dynamic_cast<KascParser::AxisLengthContext*>(tree)) local(axis->name());
        if (auto* let = dynamic_cast<KascParser::LocalContext*>(tree)) local(let->name());
        if (auto* head = dynamic_cast<KascParser::LoopHeadContext*>(tree)) local(head->name(0));
        if (auto* binding = dynamic_cast<KascParser::BindingContext*>(tree)) local(binding->name(0));
        if (auto* sum = dynamic_cast<KascParser::CallContext*>(tree)) bound_by_sum(sum);
        if (auto* axes = dynamic_cast<KascParser::AxesContext*>(tree))
            for (KascParser::NameContext* axis : axes->name()) need(axis, false);
        if (auto* access = dynamic_cast<KascParser::AccessContext*>(tree)) need(access->name(), false);
        if (auto* index = dynamic_cast<KascParser::IndexContext*>(tree))
            if (index->axis) need(index->axis, false);
        if (auto* assignment = dynamic_cast<KascParser::AssignmentContext*>(tree))
            need(assignment->name(), !assignment->indices() && !assignment->word());
        if (auto* use = dynamic_cast<KascParser::NameUseContext*>(tree)) made_.free.insert(use->getText());
        for (antlr4::tree::ParseTree* child : tree->children) read(child, depth + 1);
    }

    void finish() {
        for (const ast::Name& argument : made_.arguments) {
            if (made_.locals.contains(argument.text))
                report_.error("K0202",
                              fmt::format("the argument '{}' is declared anew in the procedure", argument.text),
                              argument.span);
            made_.free.erase(argument.text);
        }
        for (const std::string& name : made_.locals) made_.free.erase(name);
    }

private:
    void local(KascParser::NameContext* name) { made_.locals.insert(name->getText()); }
    void bound_by_sum(KascParser::CallContext* call) {
        const auto arguments = call->expression();
        auto* bound = arguments.empty() ? nullptr : dynamic_cast<KascParser::NameUseContext*>(arguments.front());
        if (bound && call->name()->getText() == "axis_sum") local(bound->name());
    }
    void need(KascParser::NameContext* name, bool is_assigned) {
        const std::string text = name->getText();
        const bool argument = std::any_of(made_.arguments.begin(), made_.arguments.end(),
                                          [&](const ast::Name& a) { return a.text == text; });
        if (!argument) return;
        const auto [place, added] =
            made_.fields.try_emplace(text, Procedure::Place{expressions_.span(name), is_assigned});
        if (!added && !is_assigned) place->second.is_assigned = false;
    }
    void require_part(KascParser::ItemContext* item) {
        if (item->statement() || item->declaration() || item->axisLength()) return;
        report_
            .error("K0108", "declarations, lengths of axes and statements alone stand in a procedure",
                   expressions_.span(item))
            .help =
            item->outputs()
                ? "a procedure assigns to fields that it is given; a function has a value, 'function f(u) = u*u;'"
                : "write it in the program, and pass what the procedure needs of it";
    }

    ExpressionBuilder expressions_;
    Report& report_;
    Procedure& made_;
};

/// As the made text has it: what is no name or number stands in parentheses.
std::string text_of_argument(KascParser::ExpressionContext* context, const Span& span) {
    auto* word = dynamic_cast<KascParser::WordUseContext*>(context);
    const bool plain = dynamic_cast<KascParser::NameUseContext*>(context) ||
                       dynamic_cast<KascParser::ParenthesisedContext*>(context) ||
                       dynamic_cast<KascParser::NumberContext*>(context) ||
                       (word && dynamic_cast<KascParser::NameUseContext*>(word->expression()));
    const std::string text(text_of(span));
    return plain ? text : "(" + text + ")";
}

void report_no_field(const Procedure& procedure, const ast::Name& argument, const Procedure::Place& place,
                     const Span& given, Report& report) {
    Diagnostic& d = report.error(
        "K0229", fmt::format("'{}' takes the name of a field or an axis for '{}'", procedure.name.text, argument.text),
        given, "is an expression");
    d.notes.push_back({place.span, place.is_assigned ? "it is assigned here" : "it is a field or an axis here"});
    d.help = "assign the expression to a field first, and pass that";
}

bool sees_loops(const Procedure& procedure, const Span& call, const Building& building) {
    for (const std::string& variable : building.loops) {
        if (!procedure.free.contains(variable)) continue;
        Diagnostic& d = building.report.error(
            "K0234", fmt::format("the procedure '{}' cannot use the loop variable '{}'", procedure.name.text, variable),
            call);
        d.notes.push_back({procedure.name.span, "defined here"});
        d.help = "pass it as an argument";
        return true;
    }
    return false;
}

/// A prefix for the names of one call: "smooth", "smooth_2" …, such that no text says what it makes of the names.
std::string fresh_prefix(const Procedure& procedure, Building& building) {
    for (;;) {
        const std::size_t call = ++building.calls[procedure.name.text];
        const std::string prefix = call == 1 ? procedure.name.text : fmt::format("{}_{}", procedure.name.text, call);
        if (std::none_of(procedure.locals.begin(), procedure.locals.end(),
                         [&](const std::string& local) { return building.names.contains(prefix + "_" + local); }))
            return prefix;
    }
}

/// `call`: all of the statement.
std::optional<std::size_t> find_procedure(const ast::Name& name, const Span& call, Building& building) {
    const std::vector<Procedure>& all = building.procedures;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Procedure& p) { return p.name.text == name.text; });
    if (found != all.end()) {
        const auto index = static_cast<std::size_t>(found - all.begin());
        if (building.expanding.empty() || index < building.expanding.back()) return index;
        const bool itself = index == building.expanding.back();
        Diagnostic& d = building.report.error("K0230",
                                              itself ? fmt::format("'{}' calls itself", name.text)
                                                     : fmt::format("'{}' is defined below its use", name.text),
                                              name.span);
        if (!itself) d.notes.push_back({found->name.span, "defined here"});
        d.help = itself ? "procedures are expanded where they are called, and cannot be recursive"
                        : "a procedure may use the procedures above it";
        return std::nullopt;
    }
    if (building.defined.contains(name.text)) {
        building.report.error("K0230", fmt::format("'{}' is defined below its use", name.text), name.span).help =
            "write the procedure above what calls it";
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const Procedure& procedure : all) names.push_back(procedure.name.text);
    Diagnostic& d = building.report.error("K0203", fmt::format("unknown procedure '{}'", name.text), name.span);
    d.help = name.text == "print" || name.text == "plot"
                 ? "results are returned, 'return T;', and looked at with 'kasc view'"
                 : did_you_mean(name.text, names);
    const auto& functions = building.ast.functions;
    const bool function = std::any_of(functions.begin(), functions.end(),
                                      [&](const ast::Function& f) { return f.name.text == name.text; });
    const std::string text = short_text(call);
    const std::string target = building.ast.declarations.empty() ? "u" : building.ast.declarations.back().name.text;
    if (function)
        d.help = fmt::format("'{}' is a function: its result is assigned, '{} = {}'", name.text, target,
                             text.empty() ? name.text + "(...);" : text);
    if (d.help.empty()) d.help = "the result of a function is assigned, as in 'M = mmul33(A, B);'";
    return std::nullopt;
}

}  // namespace

void define_procedure(KascParser::ProcedureContext* context, const SourceRef& source, Building& building) {
    ExpressionBuilder expressions(source, building);
    Procedure made;
    const Span span = expressions.span(context->called);
    made.name = {std::string(text_of(span)), span};
    for (KascParser::NameContext* name : context->name()) made.arguments.push_back(expressions.name(name));
    made.body = inside(context->block(), source);
    if (has_open_parts(made.name.text)) return report_open_parts(made.name, building.report);
    for (const Procedure& other : building.procedures) {
        if (other.name.text != made.name.text) continue;
        Diagnostic& d = building.report.error("K0202", fmt::format("'{}' is declared twice", made.name.text), span);
        d.notes.push_back({other.name.span, "the first declaration is here"});
    }
    if (made.arguments.size() > most_arguments)
        building.report.error("K0235", fmt::format("a procedure has at most {} arguments", most_arguments),
                              made.arguments[most_arguments].span,
                              fmt::format("'{}' has {}", made.name.text, made.arguments.size()));
    for (std::size_t i = 0; i < made.arguments.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (made.arguments[i].text == made.arguments[j].text)
                building.report
                    .error("K0202", fmt::format("'{}' has two arguments '{}'", made.name.text, made.arguments[i].text),
                           made.arguments[i].span)
                    .notes.push_back({made.arguments[j].span, "the first is here"});
    Definition definition(source, building, made);
    definition.read(context->block());
    definition.finish();
    building.ast.procedures.push_back(made.name);
    building.procedures.push_back(std::move(made));
}

std::optional<ProcedureCall> called(KascParser::CallStatementContext* context, const SourceRef& source,
                                    Building& building) {
    ExpressionBuilder expressions(source, building);
    const Span name_span = expressions.span(context->called);
    const ast::Name name{std::string(text_of(name_span)), name_span};
    if (has_open_parts(name.text)) {
        report_open_parts(name, building.report);
        return std::nullopt;
    }
    const auto index = find_procedure(name, expressions.span(context), building);
    if (!index) return std::nullopt;
    building.procedures[*index].used = true;
    const Procedure& procedure = building.procedures[*index];
    const std::vector<KascParser::ExpressionContext*> given = context->expression();
    if (given.size() != procedure.arguments.size()) {
        Diagnostic& d = building.report.error(
            "K0205", fmt::format("'{}' takes {}", name.text, counted(procedure.arguments.size(), "argument")),
            name_span, fmt::format("{} given", given.size()));
        d.notes.push_back({procedure.name.span, "declared here"});
        return std::nullopt;
    }
    if (sees_loops(procedure, name_span, building)) return std::nullopt;
    ProcedureCall call{*index, {}};
    const std::size_t errors = building.report.errors();
    for (std::size_t k = 0; k < given.size(); ++k) {
        const ast::Name& argument = procedure.arguments[k];
        const Span span = expressions.span(given[k]);
        const auto place = procedure.fields.find(argument.text);
        const ast::ExpressionRef value = expressions.expression(given[k]);
        if (value && place != procedure.fields.end()) {
            const bool is_name = std::holds_alternative<ast::NameUse>(value->node);
            const bool is_word = std::holds_alternative<ast::WordUse>(value->node);
            if (!is_name && !(is_word && place->second.is_assigned))
                report_no_field(procedure, argument, place->second, span, building.report);
        }
        call.replacements[argument.text] = {Replacement::Kind::argument, text_of_argument(given[k], span)};
    }
    if (building.report.errors() > errors) return std::nullopt;
    const std::string prefix = procedure.locals.empty() ? "" : fresh_prefix(procedure, building);
    for (const std::string& local : procedure.locals)
        call.replacements[local] = {Replacement::Kind::local, prefix + "_" + local};
    return call;
}

}  // namespace kasc::frontend
