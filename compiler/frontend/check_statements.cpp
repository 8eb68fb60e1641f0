#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/foreign_functions.hpp"
#include "frontend/other_side.hpp"
#include "frontend/token_words.hpp"

// Statements in the order of the text, with what is known to be assigned carried along.

namespace kasc::frontend {

namespace {

std::vector<Statement> check_body(Checking& checking, const std::vector<ast::Statement>& statements);

bool is_written_number(const ast::Expression& expression) {
    return std::holds_alternative<ast::Number>(expression.node);
}

Flow::LoopRuns loop_runs(const ast::Loop& loop, const ExpressionRef& from, const ExpressionRef& to) {
    if (loop.alive) return Flow::LoopRuns::by_cell;
    if (loop.going || !from || !to || !is_written_number(*loop.from) || !is_written_number(*loop.to))
        return Flow::LoopRuns::perhaps;
    const bool runs = std::get<Literal>(from->node).value < std::get<Literal>(to->node).value;
    return runs ? Flow::LoopRuns::always : Flow::LoopRuns::perhaps;
}

/// The field that says whether another iteration runs.
std::optional<VariableId> check_going(Checking& checking, const ast::Loop& loop) {
    const auto going = resolve_variable(checking, *loop.going);
    if (going) checking.flow.read(checking.program.variables[*going], *going, loop.going->span, checking.report);
    return going;
}

/// Cells end the loop one by one: none looks at another that the loop assigns, nor at all of them. In words of its own,
/// as what stands in functions is known by now.
void check_cells_alone(Checking& checking, const std::vector<Statement>& body, const Span& loop) {
    std::set<VariableId> assigned;
    for (const Statement& statement : body)
        if (const auto* s = std::get_if<FieldStatement>(&statement)) assigned.insert(s->target);
    const auto refused = [&](const Span& span, std::string message) {
        Diagnostic& d = checking.report.error("K0264", std::move(message), span);
        d.notes.push_back({loop, "each cell ends this loop by itself, as its condition has a value at each cell"});
        d.help = "let the loop go on while any cell does: 'any(...)' around the condition";
    };
    for (const Statement& statement : body) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr || s->fold || s->running)
            return refused(s ? s->span : std::get<TransformStatement>(statement).span, "this looks at all cells");
        for (const Operand& operand : s->operands) {
            const bool own = std::all_of(operand.indices.begin(), operand.indices.end(), [](const AxisIndex& index) {
                const auto* offset = std::get_if<Offset>(&index);
                return offset != nullptr && offset->cells == 0;
            });
            if (!own && assigned.contains(operand.variable))
                return refused(operand.span, fmt::format("this looks at other cells of '{}', which the loop assigns",
                                                         checking.program.variables[operand.variable].name));
        }
    }
}

/// `before`: the statements in front of it.
std::optional<Statement> check_loop(Checking& checking, const ast::Loop& loop, const std::vector<Statement>& before) {
    const Allowed of_bounds{nullptr, !checking.ast.calls_alone, checking.program.parameters.size(),
                            "the bound of a loop"};
    Allowed of_begin = of_bounds, of_end = of_bounds;
    const std::string begin = short_text(loop.from->span), end = short_text(loop.to->span);
    of_begin.instead =
        fmt::format("begin at 0, '{2} + {0}' in place of '{0}': 'for ({0} = 0; {0} < 1000 && {2} + {0} < {1}; {0}++)'",
                    loop.variable.text, end.empty() ? "..." : end, begin.empty() ? "..." : begin);
    ExpressionRef from = ExpressionChecker(checking, of_begin).integer(*loop.from);
    of_end.instead = fmt::format(
        "how often at most stands first, then what is computed: 'for ({0} = {1}; {0} < 1000 && {0} < {2}; {0}++)'",
        loop.variable.text, begin, end.empty() ? "..." : end);
    if (!from && !std::holds_alternative<ast::Number>(loop.from->node)) of_end.instead = of_begin.instead;
    ExpressionRef to = ExpressionChecker(checking, of_end).integer(*loop.to);
    auto checked = std::make_shared<LoopStatement>();
    checked->span = loop.span;
    checked->loop = checking.program.loops.add({loop.variable.text, loop.variable.span});
    checked->from = from;
    checked->to = to;
    if (loop.going) checked->going = check_going(checking, loop);
    checking.program.loops[checked->loop].counts = loop.counts;
    checking.loop_ends.push_back(to);
    checking.names.enter_loop(loop.variable, checked->loop, checking.report);
    const bool second = is_other_side(to, checked->going, before);
    checking.flow.enter_loop(loop.span, loop_runs(loop, from, to),
                             second      ? Flow::Side::second
                             : loop.once ? Flow::Side::first
                                         : Flow::Side::none);
    const std::size_t errors = checking.report.errors();
    checked->body = check_body(checking, loop.body);
    if (loop.alive && checking.report.errors() == errors) {
        checking.program.loops[checked->loop].alive = resolve_variable(checking, *loop.alive);
        check_cells_alone(checking, checked->body, loop.span);
    }
    const bool going = !loop.going || (checked->going && !checking.undecided.contains(loop.going->text));
    const bool decided = from && to && going;
    checking.flow.leave_loop(!decided || checking.report.errors() > errors);
    checking.names.leave_loop(loop.variable, checked->loop);
    if (!decided) return std::nullopt;
    return checked;
}

