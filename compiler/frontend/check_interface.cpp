#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/axis_lengths.hpp"
#include "frontend/checking.hpp"
#include "frontend/setting_names.hpp"

// Inputs, outputs, and what can be said only when the whole program is known.

namespace kasc::frontend {

namespace {

/// The variables of an 'input' or a 'return', each once.
std::vector<VariableId> resolve_list(Checking& checking, const std::vector<ast::Name>& names, const char* word) {
    std::vector<VariableId> all;
    std::map<VariableId, Span> places;
    for (const ast::Name& name : names) {
        if (checking.report.full()) break;
        const auto id = resolve_variable(checking, name);
        if (!id) continue;
        const auto [place, added] = places.try_emplace(*id, name.span);
        if (!added) {
            Diagnostic& d =
                checking.report.error("K0202", fmt::format("'{}' stands twice in '{}'", name.text, word), name.span);
            d.notes.push_back({place->second, "the first is here"});
            continue;
        }
        all.push_back(*id);
    }
    return all;
}

void check_boundary_of(Checking& checking, VariableId id, const NeighbourReads& reads, bool input) {
    const Variable& variable = checking.program.variables[id];
    const FieldShape& shape = field_shape(checking.program, id);
    std::string open;  // axes that are read along and have no boundary
    bool some = false;
    for (std::size_t k = 0; k < shape.faces.size(); ++k) {
        if (shape.faces[k].low.kind != BoundaryKind::none) {
            some = true;
        } else if (reads.axes[k] && open.empty()) {
            open = checking.program.axes[shape.axes[k]].name;
        }
    }
    if (open.empty()) return;
    const std::string where = some ? fmt::format(" along '{}'", open) : "";
    Diagnostic& d = checking.report.error(
        "K0217", fmt::format("'{}' is read at a neighbour, but has no boundary{}", variable.name, where), reads.first,
        "what lies beyond the grid?");
    d.notes.push_back({variable.span, fmt::format("'{}' is declared here", variable.name)});
    // What is computed has no former value that its outermost layers could keep.
    d.help = input ? fmt::format("add 'boundary keep({})' to its declaration, or value(v), mirror or periodic",
                                 reads.farthest)
                   : "add 'boundary mirror' to its declaration, or value(v) or periodic";
}

}  // namespace

void check_inputs(Checking& checking) {
    checking.program.inputs = resolve_list(checking, checking.ast.inputs, "input");
    for (const VariableId id : checking.program.inputs) checking.flow.input(id);
}

void check_outputs(Checking& checking) {
    checking.program.outputs = resolve_list(checking, checking.ast.outputs, "return");
    std::map<VariableId, Span> places;
    for (const ast::Name& name : checking.ast.outputs) {
        const Symbol* symbol = checking.names.find(name.text);
        const auto* id = symbol ? std::get_if<VariableId>(&symbol->meaning) : nullptr;
        if (id) checking.flow.output(checking.program.variables[*id], *id, name.span, checking.report);
    }
}

/// A length that the caller gives to an axis that nothing else has a length for.
ExpressionRef given_length(const Program& program, const Axis& axis, const ProgramSettings& sizes) {
    constexpr double most = 2e9;
    const auto size = std::find_if(sizes.begin(), sizes.end(),
                                   [&](const auto& given) { return own_name(program, given.first) == axis.name; });
    if (size == sizes.end() || !(size->second >= 1 && size->second <= most) || size->second != std::floor(size->second))
        return nullptr;
    return make_expression(Literal{size->second}, ScalarKind::integer, axis.span);
}

void check_fields(Checking& checking, const ProgramSettings& sizes) {
    if (checking.ast.calls_alone) return;
    const std::set<VariableId> inputs(checking.program.inputs.begin(), checking.program.inputs.end());
    for (const auto& [id, reads] : checking.neighbours) check_boundary_of(checking, id, reads, inputs.contains(id));
    std::set<AxisId> bound;  // axes whose length is known
    for (const VariableId id : inputs) {
        const FieldShape& shape = field_shape(checking.program, id);
        bound.insert(shape.axes.begin(), shape.axes.end());
    }
    for (const AxisId id : checking.program.axes.ids()) {
        Axis& axis = checking.program.axes[id];
        const bool open = !bound.contains(id) && !axis.fallback_extent && !axis.half_of && !axis.parts;
        if (open) axis.fallback_extent = given_length(checking.program, axis, sizes);
    }
    for (const AxisId id : axes_by_length(checking.program)) bound.insert(id);
    for (const AxisId id : checking.program.axes.ids()) {
        const Axis& axis = checking.program.axes[id];
        if (bound.contains(id) || axis.parts) continue;
        if (axis.fallback_extent) {
            checking.report
                .error("K0232", fmt::format("the length of the axis '{}' depends on itself", axis.name), axis.span)
                .notes.push_back({axis.fallback_extent->span, "its length is computed here"});
            continue;
        }
        checking.report
            .error("K0232", fmt::format("nothing says how long the axis '{}' is", axis.name), axis.span,
                   "no input has it")
            .help = fmt::format(
            "make a field over '{0}' an input, declare 'axis {0} = ...;', index '{0}' by a loop variable, as in "
            "'[{0} = n]', or say it in the call, '--set {0}=...'",
            axis.name);
    }
}

void check_unused(Checking& checking) {
    // What is not used with these options is used with others.
    if (!checking.ast.options.empty()) return;
    checking.flow.report_unused(checking.program, checking.report);
    const auto is_used = [&](const std::string& name) { return checking.names.find(name)->used; };
    for (const Parameter& parameter : checking.program.parameters) {
        // A cell is used where any of its words is.
        const auto& cells = checking.ast.shaped_parameters;
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Ast::Shaped& c) {
            return std::find(c.words.begin(), c.words.end(), parameter.name) != c.words.end();
        });
        if (cell == cells.end() ? is_used(parameter.name)
                                : std::any_of(cell->words.begin(), cell->words.end(), is_used))
            continue;
        checking.report.warning("K0242", fmt::format("the parameter '{}' is never used", parameter.name),
                                parameter.span);
    }
    for (const ast::Function& function : checking.ast.functions) {
        const bool imported = as_given(function.name.span).source != checking.ast.source;
        if (function.of_library || imported || function.expanded || checking.names.find(function.name.text)->used)
            continue;
        checking.report.warning("K0243", fmt::format("the function '{}' is never used", function.name.text),
                                function.name.span);
    }
}

}  // namespace kasc::frontend
