#include "frontend/ast_builder.hpp"

#include <KascParser.h>
#include <fmt/format.h>

#include <algorithm>

#include "frontend/constant_table.hpp"
#include "frontend/declaration_builder.hpp"
#include "frontend/expansion.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/imports.hpp"
#include "frontend/item_reader.hpp"
#include "frontend/mentions.hpp"
#include "frontend/procedures.hpp"
#include "frontend/statement_builder.hpp"
#include "frontend/unneeded.hpp"

namespace kasc::frontend {

using grammar::KascParser;

AstBuilder::AstBuilder(const SourceRef& source, const ProgramSettings& settings, Report& report)
    : building_(report, settings) {
    building_.ast.source = source;
}

bool AstBuilder::read() { return read(building_.ast.source); }

bool AstBuilder::read(const SourceRef& source) {
    ItemReader reader(source, building_.report);
    building_.names.insert(reader.names().begin(), reader.names().end());
    building_.defined.insert(reader.procedures().begin(), reader.procedures().end());
    return reader.for_each([&](KascParser::ItemContext* item) {
        add_mentions(item, building_.ast.mentions);
        add(item, source);
    });
}

void AstBuilder::enter(Part part, const Span& span, const char* what) {
    if (part == part_) return;
    if (part > part_) {
        part_ = part;
        part_span_ = span;
        return;
    }
    if (!misplaced_.insert(fmt::format("{} {}", what, static_cast<int>(part_))).second) return;
    const bool returned = part_ == Part::outputs;
    Diagnostic& d = building_.report.error(
        "K0108", fmt::format("{} must stand before the {}", what, returned ? "return" : "statements"), span);
    d.notes.push_back({part_span_, returned ? "the program returns here" : "the statements begin here"});
    d.help = returned ? "'return' is the last part of a program"
                      : "it is said of the whole run: write it above the first statement";
}

void AstBuilder::declare(KascParser::ItemContext* item, const SourceRef& source, const char* what) {
    const ExpressionBuilder places(source, building_);
    if (part_ == Part::outputs) enter(Part::statements, places.span(item->getStart()), what);
    names_.declare(item, places, building_.report);
}

namespace {

/// "allow(modes);", where that is no procedure of the program.
bool is_allowance(KascParser::ItemContext* item, const Building& building) {
    KascParser::CallStatementContext* call = item->statement() ? item->statement()->callStatement() : nullptr;
    if (call == nullptr || call->called->getText() != "allow") return false;
    return std::none_of(building.procedures.begin(), building.procedures.end(),
                        [](const Procedure& procedure) { return procedure.name.text == "allow"; });
}

}  // namespace

/// Items of the branch that is chosen, of the blocks of lists: each as if it stood there by itself.
bool AstBuilder::add_inner(KascParser::ItemContext* item, const SourceRef& source, const Span& first) {
    KascParser::StatementContext* statement = item->statement();
    StatementBuilder build(source, building_);
    if (statement && statement->forEach()) {
        build.each(statement->forEach(),
                   [&](const SourceRef& made) { unknown_branch_ = !read(made) || unknown_branch_; });
        return true;
    }
    KascParser::ChoiceContext* choice = statement ? statement->choice() : nullptr;
    if (!choice) return false;
    const std::size_t errors = building_.report.errors();
    const ast::ExpressionRef condition = build.condition(choice);
    if (build.is_of_run(choice, condition)) {
        if (!not_a_function_.source) not_a_function_ = first;
        enter(Part::statements, first, "a statement");
        const std::size_t before = building_.ast.statements.size();
        StatementBuilder::add(build.choice(choice, condition), building_.ast.statements);
        names_.say(building_.ast.statements, before);
        return true;
    }
    const std::vector<KascParser::ItemContext*> chosen = build.chosen(choice, condition);
    unknown_branch_ = unknown_branch_ || building_.report.errors() > errors;
    building_.lets.enter_scope();
    for (KascParser::ItemContext* inner : chosen) add(inner, source);
    building_.lets.leave_scope();
    return true;
}

void AstBuilder::add(KascParser::ItemContext* item, const SourceRef& source) {
    DeclarationBuilder declarations(source, building_);
    const ExpressionBuilder places(source, building_);
    last_ = places.span(item);
    const Span first = places.span(item->getStart());
    const Nested nested(building_, first);
    if (!nested) return;
    if (add_inner(item, source, first)) {
        last_ = places.span(item);
        return;
    }
    if (!item->function() && !not_a_function_.source) not_a_function_ = first;
    if (!building_.importing.empty() && !may_be_imported(item, source, building_)) return;
    Ast& ast = building_.ast;
    const bool declares_alone = part_ == Part::requirements && ast.inputs.empty();
    if (item->declaration() && !declares_alone && StatementBuilder(source, building_).is_foreign(item->declaration())) {
        returns_otherwise_ = returns_otherwise_ || gives_results(item->declaration()->type->getText());
        return;
    }
    if (item->declaration()) {
        declare(item, source, "a declaration");
        declarations.declare(item->declaration());
    } else if (item->cellType()) {
        declare(item, source, "a type");
        declarations.cell_type(item->cellType());
    } else if (item->axisLength()) {
        declare(item, source, "the length of an axis");
        declarations.axis_length(item->axisLength());
    } else if (item->parameter()) {
        declare(item, source, "a parameter");
        declarations.parameter(item->parameter());
    } else if (item->option()) {
        declare(item, source, "an option");
        declarations.option(item->option());
    } else if (item->list()) {
        declare(item, source, "a list");
        declarations.list(item->list());
    } else if (item->function()) {
        declare(item, source, "a function");
        declarations.function(item->function());
    } else if (item->procedure()) {
        declare(item, source, "a procedure");
        define_procedure(item->procedure(), source, building_);
    } else if (item->importFile()) {
        declare(item, source, "an import");
        const Import file = imported(item->importFile(), source, building_);
        if (!file.source) return;
        building_.importing.push_back(file.path);
        unknown_branch_ = !read(file.source) || unknown_branch_;
        building_.importing.pop_back();
        last_ = places.span(item);
    } else if (item->inputs()) {
        declare(item, source, "'input'");
        for (ast::Name& name : declarations.names(item->inputs()->name())) ast.inputs.push_back(std::move(name));
    } else if (item->requirement()) {
        enter(Part::requirements, first, "a requirement");
        ExpressionBuilder expressions(source, building_);
        for (KascParser::ExpressionContext* condition : item->requirement()->expression())
            ast.requirements.push_back(expressions.expression(condition));
    } else if (is_allowance(item, building_)) {
        enter(Part::requirements, first, "what is allowed");
        for (KascParser::ExpressionContext* name : item->statement()->callStatement()->expression())
            ast.allowed.push_back({name->getText(), places.span(name)});
    } else if (item->outputs()) {
        enter(Part::outputs, first, "'return'");
        for (ast::Name& name : declarations.names(item->outputs()->name())) ast.outputs.push_back(std::move(name));
    } else {
        // A name for an expression may stand before any part that says it.
        if (!item->statement()->local()) enter(Part::statements, first, "a statement");
        const std::size_t errors = building_.report.errors(), before = ast.statements.size();
        StatementBuilder(source, building_).statement(item->statement(), ast.statements);
        names_.say(ast.statements, before);
        faulty_statement_ =
            faulty_statement_ || (building_.report.errors() > errors && ast.statements.size() == before);
    }
}

/// A field 'or uniform' that is given as one number is a parameter, and no input.
void AstBuilder::without_uniform_inputs() {
    Ast& ast = building_.ast;
    std::erase_if(ast.inputs, [&](const ast::Name& name) {
        return std::any_of(ast.uniform.begin(), ast.uniform.end(),
                           [&](const ast::Declaration& field) { return field.name.text == name.text; });
    });
}

Ast AstBuilder::finish_functions() {
    if (not_a_function_.source) {
        building_.report.error("K0112", "a library file for fields holds functions alone", not_a_function_).help =
            "write 'function name(arguments) = expression;'";
    }
    return std::move(building_.ast);
}

Ast AstBuilder::finish() {
    if (!last_.source) {
        building_.report.error("K0112", "the program is empty", {building_.ast.source, 0, 0}).help =
            "it holds declarations, 'input ...;', statements and 'return ...;'";
        return std::move(building_.ast);
    }
    check_tables(building_);
    without_uniform_inputs();
    // What seems missing may stand in the branch that nobody knows.
    if (unknown_branch_ || building_.exhausted) return std::move(building_.ast);
    const Span last = as_given(last_);
    const Span end{last.source, last.end, last.end + 1};
    if (building_.ast.declarations.empty()) {
        building_.report.error("K0112", "the program declares no variables", {building_.ast.source, 0, 1}).help =
            "begin with declarations, as in 'matrix3x3 A, B;' or 'float T[x, y];'";
    }
    const bool declared = !building_.ast.declarations.empty();
    if (building_.ast.statements.empty() && declared && !faulty_statement_) {
        building_.report.error("K0113", "the program has no statements", end).help =
            "write what is computed between 'input ...;' and 'return ...;'";
    }
    if (part_ != Part::outputs && !returns_otherwise_) {
        std::string assigned = "F";
        for (const ast::Statement& statement : building_.ast.statements)
            if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) assigned = assignment->target.text;
        building_.report.error("K0112", "the program returns nothing", end).help =
            fmt::format("end it with its outputs: 'return {};'", assigned);
    }
    const bool may_be_used = !building_.ast.options.empty() || building_.report.has_errors();
    for (const Procedure& procedure : building_.procedures) {
        if (procedure.used || may_be_used || procedure.name.span.source != building_.ast.source) continue;
        building_.report.warning("K0243", fmt::format("the procedure '{}' is never used", procedure.name.text),
                                 procedure.name.span);
    }
    std::vector<ast::Statement> tables;
    for (const ConstantTable& table : building_.tables) tables.emplace_back(table.statement);
    building_.ast.statements.insert(building_.ast.statements.begin(), tables.begin(), tables.end());
    return without_unneeded(std::move(building_.ast), building_.report);
}

}  // namespace kasc::frontend
