#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "frontend/check_expression.hpp"

// A field `or uniform` that is one number here is read at neighbours and positions as the field is: all its cells are
// that number, and so is what lies beyond a face that mirrors, keeps or repeats them.
//
//     c[x + 1], c[x = 3], c[0, -2]    →    c
//     sum(c*p)                        →    sum over the axes of c and p, as if c were stored

namespace kasc::frontend {

namespace {

std::vector<std::string> names_of(const std::vector<ast::Name>& axes) {
    std::vector<std::string> names;
    for (const ast::Name& axis : axes) names.push_back(axis.text);
    return names;
}

/// The faces along an axis; null: its declaration says nothing of them.
const ast::Faces* faces_along(const ast::Declaration& field, const std::string& axis) {
    const ast::Faces* others = nullptr;
    if (!field.boundary) return nullptr;
    for (const ast::Faces& faces : field.boundary->faces) {
        if (faces.axis && faces.axis->text == axis) return &faces;
        if (!faces.axis) others = &faces;
    }
    return others;
}

}  // namespace

const ast::Declaration* ExpressionChecker::uniform_field(const ast::Name& name) const {
    const auto place = written(name);
    if (!place || bound_axis(*place)) return nullptr;
    const std::vector<ast::Declaration>& all = checking_.ast.uniform;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& field) { return field.name.text == place->name.text; });
    return found == all.end() ? nullptr : &*found;
}

std::optional<std::size_t> ExpressionChecker::uniform_axis(const ast::Declaration& field, const ast::Index& index,
                                                           std::optional<std::size_t> place) {
    if (place) return place;
    const auto named = index.axis ? written(*index.axis) : offset_axis(field, index);
    const BoundAxis* bound = named ? bound_axis(*named) : nullptr;
    const std::string name = bound   ? checking_.program.axes[bound->axis].name
                             : named ? named->name.text
                                     : std::string();
    const auto found =
        std::find_if(field.axes.begin(), field.axes.end(), [&](const ast::Name& a) { return a.text == name; });
    if (found != field.axes.end()) return static_cast<std::size_t>(found - field.axes.begin());
    if (named) {
        report_no_axis(field.name, names_of(field.axes), index);
    } else {
        report_unnamed_index(field.name, names_of(field.axes), {index}, index);
    }
    return std::nullopt;
}

/// The face that the neighbour may lie beyond repeats the number.
bool ExpressionChecker::is_uniform_beyond(const ast::Declaration& field, const ast::Name& axis,
                                          const ast::Index& index) {
    const ast::Expression& written_so = *index.value;
    const auto cells = offset_axis(field, index) ? steps_from_axis(written_so) : constant(written_so, offset_text);
    const std::string at_position = fmt::format("a position is written '{}[{} = ...]'", field.name.text, axis.text);
    if (!cells || !is_near(*cells, index.value->span, at_position)) return false;
    if (*cells == 0) return true;
    const ast::Faces* faces = faces_along(field, axis.text);
    if (!faces) {
        Diagnostic& d = error("K0217", fmt::format("'{}' is read at a neighbour, but has no boundary", field.name.text),
                              index.value->span, "what lies beyond the grid?");
        d.notes.push_back({field.name.span, fmt::format("'{}' is declared here", field.name.text)});
        d.help = "add 'boundary mirror' to its declaration, or keep(n) or periodic";
        return false;
    }
    const ast::Face& face = *cells < 0 ? faces->low : faces->high;
    if (face.kind != BoundaryKind::value && !face.odd) return true;
    Diagnostic& d = error("K0261", fmt::format("'{}' is one number here, and its boundary another", field.name.text),
                          index.value->span, "cells at the face see the boundary's");
    d.notes.push_back({face.span, "the boundary is declared here"});
    d.help = fmt::format("give '{}' as a field, or declare 'mirror', 'periodic' or 'keep({})' in place of '{}'",
                         field.name.text, std::llabs(*cells), face.odd ? "-mirror" : "value");
    return false;
}

/// What the position reads is no operand of the statement: wherever it is, the number is the same.
bool ExpressionChecker::is_position(const ast::Expression& expression) {
    Operands read = allowed_.operands->has_target() ? Operands(checking_.program, allowed_.operands->target())
                                                    : Operands(checking_.program);
    const Allowed around = std::exchange(allowed_, in_position());
    allowed_.operands = &read;
    const ExpressionRef position = integer(expression);
    allowed_ = around;
    if (!position) return false;
    if (allowed_.folded) allowed_.operands->run_along(read.listed());
    return true;
}

void ExpressionChecker::run_along(const ast::Declaration& field, const std::vector<std::size_t>& positioned) {
    std::vector<AxisId> moving;
    for (std::size_t k = 0; k < field.axes.size(); ++k) {
        const auto axis = checking_.axes.find(field.axes[k].text);
        const bool moves = std::find(positioned.begin(), positioned.end(), k) == positioned.end();
        if (moves && axis != checking_.axes.end()) moving.push_back(axis->second);
    }
    allowed_.operands->run_along(std::move(moving));
}

ExpressionRef ExpressionChecker::uniform_access(Wanted wanted, const ast::Declaration& field, const ast::Access& node,
                                                const Span& span) {
    const auto names_axis = [&](const ast::Index& index) { return index.axis || offset_axis(field, index); };
    const bool named = std::any_of(node.indices.begin(), node.indices.end(), names_axis);
    if (!named && node.indices.size() != field.axes.size()) {
        report_offsets(field.name, names_of(field.axes), node.indices);
        return nullptr;
    }
    std::vector<std::size_t> positioned;
    for (std::size_t k = 0; k < node.indices.size(); ++k) {
        const ast::Index& index = node.indices[k];
        const auto axis = uniform_axis(field, index, named ? std::nullopt : std::optional(k));
        if (!axis) return nullptr;
        if (index.axis) positioned.push_back(*axis);
        if (!(index.axis ? is_position(*index.value) : is_uniform_beyond(field, field.axes[*axis], index)))
            return nullptr;
    }
    if (allowed_.folded) run_along(field, positioned);
    return parameter(wanted, std::get<ParameterId>(checking_.names.use(field.name.text)->meaning), span);
}

std::optional<std::vector<AxisId>> ExpressionChecker::uniform_axes(const ast::Declaration& field, const Span& span) {
    std::vector<AxisId> axes;
    for (const ast::Name& name : field.axes) {
        const auto axis = checking_.axes.find(name.text);
        if (axis == checking_.axes.end()) {
            error("K0232", fmt::format("nothing says how long the axis '{}' is", name.text), span,
                  fmt::format("'{}' alone has it, and is one number here", field.name.text))
                .help = fmt::format("give '{}' as a field", field.name.text);
            return std::nullopt;
        }
        axes.push_back(axis->second);
    }
    return axes;
}

}  // namespace kasc::frontend
