#include "frontend/list_entries.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"

namespace kasc {

namespace {

/// Along which an expression differs.
void collect_axes(const Program& program, const FieldStatement& statement, const Expression& e,
                  std::set<AxisId>& axes) {
    for_each_part(e, [&](const Expression& part) {
        if (const auto* at = std::get_if<CoordinateUse>(&part.node)) axes.insert(at->axis);
        const auto* use = std::get_if<OperandUse>(&part.node);
        if (use == nullptr) return;
        const Operand& operand = statement.operands.at(use->operand);
        const FieldShape& shape = field_shape(program, operand.variable);
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            if (std::holds_alternative<Offset>(operand.indices[k])) axes.insert(shape.axes[k]);
            if (const auto* computed = std::get_if<Computed>(&operand.indices[k]))
                collect_axes(program, statement, *computed->position, axes);
        }
    });
}

/// An H100 adds 2^22 entries to one of 6, 100, 256, 1024 random cells in 0.82, 0.94, 1.09, 0.36 ms, with 256 copies of
/// them in 0.20, 0.07, 0.07, 0.05 and with 1024 in 0.06, 0.06, 0.05, 0.05.
Parts parts_of_copies(const std::vector<AxisId>& entry_axes) { return {entry_axes, 1024, 1024}; }

}  // namespace

long long chunk_entries(long long entries) {
    long long chunk = least_chunk;
    while (chunk * chunk < entries) chunk *= 2;
    return chunk;
}

std::vector<AxisId> entry_axes(const Program& program, const FieldStatement& statement) {
    std::set<AxisId> differ;
    for (const AxisIndex& index : statement.target_indices) {
        if (const auto* computed = std::get_if<Computed>(&index))
            collect_axes(program, statement, *computed->position, differ);
    }
    std::vector<AxisId> axes = statement.listed;
    const FieldShape& shape = field_shape(program, statement.target);
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        if (std::holds_alternative<Offset>(statement.target_indices[k]) && differ.contains(shape.axes[k]))
            axes.push_back(shape.axes[k]);
    }
    return axes;
}

std::optional<AxisId> axis_of_entries(const Program& program, const std::vector<AxisId>& entry_axes) {
    if (entry_axes.size() == 1) return entry_axes.front();
    return find_parts_axis(program, {entry_axes, 1, std::nullopt});
}

AxisId make_axis_of_entries(Program& program, const std::vector<AxisId>& entry_axes, const Span& span) {
    if (entry_axes.size() == 1) return entry_axes.front();
    std::string name;
    for (const AxisId axis : entry_axes) name += program.axes[axis].name + "_";
    return make_parts_axis(program, name + "entries", {entry_axes, 1, std::nullopt}, span);
}

std::optional<AxisId> axis_of_copies(const Program& program, const std::vector<AxisId>& entry_axes) {
    return find_parts_axis(program, parts_of_copies(entry_axes));
}

AxisId make_axis_of_copies(Program& program, const std::vector<AxisId>& entry_axes, const Span& span) {
    return make_parts_axis(program, program.axes[entry_axes.front()].name + "_copy", parts_of_copies(entry_axes), span);
}

AxisId make_axis_of_chunks(Program& program, AxisId list, const Span& span) {
    return make_parts_axis(program, program.axes[list].name + "_chunks", {{list}, least_chunk, std::nullopt}, span);
}

std::optional<long long> declared_labels(const Program& program, const FieldStatement& statement) {
    long long cells = 1;
    for (std::size_t k = 0; k < statement.target_indices.size(); ++k) {
        if (!std::holds_alternative<Computed>(statement.target_indices[k])) continue;
        const auto length = declared_length(program.axes[field_shape(program, statement.target).axes[k]]);
        if (!length || *length > most_cells_in_pieces) return std::nullopt;
        cells = std::min(cells * *length, most_cells_in_pieces + 1);
    }
    return cells;
}

CellType type_of_lanes(const FieldStatement& statement) {
    return statement.precision == Precision::dual ? CellType::float64 : CellType::float32;
}

bool adds_in_pieces(const Program& program, const FieldStatement& statement) {
    const FieldShape& shape = field_shape(program, statement.target);
    if (!statement.adding || statement.adding->part != Adding::Part::entries || statement.listed.empty() ||
        scalar_kind(shape.type) != ScalarKind::real)
        return false;
    const auto labels = declared_labels(program, statement);
    if (!labels || *labels * static_cast<long long>(cell_bytes(type_of_lanes(statement))) > most_bytes_of_lane)
        return false;
    long long cells = *labels;
    for (std::size_t k = 0; k < shape.axes.size(); ++k) {
        if (!std::holds_alternative<Offset>(statement.target_indices[k])) continue;
        const auto length = declared_length(program.axes[shape.axes[k]]);
        if (!length || *length > most_cells_in_pieces) return false;
        cells *= *length;
        if (cells > most_cells_in_pieces) return false;
    }
    return true;
}

std::optional<AxisId> axis_of_pieces(const Program& program, const std::vector<AxisId>& listed) {
    return find_parts_axis(program, {listed, piece_entries, std::nullopt});
}

AxisId make_axis_of_pieces(Program& program, const std::vector<AxisId>& listed, const Span& span) {
    std::string name;
    for (const AxisId axis : listed) name += program.axes[axis].name + "_";
    return make_parts_axis(program, name + "pieces", {listed, piece_entries, std::nullopt}, span);
}

std::vector<AxisId> make_axes_of_list(Program& program, const FieldStatement& statement) {
    const std::vector<AxisId> along = entry_axes(program, statement);
    const AxisId entries = make_axis_of_entries(program, along, statement.span);
    std::vector<AxisId> axes{entries, make_axis_of_chunks(program, entries, statement.span)};
    if (adds_at_once(field_shape(program, statement.target).type))
        axes.push_back(make_axis_of_copies(program, along, statement.span));
    if (adds_in_pieces(program, statement)) {
        axes.push_back(make_axis_of_pieces(program, statement.listed, statement.span));
        axes.push_back(make_axis_of_folded_pieces(program, axes.back(), statement.span));
    }
    return axes;
}

AxisId make_axis_of_folded_pieces(Program& program, AxisId pieces, const Span& span) {
    return make_parts_axis(program, program.axes[pieces].name + "_part", parts_of({pieces}, false, false), span);
}

}  // namespace kasc
