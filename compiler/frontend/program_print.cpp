#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "frontend/axis_lengths.hpp"
#include "frontend/operators.hpp"
#include "frontend/program.hpp"
#include "frontend/reduction.hpp"

// The checked program in its own language, with functions expanded: it can be read back.
//
//     // heat: a program over fields
//     // axes: x, y, z, t
//     axis t = steps;
//     float T[x, y, z] boundary keep(2);
//     …

namespace kasc {

using namespace frontend;

namespace {

std::string uniform_text(const ExpressionRef& expression, const Program& program) {
    return to_text(*expression, program, {});
}

std::string indices_text(const Program& program, VariableId variable, const std::vector<AxisIndex>& indices,
                         const std::vector<std::string>& operands) {
    const FieldShape& shape = field_shape(program, variable);
    std::string offsets, named;
    bool moved = false, positioned = false;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const std::string& axis = program.axes[shape.axes[i]].name;
        const char* comma = named.empty() ? "" : ", ";
        if (const auto* offset = std::get_if<Offset>(&indices[i])) {
            offsets += fmt::format("{}{}", offsets.empty() ? "" : ", ", offset->cells);
            if (offset->cells == 0) continue;
            named += fmt::format("{}{} {} {}", comma, axis, offset->cells < 0 ? "-" : "+", std::abs(offset->cells));
            moved = true;
        } else {
            const auto* computed = std::get_if<Computed>(&indices[i]);
            const ExpressionRef& position = computed ? computed->position : std::get<Absolute>(indices[i]).position;
            named += fmt::format("{}{} = {}", comma, axis, to_text(*position, program, operands));
            positioned = true;
        }
    }
    if (positioned) return fmt::format("[{}]", named);
    return moved ? fmt::format("[{}]", offsets) : std::string();
}

class ProgramPrinter {
public:
    ProgramPrinter(const Program& program, const Library& library) : program_(program), library_(library) {}

    std::string run() {
        line(0, fmt::format("// {}: a program over {}", program_.name, has_streams(program_) ? "streams" : "fields"));
        if (!program_.axes.empty()) line(0, "// axes: " + axes());
        for (const Parameter& parameter : program_.parameters) this->parameter(parameter);
        lengths();
        for (const Variable& variable : program_.variables) declaration(variable);
        if (!program_.inputs.empty()) line(0, fmt::format("input {};", names(program_.inputs)));
        for (const Requirement& requirement : program_.requirements) {
            line(0, fmt::format("require({});",
                                to_text(*requirement.condition, program_, operand_texts(requirement, program_))));
        }
        for (const std::string& list : program_.distinct_lists) line(0, fmt::format("require(distinct({}));", list));
        for (const Allowance& allowed : program_.allowed) line(0, fmt::format("allow({});", allowed.name));
        body(0, program_.statements);
        line(0, fmt::format("return {};", names(program_.outputs)));
        return std::move(out_);
    }

private:
    void line(std::size_t depth, const std::string& text) {
        fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", 4 * depth, text);
    }

    std::string axes() const {
        std::string text;
        for (const Axis& axis : program_.axes) {
            if (is_said(axis)) text += (text.empty() ? "" : ", ") + axis.name;
        }
        return text;
    }

    /// The compiler's own are part of the text where fields have them, but for parts.
    bool is_said(const Axis& axis) const {
        const auto has_it = [&](const Variable& v) {
            const auto* field = std::get_if<FieldShape>(&v.shape);
            return field && std::any_of(field->axes.begin(), field->axes.end(),
                                        [&](AxisId a) { return &program_.axes[a] == &axis; });
        };
        return !axis.own || (!axis.parts && std::any_of(program_.variables.begin(), program_.variables.end(), has_it));
    }

    /// The lengths of half spectra, and of axes that no input has.
    void lengths() {
        for (const Axis& axis : program_.axes) {
            if (axis.half_of && is_said(axis))
                line(0, fmt::format("axis {} = half({});", axis.name, program_.axes[*axis.half_of].name));
        }
        std::vector<AxisId> order = axes_by_length(program_);
        // What inputs have agrees with what is declared.
        for (const AxisId id : program_.axes.ids())
            if (program_.axes[id].declared && std::find(order.begin(), order.end(), id) == order.end())
                order.push_back(id);
        for (const AxisId id : order) {
            const Axis& axis = program_.axes[id];
            if (axis.half_of || !is_said(axis)) continue;
            line(0, fmt::format("axis {} = {};", axis.name, uniform_text(axis.fallback_extent, program_)));
        }
    }

    std::string names(const std::vector<VariableId>& variables) const {
        std::string text;
        for (const VariableId id : variables) text += (text.empty() ? "" : ", ") + program_.variables[id].name;
        return text;
    }

    void parameter(const Parameter& parameter) {
        const char* real = parameter.precision == Precision::dual ? "double" : "float";
        const char* type = parameter.kind == ScalarKind::integer ? "int" : real;
        const std::string value = parameter.fallback ? " = " + uniform_text(parameter.fallback, program_) : "";
        line(0, fmt::format("param {} {}{};", type, parameter.name, value));
    }

