#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "frontend/ast_parts.hpp"
#include "frontend/check_expression.hpp"

// What lies beyond a face where it differs from cell to cell, or from iteration to iteration. The statement that reads
// the neighbour chooses it, in its own terms: its loops, and what fields had before it.
//
//     float T[x, z] boundary (x: mirror, z: value(skin)), skin[x] boundary periodic;
//     u = T[x + 1, z - 1];      →      u = z < 1 ? skin[x + 1] : T[x + 1, z - 1];
//
// Fields and coordinates in it stand at the place of the neighbour along the other axes: fields see their own
// boundaries there.

namespace kasc::frontend {

namespace {

constexpr const char* coordinate_text = "a coordinate runs";

void collect_loop_variables(const std::vector<ast::Statement>& statements, std::set<std::string>& names) {
    for (const ast::Statement& statement : statements) {
        const auto* loop = std::get_if<std::shared_ptr<const ast::Loop>>(&statement);
        if (loop == nullptr) continue;
        names.insert((*loop)->variable.text);
        collect_loop_variables((*loop)->body, names);
        collect_loop_variables((*loop)->otherwise, names);
    }
}

bool is_variable(const Checking& checking, const std::string& name) {
    const Symbol* symbol = checking.names.find(name);
    if (symbol) return std::holds_alternative<VariableId>(symbol->meaning);
    return checking.axes.contains(name) || is_loop_variable(checking.ast, name);
}

const ast::Function* called_function(const Checking& checking, const ast::Call& call) {
    const Symbol* symbol = checking.names.find(call.callee.text);
    const auto* function = symbol ? std::get_if<FunctionIndex>(&symbol->meaning) : nullptr;
    return function ? &checking.ast.functions[function->index] : nullptr;
}

/// Trees may share parts, and functions are called again and again: each is looked at once.
bool varies(const Checking& checking, const ast::Expression& e, const ast::Function* in,
            std::set<const ast::Expression*>& seen) {
    if (!seen.insert(&e).second) return false;
    if (std::holds_alternative<ast::Access>(e.node)) return true;
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) {
        const bool argument = in && std::any_of(in->arguments.begin(), in->arguments.end(),
                                                [&](const ast::Name& name) { return name.text == use->name; });
        return !argument && is_variable(checking, use->name);
    }
    if (const auto* call = std::get_if<ast::Call>(&e.node)) {
        if (call->callee.text == extent_name) return false;
        const ast::Function* function = called_function(checking, *call);
        if (function && varies(checking, *function->body, function, seen)) return true;
    }
    bool some = false;
    for_each_operand(e, [&](const ast::ExpressionRef& part) { some = some || varies(checking, *part, in, seen); });
    return some;
}

}  // namespace

bool is_loop_variable(const Ast& ast, const std::string& name) {
    std::set<std::string> names;
    collect_loop_variables(ast.statements, names);
    return names.contains(name);
}

bool varies(const Checking& checking, const ast::Expression& beyond) {
    std::set<const ast::Expression*> seen;
    return varies(checking, beyond, nullptr, seen);
}

std::optional<AxisId> Checking::partner(AxisId axis) const {
    if (const auto faces = staggered.find(axis); faces != staggered.end()) return faces->second.cells;
    for (const auto& [faces, of] : staggered)
        if (of.cells == axis) return faces;
    return std::nullopt;
}

int Checking::cells_beyond(AxisId axis, const Offset& offset, bool high) const {
    int cells = high ? offset.cells : -offset.cells;
    if (!offset.across || !high) return cells;
    // Both ends are alike where faces and cells are as many; else the faces go one further.
    const auto faces = staggered.find(axis);
    if (faces != staggered.end()) return faces->second.longer ? cells - 1 : cells;
    return staggered.at(partner(axis).value()).longer ? cells + 1 : cells;
}

std::string ExpressionChecker::face_text(const Beyond& beyond) const {
    const Variable& field = checking_.program.variables[beyond.field];
    return fmt::format("the {} face of '{}' along '{}'", beyond.high ? "high" : "low", field.name,
                       checking_.program.axes[field_shape(checking_.program, beyond.field).axes[beyond.axis]].name);
}

/// The number of the axis among those of the field whose face is crossed; none, with an error, where it has no such
/// axis, or the face has none.
std::optional<std::size_t> ExpressionChecker::axis_beyond(AxisId axis, const std::string& what, const Span& span) {
    const std::vector<AxisId>& axes = field_shape(checking_.program, beyond_->field).axes;
    const auto found = std::find(axes.begin(), axes.end(), axis);
    const auto number = static_cast<std::size_t>(found - axes.begin());
    if (found != axes.end() && number != beyond_->axis) return number;
    const std::string& name = checking_.program.axes[axis].name;
    Diagnostic& d = error("K0270", fmt::format("{} along '{}', {} does not", what, name, face_text(*beyond_)), span,
                          "which of its cells lies beyond?");
    d.help = "a value beyond a face has one number for each of its cells";
    if (found != axes.end() && what != coordinate_text) d.help += fmt::format(": say where, '[{} = 0]'", name);
    return std::nullopt;
}

/// The index of a field that stands beyond the face, in place of one in the text of the boundary.
std::optional<AxisIndex> ExpressionChecker::index_beyond(const Variable& field, AxisId axis, const Offset& given,
                                                         const Span& span) {
    const auto number = axis_beyond(axis, fmt::format("'{}' runs", field.name), span);
    if (!number) return std::nullopt;
    const AxisIndex& place = beyond_->indices[*number];
    if (const auto* offset = std::get_if<Offset>(&place)) {
        const int cells = offset->cells + given.cells;
        if (!is_near(cells, span, "")) return std::nullopt;
        return Offset{cells, offset->across != given.across};
    }
    if (given.cells == 0) return place;
    const auto from = [&](const ExpressionRef& position) { return stepped(position, given.cells, span); };
    if (const auto* absolute = std::get_if<Absolute>(&place)) return Absolute{from(absolute->position)};
    return Computed{from(std::get<Computed>(place).position)};
}

