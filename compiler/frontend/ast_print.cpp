#include <fmt/format.h>

#include <iterator>

#include "frontend/ast.hpp"
#include "frontend/operators.hpp"

// One node a line, children indented by two:
//
//     assign T
//       binary +
//         name T
//         access T [-1]

namespace kasc {

using namespace frontend;

namespace {

class TreePrinter {
public:
    [[nodiscard]] std::string take() { return std::move(out_); }

    template <class... Arguments>
    void line(std::size_t depth, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        out_.append(2 * depth, ' ');
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
        out_.push_back('\n');
    }

    void expression(std::size_t depth, const ast::ExpressionRef& expression) {
        std::visit([&](const auto& node) { print(depth, node); }, expression->node);
    }

    void indices(std::size_t depth, const std::vector<ast::Index>& all) {
        for (const ast::Index& index : all) {
            if (index.axis) {
                line(depth, "position {}", index.axis->text);
            } else {
                line(depth, "offset");
            }
            expression(depth + 1, index.value);
        }
    }

    void statement(std::size_t depth, const ast::Statement& statement) {
        if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) {
            const std::string word = assignment->word ? "." + assignment->word->text : "";
            line(depth, "{} {}{}", assignment->adds ? "add to" : "assign", assignment->target.text, word);
            indices(depth + 1, assignment->indices);
            expression(depth + 1, assignment->value);
            if (assignment->colours) {
                line(depth + 1, "coloured");
                expression(depth + 2, assignment->colours);
            }
            return;
        }
        const auto& loop = *std::get<std::shared_ptr<const ast::Loop>>(statement);
        line(depth, "{}", loop.from ? "for " + loop.variable.text : "loop");
        if (loop.from) {
            line(depth + 1, "from");
            expression(depth + 2, loop.from);
            line(depth + 1, "to");
            expression(depth + 2, loop.to);
        }
        if (loop.going) line(depth + 1, "while {}", loop.going->text);
        if (loop.alive) line(depth + 1, "where {}", loop.alive->text);
        if (loop.condition) {
            line(depth + 1, "{}", loop.once ? "if" : "while");
            expression(depth + 2, loop.condition);
        }
        for (const ast::Statement& inner : loop.body) this->statement(depth + 1, inner);
        if (!loop.otherwise.empty()) line(depth + 1, "else");
        for (const ast::Statement& inner : loop.otherwise) this->statement(depth + 2, inner);
    }

private:
    void print(std::size_t depth, const ast::Number& node) { line(depth, "number {}", node.text); }
    void print(std::size_t depth, const ast::NameUse& node) { line(depth, "name {}", node.name); }
    void print(std::size_t depth, const ast::Access& node) {
        line(depth, "access {}", node.variable.text);
        indices(depth + 1, node.indices);
    }
    void print(std::size_t depth, const ast::WordUse& node) {
        line(depth, "word {}", node.word.text);
        expression(depth + 1, node.cell);
    }
    void print(std::size_t depth, const ast::Call& node) {
        line(depth, "call {}{}", node.callee.text, node.word ? fmt::format(" word {}", *node.word) : "");
        for (const ast::ExpressionRef& argument : node.arguments) expression(depth + 1, argument);
    }
    void print(std::size_t depth, const ast::Unary& node) {
        line(depth, "unary {}", symbol(node.op));
        expression(depth + 1, node.operand);
    }
    void print(std::size_t depth, const ast::Binary& node) {
        line(depth, "binary {}", symbol(node.op));
        expression(depth + 1, node.left);
        expression(depth + 1, node.right);
    }
    void print(std::size_t depth, const ast::Conditional& node) {
        line(depth, "conditional");
        expression(depth + 1, node.condition);
        expression(depth + 1, node.then);
        expression(depth + 1, node.otherwise);
    }

    std::string out_;
};

std::string joined(const std::vector<ast::Name>& names) {
    std::string list;
    for (const ast::Name& name : names) list += (list.empty() ? "" : ", ") + name.text;
    return list;
}

void print_declaration(TreePrinter& out, const ast::Declaration& declaration) {
    const std::string axes = !declaration.is_field ? "" : fmt::format("[{}]", joined(declaration.axes));
    out.line(1, "declare {} {}{}", declaration.type.text, declaration.name.text, axes);
    if (declaration.layout) out.line(2, "layout {}", declaration.layout->text);
    if (!declaration.boundary) return;
    for (const ast::Faces& faces : declaration.boundary->faces) {
        const std::string along = faces.axis ? fmt::format(" along {}", faces.axis->text) : "";
        for (const ast::Face* face : {&faces.low, &faces.high}) {
            const bool same = faces.low.span.begin == faces.high.span.begin;
            if (same && face == &faces.high) break;
            const char* where = same ? "" : face == &faces.low ? ", low" : ", high";
            out.line(2, "boundary {}{}{}{}", face->odd ? "-" : "", name_of(face->kind), along, where);
            if (face->argument) out.expression(3, face->argument);
        }
    }
}

}  // namespace

std::string print(const Ast& ast) {
    TreePrinter out;
    out.line(0, "program");
    for (const ast::CellTypeDeclaration& type : ast.types)
        out.line(1, "type {} = {}[{}]", type.name.text, type.of.text, fmt::join(type.extents, ", "));
    for (const ast::Declaration& declaration : ast.declarations) print_declaration(out, declaration);
    for (const ast::AxisLength& axis : ast.axis_lengths) {
        out.line(1, "axis {}", axis.axis.text);
        out.expression(2, axis.length);
    }
    for (const ast::Parameter& parameter : ast.parameters) {
        out.line(1, "parameter {} {}", parameter.type.text, parameter.name.text);
        if (parameter.fallback) out.expression(2, parameter.fallback);
    }
    for (const ast::Function& function : ast.functions) {
        out.line(1, "function {}({})", function.name.text, joined(function.arguments));
        out.expression(2, function.body);
    }
    if (!ast.inputs.empty()) out.line(1, "input {}", joined(ast.inputs));
    for (const ast::ExpressionRef& condition : ast.requirements) {
        out.line(1, "require");
        out.expression(2, condition);
    }
    if (!ast.allowed.empty()) out.line(1, "allow {}", joined(ast.allowed));
    for (const ast::Statement& statement : ast.statements) out.statement(1, statement);
    out.line(1, "return {}", joined(ast.outputs));
    return out.take();
}

}  // namespace kasc
