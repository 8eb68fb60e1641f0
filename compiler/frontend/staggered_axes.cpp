#include "frontend/staggered_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "frontend/line_axes.hpp"
#include "frontend/rewrite_expression.hpp"

// Faces and cells that are as many are one axis under two names: face i is the low face of cell i.
//
//     axis xf = staggered(x, same);
//     float p[x] boundary mirror, u[xf] boundary value(0);
//     u = u - k*(p[x = xf] - p[x = xf - 1]);        →      float u[x];  u = u - k*(p - p[x - 1]);
//     p = p - k*(u[xf = x + 1] - u[xf = x]);        →                   p = p - k*(u[x + 1] - u);

namespace kasc::frontend {

namespace {

void joined_twice(const Program& program, const LineAxes& line, const Span& span, const std::string& who,
                  Report& report) {
    const std::string &cells = program.axes[line.cells].name, &faces = program.axes[line.faces].name;
    Diagnostic& d = report.error(
        "K0272", fmt::format("{} both along '{}' and along '{}', which are one line", who, cells, faces), span);
    d.notes.push_back({program.axes[line.faces].span, fmt::format("'{}' is declared here", faces)});
    d.help = fmt::format("read across: '[{} = {}]' of a field along '{}', '[{} = {}]' of one along '{}'", faces, cells,
                         faces, cells, faces, cells);
}

void check_lines(const Program& program, const std::vector<Statement>& statements, const LineAxes& line,
                 Report& report) {
    for (const Statement& s : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
            check_lines(program, (*loop)->body, line, report);
        } else if (const auto* field = std::get_if<FieldStatement>(&s)) {
            if (axes_run_along(program, *field, line).size() > 1)
                joined_twice(program, line, field->span, "the statement runs", report);
        }
    }
}

/// Other axes in place of some, wherever they stand.
class Renaming {
public:
    Renaming(Program& program, const std::function<AxisId(AxisId)>& to) : program_(program), to_(to) {}

    void run() {
        for (Variable& variable : program_.variables) {
            auto* shape = std::get_if<FieldShape>(&variable.shape);
            if (shape == nullptr) continue;
            rename(shape->axes);
            for (Faces& faces : shape->faces) {
                faces.low.value = renamed(faces.low.value);
                faces.high.value = renamed(faces.high.value);
            }
        }
        for (Axis& axis : program_.axes) {
            axis.fallback_extent = renamed(axis.fallback_extent);
            if (axis.half_of) rename(*axis.half_of);
            if (axis.parts) rename(axis.parts->of);
        }
        for (Requirement& requirement : program_.requirements) {
            rename(requirement.axes);
            for (Operand& operand : requirement.operands) rename(operand);
            requirement.condition = renamed(requirement.condition);
        }
        program_.statements = renamed(program_.statements);
    }

private:
    Program& program_;
    const std::function<AxisId(AxisId)>& to_;

    void rename(AxisId& axis) const { axis = to_(axis); }
    void rename(std::vector<AxisId>& axes) const {
        for (AxisId& axis : axes) rename(axis);
    }
    [[nodiscard]] ExpressionRef renamed(const ExpressionRef& e) const {
        if (!e) return e;
        return with_leaves(e, [&](const ExpressionRef& leaf) {
            if (const auto* use = std::get_if<CoordinateUse>(&leaf->node))
                return make_expression(CoordinateUse{to_(use->axis)}, leaf->kind, leaf->span);
            if (const auto* use = std::get_if<ExtentUse>(&leaf->node))
                return make_expression(ExtentUse{to_(use->axis)}, leaf->kind, leaf->span);
            return leaf;
        });
    }
    void rename(AxisIndex& index) const {
        if (auto* absolute = std::get_if<Absolute>(&index)) absolute->position = renamed(absolute->position);
        if (auto* computed = std::get_if<Computed>(&index)) computed->position = renamed(computed->position);
    }
    void rename(Operand& operand) const {
        for (AxisIndex& index : operand.indices) rename(index);
    }
    [[nodiscard]] Statement renamed(FieldStatement statement) const {
        for (AxisIndex& index : statement.target_indices) rename(index);
        for (Operand& operand : statement.operands) rename(operand);
        statement.value = renamed(statement.value);
        statement.where = renamed(statement.where);
        rename(statement.listed);
        if (statement.fold) rename(statement.fold->axes);
        if (statement.fold && statement.fold->parts) rename(*statement.fold->parts);
        if (statement.running) rename(statement.running->axis);
        return statement;
    }
    [[nodiscard]] std::vector<Statement> renamed(const std::vector<Statement>& statements) const {
        std::vector<Statement> all;
        for (const Statement& s : statements) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                auto made = std::make_shared<LoopStatement>(**loop);
                made->from = renamed(made->from);
                made->to = renamed(made->to);
                made->body = renamed(made->body);
                all.emplace_back(std::move(made));
            } else if (const auto* field = std::get_if<FieldStatement>(&s)) {
                all.push_back(renamed(*field));
            } else if (auto transform = std::get<TransformStatement>(s); true) {
                rename(transform.cells);
                all.emplace_back(std::move(transform));
            }
        }
        return all;
    }
};

}  // namespace

