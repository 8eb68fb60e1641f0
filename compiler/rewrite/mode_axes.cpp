#include "rewrite/mode_axes.hpp"

#include "frontend/expressions_at.hpp"
#include "frontend/own_axis.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace rewriting {

namespace {

bool has_image(Wall wall) { return wall == Wall::even || wall == Wall::odd || wall == Wall::zero; }

/// Cells of a field and its image, which are apart by a cell that is zero where the wall is.
ExpressionRef image_length(AxisId axis, Wall wall, const Span& span) {
    const ExpressionsAt at{span};
    const ExpressionRef extent = at.extent(axis);
    return at.whole(BinaryOperator::multiply, at.whole_number(2),
                    wall == Wall::zero ? at.whole(BinaryOperator::add, extent, at.whole_number(1)) : extent);
}

std::optional<AxisId> find_image(const Program& program, AxisId axis, Wall wall) {
    return find_own_axis(program, image_length(axis, wall, program.axes[axis].span));
}

void add_axes(Program& program, const LinearStep& step, const std::vector<AxisId>& axes) {
    AxisId first = axes[step.first];
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (!has_image(step.walls[k])) continue;
        const std::string name = program.axes[axes[k]].name;
        const Span span = program.axes[axes[k]].span;
        const AxisId image = own_axis(program, name + "_image", image_length(axes[k], step.walls[k], span), span);
        if (k == step.first) first = image;
    }
    half_axis(program, program.axes[first].name + "_modes", first);
}

void add_axes_of_loops(Program& program, const Program& anew, const Statements& list) {
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        if (loop == nullptr) continue;
        add_axes_of_loops(program, anew, (*loop)->body);
        const FoundStep found = linear_step(anew, **loop);
        if (found.step) add_axes(program, *found.step, field_shape(anew, found.step->field).axes);
    }
}

}  // namespace

ModeAxes mode_axes(const Program& program, const LinearStep& step) {
    ModeAxes made{field_shape(program, step.field).axes, {}};
    for (std::size_t k = 0; k < made.cells.size(); ++k)
        if (has_image(step.walls[k])) made.cells[k] = find_image(program, made.cells[k], step.walls[k]).value();
    made.waves = made.cells;
    made.waves[step.first] = find_half_axis(program, made.cells[step.first]).value();
    return made;
}

}  // namespace rewriting

Program with_mode_axes(Program program, const std::set<Rule>& left_out) {
    if (has_streams(program)) return program;
    const Program anew = rewrite(program, left_out).program;
    rewriting::add_axes_of_loops(program, anew, anew.statements);
    return program;
}

}  // namespace kasc
