#include "frontend/check.hpp"

#include <algorithm>

#include "frontend/cell_words.hpp"
#include "frontend/checking.hpp"
#include "frontend/conditions.hpp"
#include "frontend/element_axis.hpp"
#include "frontend/endless_loops.hpp"
#include "frontend/library_functions.hpp"
#include "frontend/parse.hpp"
#include "frontend/staggered_axes.hpp"
#include "frontend/written_words.hpp"
#include "frontend/zeroed_series.hpp"

namespace kasc {

using namespace frontend;

namespace {

void collect_first_assigned(const std::vector<ast::Statement>& statements, std::map<std::string, Span>& places) {
    for (const ast::Statement& statement : statements) {
        if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) {
            places.try_emplace(assignment->target.text, assignment->target.span);
        } else {
            collect_first_assigned(std::get<std::shared_ptr<const ast::Loop>>(statement)->body, places);
        }
    }
}

bool is_name_or_number(const ast::ExpressionRef& e) {
    return std::holds_alternative<ast::Number>(e->node) || std::holds_alternative<ast::NameUse>(e->node);
}
bool have_plain_bounds(const std::vector<ast::Statement>& statements) {
    return std::all_of(statements.begin(), statements.end(), [](const ast::Statement& statement) {
        const auto* loop = std::get_if<std::shared_ptr<const ast::Loop>>(&statement);
        return !loop ||
               (is_name_or_number((*loop)->from) && is_name_or_number((*loop)->to) && have_plain_bounds((*loop)->body));
    });
}
/// Calls of streams call none: a program that computes nothing else need not pay for reading them.
bool may_call_field_functions(const Ast& ast) {
    const bool plain = std::all_of(ast.parameters.begin(), ast.parameters.end(), [](const ast::Parameter& p) {
        return !p.fallback || is_name_or_number(p.fallback);
    });
    return !ast.calls_alone || !plain || !ast.requirements.empty() || !have_plain_bounds(ast.statements);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string program_name(const std::string& source_name) {
    const std::size_t slash = source_name.find_last_of("/\\");
    std::string name = slash == std::string::npos ? source_name : source_name.substr(slash + 1);
    if (const std::size_t dot = name.find_last_of('.'); dot != std::string::npos && dot > 0) name.resize(dot);
    if (name.size() > program_limits.name_bytes) name.resize(program_limits.name_bytes);
    for (char& c : name) {
        if (!is_letter(c) && !is_digit(c)) c = '_';
    }
    if (name.empty() || is_digit(name.front())) name = "program_" + name;
    return name;
}

Outcome<Program> check(const Ast& ast, const Library& library, const ProgramSettings& sizes) {
    std::map<std::string, Span> first_assigned;
    collect_first_assigned(ast.statements, first_assigned);
    Checking checking{ast, library, {}, {}, {}, Flow(std::move(first_assigned)), {}, {}, {}, 0, {}, {}, {}};
    checking.program.source = ast.source;
    checking.program.name = program_name(ast.source->name);

    for (const ast::Option& option : ast.options)
        if (!option.is_word) checking.program.options.push_back(option.name.text);
    checking.program.left_out = ast.left_out;
    for (const ast::Name& name : ast.may_be_uniform) checking.program.may_be_uniform.push_back(name.text);
    for (const ast::Name& name : ast.allowed) checking.program.allowed.push_back({name.text, name.span});
    check_declarations(checking);
    check_parameters(checking);
    check_axis_lengths(checking);
    check_boundaries(checking);
    check_inputs(checking);
    check_requirements(checking);
    check_statements(checking);
    check_unnamed_axes(checking);
    check_outputs(checking);
    for (const Ast::Shaped& field : ast.shaped) {
        ShapedField shaped{field.name, field.extents, {}, field.layout};
        for (const std::string& word : field.words)
            if (const Symbol* symbol = checking.names.find(word))
                if (const auto* id = std::get_if<VariableId>(&symbol->meaning)) shaped.words.push_back(*id);
        checking.program.shaped.push_back(std::move(shaped));
    }
    if (!checking.report.has_errors()) check_fields(checking, sizes);
    if (checking.report.has_errors()) return failure<Program>(checking.report.take());
    check_unused(checking);
    // Before axes are joined, which makes other fields of some.
    checking.program = with_zeroed_series(std::move(checking.program), checking.flow.zero_before_loops());
    if (!checking.staggered.empty()) checking.program = with_joined_axes(std::move(checking.program), checking);
    if (checking.report.has_errors()) return failure<Program>(checking.report.take());
    return success(std::move(checking.program), checking.report.take());
}

bool FieldShape::keeps_layers() const {
    return std::any_of(faces.begin(), faces.end(),
                       [](const Faces& f) { return f.low.layers > 0 || f.high.layers > 0; });
}

std::optional<long long> declared_length(const Axis& axis) {
    const auto* number =
        axis.declared && axis.fallback_extent ? std::get_if<Literal>(&axis.fallback_extent->node) : nullptr;
    return number ? std::optional(static_cast<long long>(number->value)) : std::nullopt;
}

bool has_streams(const Program& program) {
    return !program.variables.empty() && std::holds_alternative<StreamShape>(program.variables[VariableId{0}].shape);
}

const FieldShape& field_shape(const Program& program, VariableId variable) {
    return std::get<FieldShape>(program.variables[variable].shape);
}

bool computes_long(const Program& program, const FieldStatement& statement) {
    return is_long(field_shape(program, statement.target).type) ||
           std::any_of(statement.operands.begin(), statement.operands.end(),
                       [&](const Operand& o) { return is_long(field_shape(program, o.variable).type); });
}

CellType cell_type_of(const Program& program, VariableId variable) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    return field == nullptr ? CellType::float32 : field->type;
}

Outcome<Program> read_program(const SourceRef& source, const Library& library, const ProgramSettings& settings) {
    return read_parsed(parse(source, settings), library, settings);
}

Outcome<Program> read_parsed(Outcome<Ast> ast, const Library& library, const ProgramSettings& settings) {
    if (!ast) return failure<Program>(std::move(ast.diagnostics));
    Diagnostics said = std::move(ast.diagnostics);
    Report of_conditions;
    check_endless_loops(*ast, of_conditions);
    ast.value = with_settled_conditions(with_element_axis(std::move(*ast.value), library), library, of_conditions);
    const bool settled = !of_conditions.has_errors();
    for (Diagnostic& d : of_conditions.take()) said.push_back(std::move(d));
    if (may_call_field_functions(*ast.value)) {
        ast = with_library_functions(std::move(*ast.value), library);
        said.insert(said.end(), ast.diagnostics.begin(), ast.diagnostics.end());
        if (!ast) return failure<Program>(std::move(said));
    }
    ast = with_cell_words(std::move(*ast.value), library);
    said.insert(said.end(), ast.diagnostics.begin(), ast.diagnostics.end());
    if (!ast) return failure<Program>(std::move(said));
    Outcome<Program> program = check(*ast, library, settings);
    std::vector<Ast::Shaped> cells = ast->shaped;
    cells.insert(cells.end(), ast->shaped_parameters.begin(), ast->shaped_parameters.end());
    program.diagnostics = of_written_words(std::move(program.diagnostics), cells);
    program.diagnostics.insert(program.diagnostics.begin(), said.begin(), said.end());
    if (!settled) return failure<Program>(std::move(program.diagnostics));
    return program;
}

}  // namespace kasc