/// Where the neighbour stands along an axis.
ExpressionRef ExpressionChecker::coordinate_beyond(AxisId axis, const Span& span) {
    const auto number = axis_beyond(axis, coordinate_text, span);
    if (!number) return nullptr;
    const AxisIndex& place = beyond_->indices[*number];
    if (const auto* absolute = std::get_if<Absolute>(&place)) return absolute->position;
    if (const auto* computed = std::get_if<Computed>(&place)) return computed->position;
    const auto& offset = std::get<Offset>(place);
    const AxisId own = offset.across ? checking_.partner(axis).value() : axis;
    return stepped(make_expression(CoordinateUse{own}, ScalarKind::integer, span), offset.cells, span);
}

ExpressionRef ExpressionChecker::stepped(ExpressionRef position, int cells, const Span& span) {
    if (cells == 0) return position;
    const auto op = cells < 0 ? BinaryOperator::subtract : BinaryOperator::add;
    ExpressionRef steps = make_expression(Literal{static_cast<double>(std::abs(cells))}, ScalarKind::integer, span);
    return make_expression(BinaryOperation{op, std::move(position), std::move(steps)}, ScalarKind::integer, span);
}

/// The read lies beyond the face, or does not: a comparison that the interior of a grid settles (FieldPath::settled).
ExpressionRef ExpressionChecker::is_beyond(AxisId axis, const Offset& offset, bool high, bool beyond,
                                           const Span& span) {
    const AxisId own = offset.across ? checking_.partner(axis).value() : axis;
    const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, span); };
    const ExpressionRef end = high ? stepped(whole(ExtentUse{axis}), -offset.cells, span)
                                   : whole(Literal{static_cast<double>(-offset.cells)});
    const auto op = high == beyond ? BinaryOperator::greater_equal : BinaryOperator::less;
    return make_expression(BinaryOperation{op, whole(CoordinateUse{own}), end}, ScalarKind::boolean, span);
}

ExpressionRef ExpressionChecker::value_beyond(const Beyond& here) {
    for (const Beyond* b = beyond_; b; b = b->around) {
        if (b->field != here.field || b->axis != here.axis || b->high != here.high) continue;
        error("K0270", fmt::format("what lies beyond {} is asked for by itself", face_text(here)), here.read).help =
            "let it read cells of the grid, or fields with another boundary";
        return nullptr;
    }
    const ast::Face& face = *checking_.chosen_faces.at({here.field, here.axis, here.high});
    const bool whole = is_integer(field_shape(checking_.program, here.field).type);
    const Frame* const frame = std::exchange(frame_, nullptr);
    std::vector<BoundAxis> bound = std::exchange(bound_axes_, {});
    const Beyond* const around = std::exchange(beyond_, &here);
    Allowed allowed = allowed_;
    allowed.reductions = allowed.transforms = false;
    allowed.where = "the value of a boundary";
    std::swap(allowed_, allowed);
    ExpressionRef value = whole ? integer(*face.argument) : real(*face.argument);
    allowed_ = allowed;
    beyond_ = around;
    bound_axes_ = std::move(bound);
    frame_ = frame;
    return value;
}

/// What lies beyond the faces that the read may cross, and where: of several, what the first axis says. In the order of
/// the text, before the word itself. None: something is at fault.
std::optional<std::vector<ExpressionChecker::ChosenBeyond>> ExpressionChecker::choices_beyond(
    VariableId id, const std::vector<AxisIndex>& indices, const Span& span) {
    const std::vector<AxisId> axes = field_shape(checking_.program, id).axes;
    const std::vector<Faces> faces = field_shape(checking_.program, id).faces;
    const auto crosses = [&](std::size_t k, bool high) {
        const auto* offset = std::get_if<Offset>(&indices[k]);
        return offset && checking_.cells_beyond(axes[k], *offset, high) > 0;
    };
    std::vector<ChosenBeyond> all;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        for (const bool high : {true, false}) {
            if (!crosses(k, high) || !checking_.chosen_faces.contains({id, k, high})) continue;
            ExpressionRef value = value_beyond({beyond_, id, k, high, indices, span});
            if (!value) return std::nullopt;
            ExpressionRef where = is_beyond(axes[k], std::get<Offset>(indices[k]), high, true, span);
            for (std::size_t first = 0; first < k; ++first) {
                for (const bool end : {false, true}) {
                    const Face& face = end ? faces[first].high : faces[first].low;
                    if (!crosses(first, end) || face.kind != BoundaryKind::value) continue;
                    ExpressionRef within = is_beyond(axes[first], std::get<Offset>(indices[first]), end, false, span);
                    where = make_expression(
                        BinaryOperation{BinaryOperator::logical_and, std::move(where), std::move(within)},
                        ScalarKind::boolean, span);
                }
            }
            all.push_back({std::move(where), std::move(value)});
        }
    }
    return all;
}

void ExpressionChecker::report_loop_variable_beyond(const std::string& name, const Span& span) {
    Diagnostic& d =
        error("K0271",
              fmt::format("what lies beyond {} is known in the loop over '{}' alone", face_text(*beyond_), name), span);
    d.help = fmt::format("read neighbours of '{}' within a loop over '{}'",
                         checking_.program.variables[beyond_->field].name, name);
}

}  // namespace kasc::frontend
