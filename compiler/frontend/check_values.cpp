#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/mentions.hpp"

// Values that are known before the first statement runs: of parameters and of boundaries.

namespace kasc::frontend {

void check_parameters(Checking& checking) {
    for (std::size_t i = 0; i < checking.ast.parameters.size() && !checking.report.full(); ++i) {
        const ast::Parameter& declared = checking.ast.parameters[i];
        if (!declared.fallback) continue;
        Parameter& parameter = checking.program.parameters[ParameterId{static_cast<std::uint32_t>(i)}];
        ExpressionChecker checker(checking,
                                  {nullptr, false, i, "the value of a parameter", false, parameter.precision});
        parameter.fallback = parameter.kind == ScalarKind::integer ? checker.integer(*declared.fallback)
                                                                   : checker.real(*declared.fallback);
    }
}

namespace {

/// Statements choose what they read there.
bool is_chosen(const Checking& checking, const ast::Face& declared) {
    return declared.kind == BoundaryKind::value && varies(checking, *declared.argument);
}

Face check_face(Checking& checking, const ast::Face& declared, CellType type) {
    if (is_chosen(checking, declared)) return {BoundaryKind::keep, 0, nullptr, declared.span};
    Face face{declared.kind, 0, nullptr, declared.span, declared.odd};
    if (face.kind == BoundaryKind::value) {
        ExpressionChecker checker(checking, {nullptr, false, checking.program.parameters.size(),
                                             "the value of a boundary", true, real_precision(type)});
        face.value = is_integer(type) ? checker.integer(*declared.argument) : checker.real(*declared.argument);
    }
    if (face.kind != BoundaryKind::keep) return face;
    ExpressionChecker checker(checking, {nullptr, false, 0, "the number of layers"});
    const auto layers = checker.constant(*declared.argument, "the number of layers");
    if (!layers) return face;
    if (*layers < 0 || *layers > farthest_neighbour) {
        checking.report.error("K0224", "the number of layers is out of range", declared.argument->span,
                              fmt::format("a boundary keeps 0 to {}", farthest_neighbour));
        return face;
    }
    face.layers = static_cast<int>(*layers);
    return face;
}

Faces check_faces(Checking& checking, const ast::Faces& declared, CellType type) {
    const bool low = declared.low.kind == BoundaryKind::periodic, high = declared.high.kind == BoundaryKind::periodic;
    if (low != high) {
        checking.report.error("K0237", "one face of an axis cannot be periodic without the other", declared.span).help =
            "write 'periodic' for both: the cell beyond one end is that at the other";
    }
    return {check_face(checking, declared.low, type), check_face(checking, declared.high, type)};
}

/// The axes of the field that an entry speaks of: the one that it names, or those that no entry names.
std::vector<std::size_t> axes_of_entry(Checking& checking, const ast::Declaration& field, const ast::Faces& entry) {
    std::vector<std::size_t> axes;
    for (std::size_t k = 0; k < field.axes.size(); ++k) {
        const auto names_it = [&](const ast::Faces& f) { return f.axis && f.axis->text == field.axes[k].text; };
        const auto& all = field.boundary->faces;
        if (entry.axis ? names_it(entry) : std::none_of(all.begin(), all.end(), names_it)) axes.push_back(k);
    }
    if (entry.axis && axes.empty()) {
        std::vector<std::string> names;
        for (const ast::Name& axis : field.axes) names.push_back(axis.text);
        Diagnostic& d = checking.report.error(
            "K0228", fmt::format("'{}' has no axis '{}'", field.name.text, entry.axis->text), entry.axis->span);
        d.notes.push_back({field.name.span, fmt::format("the axes of '{}' are {}", field.name.text, name_list(names))});
        d.help = did_you_mean(entry.axis->text, names);
    }
    return axes;
}

void check_boundary(Checking& checking, const ast::Declaration& declaration, FieldShape& shape) {
    std::vector<const ast::Faces*> given(shape.axes.size(), nullptr);
    const VariableId field = std::get<VariableId>(checking.names.find(declaration.name.text)->meaning);
    for (const ast::Faces& entry : declaration.boundary->faces) {
        const Faces faces = check_faces(checking, entry, shape.type);
        for (const std::size_t k : axes_of_entry(checking, declaration, entry)) {
            if (given[k]) {
                const std::string message =
                    entry.axis ? fmt::format("the boundary along '{}' is given twice", entry.axis->text)
                               : "the boundary along the axes that are not named is given twice";
                Diagnostic& d = checking.report.error("K0228", message, entry.span);
                d.notes.push_back({given[k]->span, "the first is here"});
                if (!entry.axis)
                    d.help = fmt::format("name axes: 'boundary ({}: {}, {})'", declaration.axes.front().text,
                                         text_of(given[k]->span), text_of(entry.span));
                break;
            }
            given[k] = &entry;
            shape.faces[k] = faces;
            if (is_chosen(checking, entry.low)) checking.chosen_faces[{field, k, false}] = &entry.low;
            if (is_chosen(checking, entry.high)) checking.chosen_faces[{field, k, true}] = &entry.high;
        }
    }
}

}  // namespace

/// axis kx = half(x);
static void check_half(Checking& checking, AxisId id, const ast::Call& half) {
    const ast::NameUse* use =
        half.arguments.size() == 1 ? std::get_if<ast::NameUse>(&half.arguments[0]->node) : nullptr;
    const auto whole = use ? checking.axes.find(use->name) : checking.axes.end();
    if (whole == checking.axes.end() || whole->second == id) {
        checking.report.error("K0252", "'half' takes the axis whose spectrum is meant", half.callee.span).help =
            "as in 'axis kx = half(x);': the extent(x)/2 + 1 wave numbers of a real field along x";
        return;
    }
    for (const Axis& other : checking.program.axes) {
        if (other.half_of != whole->second) continue;
        checking.report
            .error("K0252", fmt::format("'{}' has the half spectrum '{}' already", use->name, other.name),
                   half.callee.span)
            .notes.push_back({other.span, "declared here"});
        return;
    }
    const auto whole_number = [&](auto node) {
        return make_expression(std::move(node), ScalarKind::integer, half.callee.span);
    };
    Axis& axis = checking.program.axes[id];
    axis.half_of = whole->second;
    axis.declared = true;
    axis.fallback_extent = whole_number(
        BinaryOperation{BinaryOperator::add,
                        whole_number(BinaryOperation{BinaryOperator::divide, whole_number(ExtentUse{whole->second}),
                                                     whole_number(Literal{2})}),
                        whole_number(Literal{1})});
}

/// axis xf = staggered(x);
static void check_staggered(Checking& checking, AxisId id, const ast::Call& call) {
    const auto name = [&](std::size_t k) {
        const auto* use = k < call.arguments.size() ? std::get_if<ast::NameUse>(&call.arguments[k]->node) : nullptr;
        return use ? use->name : std::string();
    };
    const auto cells = checking.axes.find(name(0));
    const bool same = call.arguments.size() == 2 && name(1) == same_name;
    const std::string& faces = checking.program.axes[id].name;
    if (cells == checking.axes.end() || cells->second == id || (call.arguments.size() != 1 && !same)) {
        checking.report
            .error("K0272", "'staggered' takes the axis of the cells between which its faces lie", call.callee.span)
            .help = fmt::format(
            "as in 'axis {0} = staggered(x);', of one cell more than x, or 'axis {0} = staggered(x, "
            "same);', of as many",
            faces);
        return;
    }
    if (const auto other = checking.partner(cells->second) ? checking.partner(cells->second) : checking.partner(id)) {
        checking.report
            .error("K0272",
                   fmt::format("'{}' lies half a step from '{}' already", name(0), checking.program.axes[*other].name),
                   call.callee.span)
            .notes.push_back({checking.program.axes[*other].span, "declared here"});
        return;
    }
    const auto whole = [&](auto node) {
        return make_expression(std::move(node), ScalarKind::integer, call.callee.span);
    };
    checking.staggered[id] = {cells->second, !same};
    Axis& axis = checking.program.axes[id];
    axis.declared = true;
    axis.fallback_extent = whole(ExtentUse{cells->second});
    if (!same)
        axis.fallback_extent = whole(BinaryOperation{BinaryOperator::add, axis.fallback_extent, whole(Literal{1})});
}

static void report_unnamed_axis(Checking& checking, const ast::Name& axis) {
    std::vector<std::string> names;
    for (const Axis& known : checking.program.axes)
        if (known.name != axis.text) names.push_back(known.name);
    Diagnostic& d = checking.report.error("K0228", fmt::format("no field has an axis '{}'", axis.text), axis.span);
    d.help = did_you_mean(axis.text, names);
    if (d.help.empty())
        d.help = fmt::format(
            "a field has it, 'float T[{0}];', or a reduction runs along it, 'sum({0}*{0}, {0})'; a "
            "number is 'param int {0} = ...;'",
            axis.text);
}

/// Axes of no field: of spectra that a program need not declare, of reductions. They are known to all lengths.
static void declare_further_axes(Checking& checking) {
    for (const ast::AxisLength& declared : checking.ast.axis_lengths) {
        const auto* call = std::get_if<ast::Call>(&declared.length->node);
        if (call && call->callee.text == staggered_name) continue;  // between the cells of a field
        const auto [place, fresh] = checking.axes.try_emplace(declared.axis.text, AxisId{});
        if (!fresh) continue;
        place->second = checking.program.axes.add({declared.axis.text, declared.axis.span, nullptr, {}, true});
        if (!call || call->callee.text != half_name) checking.unnamed_axes.emplace(place->second, declared.axis);
    }
}

void check_unnamed_axes(Checking& checking) {
    for (const auto& [axis, name] : checking.unnamed_axes) {
        // What names it may be left out with these options.
        const bool named = !checking.ast.options.empty() && is_among(name.text, checking.ast.mentions.read);
        if (!named) report_unnamed_axis(checking, name);
    }
}

void check_axis_lengths(Checking& checking) {
    if (!checking.ast.calls_alone) declare_further_axes(checking);
    std::map<std::string, Span> given;
    for (const ast::AxisLength& declared : checking.ast.axis_lengths) {
        if (checking.report.full()) return;
        const auto* half = std::get_if<ast::Call>(&declared.length->node);
        const auto* staggered = half && half->callee.text == staggered_name ? half : nullptr;
        if (half && half->callee.text != half_name) half = nullptr;
        const auto axis = checking.axes.find(declared.axis.text);
        const auto [first, added] = given.try_emplace(declared.axis.text, declared.axis.span);
        if (!added) {
            Diagnostic& d = checking.report.error(
                "K0202", fmt::format("the axis '{}' is given two lengths", declared.axis.text), declared.axis.span);
            d.notes.push_back({first->second, "the first is here"});
            d.help = "leave one of them out; a table of constants says how long its axes are";
        } else if (axis == checking.axes.end()) {
            report_unnamed_axis(checking, declared.axis);
        } else if (half) {
            check_half(checking, axis->second, *half);
        } else if (staggered) {
            check_staggered(checking, axis->second, *staggered);
        } else {
            checking.program.axes[axis->second].declared = true;
            ExpressionChecker checker(checking,
                                      {nullptr, false, checking.program.parameters.size(), "the length of an axis"});
            checking.program.axes[axis->second].fallback_extent = checker.integer(*declared.length);
        }
    }
}

void check_boundaries(Checking& checking) {
    for (const ast::Declaration& declaration : checking.ast.declarations) {
        const Symbol* symbol = checking.names.find(declaration.name.text);
        const auto* id = std::get_if<VariableId>(&symbol->meaning);
        if (!declaration.boundary || !id || checking.report.full()) continue;
        Variable& variable = checking.program.variables[*id];
        if (variable.span.begin != declaration.name.span.begin) continue;  // of a name that is declared twice
        if (auto* shape = std::get_if<FieldShape>(&variable.shape)) check_boundary(checking, declaration, *shape);
    }
}

}  // namespace kasc::frontend