    void declaration(const Variable& variable) {
        if (const auto* stream = std::get_if<StreamShape>(&variable.shape)) {
            line(0, fmt::format("{} {};", library_.types[stream->type].name, variable.name));
            return;
        }
        const FieldShape& shape = std::get<FieldShape>(variable.shape);
        if (holds_parts(program_, variable) || variable.of_list) return;
        std::string axes;
        for (const AxisId axis : shape.axes) axes += (axes.empty() ? "" : ", ") + program_.axes[axis].name;
        line(0, fmt::format("{} {}[{}]{};", name_of(shape.type), variable.name, axes, boundary(shape)));
    }

    std::string boundary(const FieldShape& shape) const {
        std::vector<std::string> faces;
        for (const Faces& f : shape.faces) {
            const std::string low = face(f.low), high = face(f.high);
            faces.push_back(low == high ? low : fmt::format("{} / {}", low, high));
        }
        if (faces.empty()) return "";
        const bool alike = std::all_of(faces.begin(), faces.end(), [&](const auto& f) { return f == faces.front(); });
        if (alike && faces.front().find('/') == std::string::npos) {
            return shape.faces.front().low.kind == BoundaryKind::none ? "" : " boundary " + faces.front();
        }
        std::string text;
        for (std::size_t k = 0; k < faces.size(); ++k) {
            if (shape.faces[k].low.kind == BoundaryKind::none) continue;
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", program_.axes[shape.axes[k]].name, faces[k]);
        }
        return fmt::format(" boundary ({})", text);
    }

    std::string face(const Face& face) const {
        if (face.kind == BoundaryKind::keep) return fmt::format("keep({})", face.layers);
        if (face.kind == BoundaryKind::value) return fmt::format("value({})", uniform_text(face.value, program_));
        return fmt::format("{}{}", face.odd ? "-" : "", name_of(face.kind));
    }

    void body(std::size_t depth, const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) std::visit([&](const auto& s) { print(depth, s); }, statement);
    }

    void print(std::size_t depth, const CallStatement& statement) {
        line(depth, fmt::format("{} = {}({});", program_.variables[statement.target].name,
                                library_.functions[statement.callee].name, names(statement.arguments)));
    }

    void print(std::size_t depth, const TransformStatement& statement) {
        if (program_.variables[statement.target].of_list) return;
        const FieldShape& shape = field_shape(program_, statement.target);
        std::string axes;
        if (statement.axes.size() < shape.axes.size()) {
            for (const std::size_t k : statement.axes) axes += ", " + program_.axes[shape.axes[k]].name;
        }
        line(depth, fmt::format("{} = {}({}{});", program_.variables[statement.target].name,
                                name_of(statement.direction), program_.variables[statement.source].name, axes));
    }

    void print(std::size_t depth, const FieldStatement& statement) {
        if (const FieldStatement* pieces = pieces_added(statement)) return print_added(depth, statement, *pieces);
        const bool of_pieces = statement.adding && statement.adding->part == Adding::Part::pieces;
        if (statement.adding && statement.adding->written && !of_pieces)
            return print(depth, *statement.adding->written, "");
        const auto of_list = [&](const Operand& operand) { return program_.variables[operand.variable].of_list; };
        const bool reads = std::any_of(statement.operands.begin(), statement.operands.end(), of_list);
        if (reads || program_.variables[statement.target].of_list) return;
        if (!statement.fold) return print(depth, statement, "");
        if (statement.fold->parts) return;
        // Both statements of a reduction as the one that they are made of.
        const FieldStatement& parts = *statement_of_parts(program_, statement.operands.front().variable);
        std::string axes;
        if (field_shape(program_, parts.target).axes.size() > 1) {
            for (const AxisId axis : parts.fold->axes) axes += ", " + program_.axes[axis].name;
        }
        line(depth, fmt::format("{}{} = {}({}{});", program_.variables[statement.target].name,
                                indices_text(program_, statement.target, statement.target_indices, {}),
                                name_of(parts.fold->op),
                                to_text(*parts.value, program_, operand_texts(parts, program_)), axes));
    }

    /// What was added in pieces, where the statement adds their sums to its target; null: it does not.
    [[nodiscard]] const FieldStatement* pieces_added(const FieldStatement& statement) const {
        const auto made_by = [&](VariableId variable) {
            return program_.variables[variable].of_list ? statement_of_parts(program_, variable) : nullptr;
        };
        for (const Operand& operand : statement.operands) {
            const FieldStatement* sums = made_by(operand.variable);
            const FieldStatement* parts = sums && sums->fold ? made_by(sums->operands.front().variable) : nullptr;
            const FieldStatement* pieces = parts && parts->fold ? made_by(parts->operands.front().variable) : nullptr;
            if (pieces && pieces->adding && pieces->adding->part == Adding::Part::pieces) return pieces;
        }
        return nullptr;
    }
    /// Where a rule knows what it is added to, that is assigned before.
    void print_added(std::size_t depth, const FieldStatement& statement, const FieldStatement& pieces) {
        const auto* sum = std::get_if<BinaryOperation>(&statement.value->node);
        const auto* former = sum ? std::get_if<OperandUse>(&sum->left->node) : nullptr;
        if (sum && !(former && statement.operands.at(former->operand).variable == statement.target)) {
            FieldStatement before = statement;
            before.value = sum->left;
            print(depth, before, "");
        }
        print(depth, *pieces.adding->written, "");
    }