/// What is wrong with a condition is said once.
std::optional<Statement> check_condition(Checking& checking, const ast::Assignment& assignment) {
    if (checking.undecided.contains(assignment.target.text)) return std::nullopt;
    checking.deciding = true;
    auto checked = check_field_assignment(checking, assignment);
    checking.deciding = false;
    if (!checked) checking.undecided.insert(assignment.target.text);
    return checked;
}

std::optional<Statement> check_statement(Checking& checking, const ast::Statement& statement,
                                         const std::vector<Statement>& before) {
    if (const auto* loop = std::get_if<std::shared_ptr<const ast::Loop>>(&statement))
        return check_loop(checking, **loop, before);
    const auto& assignment = std::get<ast::Assignment>(statement);
    if (assignment.decides) return check_condition(checking, assignment);
    return checking.ast.calls_alone ? check_stream_assignment(checking, assignment)
                                    : check_field_assignment(checking, assignment);
}

std::vector<Statement> check_body(Checking& checking, const std::vector<ast::Statement>& statements) {
    std::vector<Statement> body;
    for (const ast::Statement& statement : statements) {
        if (checking.report.full()) break;
        auto checked = check_statement(checking, statement, body);
        std::move(checking.hoisted.begin(), checking.hoisted.end(), std::back_inserter(body));
        checking.hoisted.clear();
        checking.transformed.clear();
        checking.reduced.clear();
        if (checked) body.push_back(std::move(*checked));
    }
    return body;
}

}  // namespace

void check_statements(Checking& checking) {
    std::vector<Statement> body = check_body(checking, checking.ast.statements);
    std::vector<Statement>& all = checking.program.statements;
    all = std::move(checking.first);
    std::move(body.begin(), body.end(), std::back_inserter(all));
}

void report_unknown_name(Checking& checking, const std::string& name, const Span& span) {
    if (checking.report.full() || !checking.undeclared.insert(name).second) return;
    Diagnostic& d = checking.report.error("K0204", fmt::format("'{}' is not declared", name), span);
    d.help = checking.axes.contains(name) ? fmt::format("the length of an axis is declared: 'axis {} = 10;'", name)
                                          : name_here(name);
    if (d.help.empty()) d.help = did_you_mean(name, checking.names.all());
    if (d.help.empty() && !checking.ast.calls_alone)
        d.help = fmt::format("declare it: 'float {0}[x];' is a field along x, 'float {0}[];' one number", name);
}

std::optional<VariableId> resolve_variable(Checking& checking, const ast::Name& name) {
    const Symbol* symbol = checking.names.use(name.text);
    if (!symbol) {
        report_unknown_name(checking, name.text, name.span);
        return std::nullopt;
    }
    if (const auto* id = std::get_if<VariableId>(&symbol->meaning)) return *id;
    if (std::holds_alternative<Faulty>(symbol->meaning)) return std::nullopt;
    const bool stream = checking.ast.calls_alone;
    Diagnostic& d =
        checking.report.error("K0213",
                              fmt::format("'{}' is {}, not a {}", name.text,
                                          describe(symbol->meaning, checking.program), stream ? "stream" : "field"),
                              name.span);
    d.notes.push_back({symbol->span, "declared here"});
    const auto& uniform = checking.ast.uniform;
    if (std::any_of(uniform.begin(), uniform.end(), [&](const auto& field) { return field.name.text == name.text; }))
        d.help = "it is given as one number: give it as a dataset of its cells, or assign to a field of its own";
    return std::nullopt;
}

}  // namespace kasc::frontend
