#include "search/transform_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/field_target.hpp"

namespace kasc {

namespace {

std::vector<AxisId> ascending(std::vector<AxisId> axes) {
    std::sort(axes.begin(), axes.end());
    return axes;
}

const FieldUpdate* update_of(const Graph& graph, NodeId node) {
    return std::get_if<FieldUpdate>(&graph.nodes[node].what);
}

/// Every cell of a field is computed, of words that stand at the cell itself or at positions.
Verdict computed_at_cells(const Program& program, const FieldUpdate& update) {
    const FieldStatement& s = update.statement;
    const std::string& name = program.variables[s.target].name;
    if (s.fold) return Verdict::no(fmt::format("{} is folded: transforms and folds share no kernel", name));
    if (is_listed(s) || s.where || s.adding || assigns_slice(s) || update.former)
        return Verdict::no(fmt::format("{} is assigned at some cells alone", name));
    if (field_shape(program, s.target).keeps_layers())
        return Verdict::no(fmt::format("{} keeps layers at the edge of the grid", name));
    for (const Access& access : update.accesses)
        if (std::holds_alternative<NearAccess>(access) || std::holds_alternative<ElementAccess>(access))
            return Verdict::no(fmt::format("{} reads neighbours: cells at the edge have a path of their own", name));
    return Verdict::yes(fmt::format("{} is computed at the cells of the lines", name));
}

/// What one call of a kernel makes of a line, others read at the cell itself: cells of other lines have other threads.
Verdict reads_at_cells(const Program& program, const Graph& graph, NodeId maker, NodeId reader) {
    const FieldUpdate* update = update_of(graph, reader);
    if (update == nullptr) return Verdict::yes("a transform takes whole lines");
    const ValueId made = graph.nodes[maker].writes.front();
    for (std::size_t k = 0; k < update->accesses.size(); ++k)
        if (graph.nodes[reader].reads[k] == made && !std::holds_alternative<PointAccess>(update->accesses[k]))
            return Verdict::no(fmt::format("{} reads other cells of {}, which lines of their own have",
                                           program.variables[update->statement.target].name,
                                           value_name(graph, program, made)));
    return Verdict::yes("what the kernel makes is read at the cell itself");
}

/// The cells of a call are those that the transform has on one side.
Verdict stands_at(const Program& program, const FieldUpdate& update, const LineTransform& t) {
    if (Verdict cells = computed_at_cells(program, update); !cells) return cells;
    const std::vector<AxisId> own = ascending(free_axes(program, update.statement));
    std::vector<AxisId> spectrum = t.axes;
    if (t.half) std::replace(spectrum.begin(), spectrum.end(), t.along, *t.half);
    const std::string& name = program.variables[update.statement.target].name;
    if (own == ascending(t.axes) || own == ascending(spectrum))
        return Verdict::yes(
            fmt::format("{} is computed at the cells of lines along {}", name, program.axes[t.along].name));
    return Verdict::no(fmt::format("mixed iteration axes: {} is computed over other cells than the transform's", name));
}

/// The cells of one are those of the other with a half axis in place of a whole one.
bool on_two_sides(const Program& program, const FieldUpdate& a, const FieldUpdate& b) {
    const auto is_half = [](const Axis& axis) { return axis.half_of.has_value(); };
    if (std::none_of(program.axes.begin(), program.axes.end(), is_half)) return false;
    std::vector<AxisId> one = ascending(free_axes(program, a.statement)),
                        other = ascending(free_axes(program, b.statement));
    std::vector<AxisId> only, others;
    std::set_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(only));
    std::set_difference(other.begin(), other.end(), one.begin(), one.end(), std::back_inserter(others));
    if (only.size() != 1 || others.size() != 1) return false;
    return program.axes[only.front()].half_of == others.front() || program.axes[others.front()].half_of == only.front();
}

}  // namespace

std::optional<LineTransform> line_transform(const Program& program, const Graph& graph, NodeId node) {
    const auto* transform = std::get_if<Transform>(&graph.nodes[node].what);
    if (transform == nullptr) return std::nullopt;
    const TransformStatement& s = transform->statement;
    if (!transforms(s.direction) || s.axes.size() != 1) return std::nullopt;
    const FieldShape &source = field_shape(program, s.source), &target = field_shape(program, s.target);
    const bool real_source = !is_complex(source.type), real_target = !is_complex(target.type);
    const FieldShape& whole = real_target ? target : source;
    const FieldShape& spectrum = real_source ? target : source;
    LineTransform made{whole.axes[s.axes.front()], {}, whole.axes, spectrum.type};
    if (real_source || real_target) made.half = spectrum.axes[s.axes.front()];
    return made;
}

std::optional<Verdict> share_transform_lines(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    const auto a = line_transform(program, graph, first), b = line_transform(program, graph, second);
    if (a && b) {
        const bool alike = a->along == b->along && a->half == b->half && ascending(a->axes) == ascending(b->axes);
        if (!alike) return Verdict::no("the two transforms are of lines along different axes");
        if (a->spectrum != b->spectrum) return Verdict::no("the two transforms are of different precisions");
        return Verdict::yes(fmt::format("both are of lines along {}", program.axes[a->along].name));
    }
    const FieldUpdate *one = update_of(graph, first), *other = update_of(graph, second);
    if (a || b || (one != nullptr && other != nullptr && on_two_sides(program, *one, *other)))
        for (const auto& [maker, reader] : {std::pair(first, second), std::pair(second, first)})
            if (Verdict cells = reads_at_cells(program, graph, maker, reader); !cells) return cells;
    if (a || b) {
        if (one == nullptr && other == nullptr) return std::nullopt;
        return stands_at(program, a ? *other : *one, a ? *a : *b);
    }
    if (one == nullptr || other == nullptr || !on_two_sides(program, *one, *other)) return std::nullopt;
    for (const FieldUpdate* update : {one, other})
        if (Verdict cells = computed_at_cells(program, *update); !cells) return cells;
    return Verdict::yes("they stand on two sides of transforms along one axis");
}

bool transforms_lines(const Program& program, const Graph& graph, const std::vector<NodeId>& calls) {
    bool any = false;
    for (const NodeId call : calls) {
        if (!std::holds_alternative<Transform>(graph.nodes[call].what)) continue;
        if (!line_transform(program, graph, call)) return false;
        any = true;
    }
    return any;
}

Verdict transforms_complete(const Program& program, const Graph& graph, const std::vector<NodeId>& calls) {
    const FieldUpdate* first = nullptr;
    for (const NodeId call : calls) {
        if (std::holds_alternative<Transform>(graph.nodes[call].what))
            return Verdict::yes("a transform stands between cells and wave numbers");
        const FieldUpdate* update = update_of(graph, call);
        if (update == nullptr) continue;
        if (first != nullptr && on_two_sides(program, *first, *update))
            return Verdict::no("cells and wave numbers meet where a transform stands between them");
        if (first == nullptr) first = update;
    }
    return Verdict::yes("all calls are of the same cells");
}

}  // namespace kasc