    void print(std::size_t depth, const FieldStatement& statement, const std::string& coloured) {
        const std::vector<std::string> operands = operand_texts(statement, program_);
        const Expression* value = statement.value.get();
        const bool adds = statement.adding || (!statement.running && is_added(statement));
        if (adds) value = std::get<BinaryOperation>(value->node).right.get();
        std::string text = to_text(*value, program_, operands);
        if (statement.running) text = running_text(*statement.running, program_, text);
        line(depth, fmt::format("{}{} {} {}{};", program_.variables[statement.target].name,
                                indices_text(program_, statement.target, statement.target_indices, operands),
                                adds ? "+=" : "=", text, coloured));
    }

    /// The sum of the target itself and something that was read before it: `T = T + e` would read T first, and reads
    /// are numbered in the order of the text.
    bool is_added(const FieldStatement& statement) const {
        const auto* sum = std::get_if<BinaryOperation>(&statement.value->node);
        const auto* former =
            sum && sum->op == BinaryOperator::add ? std::get_if<OperandUse>(&sum->left->node) : nullptr;
        if (!former) return false;
        const std::vector<std::string> operands = operand_texts(statement, program_);
        const std::string target = program_.variables[statement.target].name +
                                   indices_text(program_, statement.target, statement.target_indices, operands);
        std::size_t first = 0;  // behind the reads of the target's positions
        for (const AxisIndex& index : statement.target_indices) {
            if (const auto* computed = std::get_if<Computed>(&index))
                first = std::max(first, operands_end(*computed->position));
        }
        return operands[former->operand] == target && former->operand > first;
    }

    void print(std::size_t depth, const std::shared_ptr<const LoopStatement>& loop) {
        const auto* only = loop->body.size() == 1 ? std::get_if<FieldStatement>(&loop->body.front()) : nullptr;
        if (only && only->where) {
            // A loop over colours, as the front end makes it of one statement.
            print(depth, *only, fmt::format(" coloured({})", uniform_text(loop->to, program_)));
            return;
        }
        const Loop& variable = program_.loops[loop->loop];
        if (variable.plain != nullptr)
            line(depth,
                 fmt::format("// in turns with the loop below, where {}", uniform_text(variable.plain, program_)));
        line(depth, to_text(*loop, program_) + " {");
        body(depth + 1, loop->body);
        line(depth, "}");
    }

    const Program& program_;
    const Library& library_;
    std::string out_;
};

}  // namespace

std::string to_text(const LoopStatement& loop, const Program& program) {
    const Loop& variable = program.loops[loop.loop];
    return fmt::format("for ({0} = {1}; {0} < {2}{3}; {0}{4})", variable.name, uniform_text(loop.from, program),
                       uniform_text(loop.to, program), loop.going ? " && " + program.variables[*loop.going].name : "",
                       variable.by == 1 ? "++" : fmt::format(" += {}", variable.by));
}

std::string to_text(const Operand& operand, const Program& program, const std::vector<std::string>& before) {
    return program.variables[operand.variable].name + indices_text(program, operand.variable, operand.indices, before);
}

namespace {

std::vector<std::string> operand_texts(const std::vector<Operand>& operands, const Program& program) {
    std::vector<std::string> texts;
    for (const Operand& operand : operands) texts.push_back(to_text(operand, program, texts));
    return texts;
}

}  // namespace

std::string positions_text(const Program& program, const std::vector<AxisIndex>& indices,
                           const std::vector<std::string>& operands) {
    std::string text;
    for (const AxisIndex& index : indices) {
        if (const auto* computed = std::get_if<Computed>(&index))
            text += (text.empty() ? "" : ", ") + to_text(*computed->position, program, operands);
    }
    return text;
}

const char* name_of(Direction direction) {
    switch (direction) {
        case Direction::forward:
            return "fft";
        case Direction::backward:
            return "unscaled_ifft";
        case Direction::order:
            return "order";
        case Direction::runs:
            return "runs";
        case Direction::starts:
            return "starts";
        case Direction::renew:
            return "renew";
    }
    return "";
}

std::vector<std::string> operand_texts(const FieldStatement& statement, const Program& program) {
    return operand_texts(statement.operands, program);
}

std::vector<std::string> operand_texts(const Requirement& requirement, const Program& program) {
    return operand_texts(requirement.operands, program);
}

std::string print(const Program& program, const Library& library) { return ProgramPrinter(program, library).run(); }

}  // namespace kasc