std::vector<Statement> with_each(const std::vector<Statement>& statements,
                                 const std::function<Statement(const Statement&)>& made) {
    std::vector<Statement> all;
    for (const Statement& s : statements) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        if (loop == nullptr) {
            all.push_back(made(s));
            continue;
        }
        auto again = std::make_shared<LoopStatement>(**loop);
        again->body = with_each(again->body, made);
        all.emplace_back(std::move(again));
    }
    return all;
}

std::set<AxisId> axes_run_along(const Program& program, const FieldStatement& statement, const LineAxes& line) {
    std::set<AxisId> axes;
    const auto run = [&](AxisId axis) {
        if (line.has(axis)) axes.insert(axis);
    };
    const auto within = [&](const ExpressionRef& e) {
        if (!e) return;
        for_each_part(*e, [&](const Expression& part) {
            if (const auto* use = std::get_if<CoordinateUse>(&part.node)) run(use->axis);
        });
    };
    const auto read = [&](const FieldShape& shape, const std::vector<AxisIndex>& indices) {
        for (std::size_t k = 0; k < indices.size(); ++k) {
            if (const auto* offset = std::get_if<Offset>(&indices[k])) {
                if (line.has(shape.axes[k])) run(offset->across ? line.other(shape.axes[k]) : shape.axes[k]);
            } else if (const auto* computed = std::get_if<Computed>(&indices[k])) {
                within(computed->position);
            }
        }
    };
    read(field_shape(program, statement.target), statement.target_indices);
    for (const Operand& operand : statement.operands) read(field_shape(program, operand.variable), operand.indices);
    within(statement.value);
    within(statement.where);
    std::for_each(statement.listed.begin(), statement.listed.end(), run);
    if (statement.fold) std::for_each(statement.fold->axes.begin(), statement.fold->axes.end(), run);
    return axes;
}

Program with_one_axis(Program program, const LineAxes& line) {
    program.statements = with_each(program.statements, [&](const Statement& s) -> Statement {
        const auto* field = std::get_if<FieldStatement>(&s);
        if (field == nullptr) return s;
        FieldStatement made = *field;
        for (Operand& operand : made.operands) {
            const std::vector<AxisId>& axes = field_shape(program, operand.variable).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                auto* offset = std::get_if<Offset>(&operand.indices[k]);
                if (offset && line.has(axes[k])) offset->across = false;
            }
        }
        return made;
    });
    const std::function<AxisId(AxisId)> to = [&](AxisId axis) { return axis == line.faces ? line.cells : axis; };
    Renaming(program, to).run();
    return program;
}

/// In the order in which fields have them, as the text of the program says it; without those that became another.
static Program with_axes_in_order(Program program, const std::map<AxisId, Staggered>& staggered) {
    std::vector<AxisId> order;
    const auto add = [&](AxisId axis) {
        if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
    };
    for (const Variable& variable : program.variables) {
        const auto* shape = std::get_if<FieldShape>(&variable.shape);
        if (shape) std::for_each(shape->axes.begin(), shape->axes.end(), add);
    }
    for (const AxisId axis : program.axes.ids()) {
        const auto joined = staggered.find(axis);
        if (joined == staggered.end() || joined->second.longer) add(axis);
    }
    std::map<AxisId, AxisId> places;
    Table<AxisId, Axis> axes;
    for (const AxisId axis : order) places[axis] = axes.add(program.axes[axis]);
    program.axes = std::move(axes);
    const std::function<AxisId(AxisId)> to = [&](AxisId axis) { return places.at(axis); };
    Renaming(program, to).run();
    return program;
}

Program with_joined_axes(Program program, Checking& checking) {
    Report& report = checking.report;
    for (const auto& [faces, of] : checking.staggered) {
        const LineAxes line{of.cells, faces};
        for (const Variable& variable : program.variables) {
            const auto* shape = std::get_if<FieldShape>(&variable.shape);
            if (shape &&
                std::count_if(shape->axes.begin(), shape->axes.end(), [&](AxisId axis) { return line.has(axis); }) > 1)
                joined_twice(program, line, variable.span, fmt::format("'{}' runs", variable.name), report);
        }
        check_lines(program, program.statements, line, report);
        if (report.has_errors()) return program;
        program =
            of.longer ? with_longer_axis(std::move(program), line, checking) : with_one_axis(std::move(program), line);
    }
    return with_axes_in_order(std::move(program), checking.staggered);
}

}  // namespace kasc::frontend
