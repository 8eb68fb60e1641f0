#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"

// Axes by name, in the bracket of a read and as arguments: T[a - 1] in a function that was called with x for a.

namespace kasc::frontend {

namespace {

/// The x of x, x + 1 and x - k + 1; null where the expression starts with something else than a name.
const ast::Expression* first_name(const ast::Expression& expression) {
    const ast::Expression* first = &expression;
    while (const auto* node = std::get_if<ast::Binary>(&first->node)) {
        if (node->op != BinaryOperator::add && node->op != BinaryOperator::subtract) return nullptr;
        first = node->left.get();
    }
    return std::holds_alternative<ast::NameUse>(first->node) ? first : nullptr;
}

}  // namespace

std::vector<std::string> ExpressionChecker::axis_names(VariableId variable) const {
    std::vector<std::string> names;
    for (const AxisId axis : field_shape(checking_.program, variable).axes)
        names.push_back(checking_.program.axes[axis].name);
    return names;
}

const ExpressionChecker::BoundAxis* ExpressionChecker::bound_axis(const Written& place) const {
    const auto bound = std::find_if(bound_axes_.rbegin(), bound_axes_.rend(), [&](const BoundAxis& b) {
        return b.frame == place.frame && b.name == place.name.text;
    });
    return bound == bound_axes_.rend() ? nullptr : &*bound;
}

std::optional<ExpressionChecker::Written> ExpressionChecker::written(const ast::Name& name) const {
    Written place{name, frame_};
    while (place.frame && !bound_axis(place)) {
        const std::vector<ast::Name>& arguments = checking_.ast.functions[place.frame->function].arguments;
        const auto argument = std::find_if(arguments.begin(), arguments.end(),
                                           [&](const ast::Name& a) { return a.text == place.name.text; });
        if (argument == arguments.end()) break;
        const ast::Expression& given = *place.frame->arguments[static_cast<std::size_t>(argument - arguments.begin())];
        const auto* use = std::get_if<ast::NameUse>(&given.node);
        if (!use) return std::nullopt;
        place = {{use->name, given.span}, place.frame->caller};
    }
    return place;
}

std::optional<AxisId> ExpressionChecker::axis_named(const std::string& name) const {
    const auto place = written({name, {}});
    if (!place) return std::nullopt;
    if (const BoundAxis* bound = bound_axis(*place)) return bound->axis;
    const auto axis = checking_.axes.find(place->name.text);
    if (axis == checking_.axes.end()) return std::nullopt;
    checking_.unnamed_axes.erase(axis->second);
    return axis->second;
}

std::optional<AxisId> ExpressionChecker::axis_of_offset(const ast::Expression& expression) const {
    const ast::Expression* first = first_name(expression);
    return first ? axis_named(std::get<ast::NameUse>(first->node).name) : std::nullopt;
}

bool ExpressionChecker::starts_with_unknown(const ast::Index& index) const {
    const ast::Expression* first = first_name(*index.value);
    if (!first) return false;
    const std::string& name = std::get<ast::NameUse>(first->node).name;
    const auto place = written({name, first->span});
    return place && !axis_named(name) && !checking_.names.find(place->name.text);
}

std::optional<ExpressionChecker::Written> ExpressionChecker::offset_axis(const ast::Declaration& field,
                                                                         const ast::Index& index) const {
    const ast::Expression* first = first_name(*index.value);
    if (!first) return std::nullopt;
    const std::string& name = std::get<ast::NameUse>(first->node).name;
    const auto place = written({name, first->span});
    if (!place) return std::nullopt;
    const bool own = std::any_of(field.axes.begin(), field.axes.end(),
                                 [&](const ast::Name& axis) { return axis.text == place->name.text; });
    return own || axis_named(name) || starts_with_unknown(index) ? place : std::nullopt;
}

void ExpressionChecker::report_no_axis(const ast::Name& field, const std::vector<std::string>& axes,
                                       const ast::Index& index) {
    const ast::Expression* first = first_name(*index.value);
    const ast::Name used = index.axis ? *index.axis : ast::Name{std::get<ast::NameUse>(first->node).name, first->span};
    const auto axis = axis_named(used.text);
    const Written place = written(used).value_or(Written{used, frame_});
    const std::string name = axis ? checking_.program.axes[*axis].name : place.name.text;
    if (!checking_.undeclared.insert(fmt::format("{}[{}] {}", field.text, name, checking_.statement.begin)).second)
        return;
    const Frame* frame = frame_;
    frame_ = place.frame;
    Diagnostic& d = error("K0228", fmt::format("'{}' has no axis '{}'", field.text, name), place.name.span);
    frame_ = frame;
    if (place.frame != frame) d.notes.push_back({used.span, "it is used as an axis here"});
    d.notes.push_back({field.span, fmt::format("the axes of '{}' are {}", field.text, name_list(axes))});
    d.help = did_you_mean(name, axes);
    if (d.help.empty() && !axes.empty())
        d.help = fmt::format("the cell itself is '{0}', a neighbour '{0}[{1} + 1]', one place '{0}[{1} = 0]'",
                             field.text, axes.front());
}

}  // namespace kasc::frontend
