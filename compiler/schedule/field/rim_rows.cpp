#include "schedule/field/rim_rows.hpp"

#include <algorithm>

namespace kasc {

namespace {

/// Rows of such cells can be turned: words of other types are no arithmetic ones, or have no sign.
bool has_signs(CellType type) {
    return type == CellType::float32 || type == CellType::float64 || type == CellType::int32 || type == CellType::int64;
}
bool turns(const Faces& faces) {
    const auto odd = [](const Face& face) { return face.kind == BoundaryKind::mirror && face.odd; };
    return odd(faces.low) || odd(faces.high);
}

class RimRows {
public:
    RimRows(const FieldWork& work, const Program& program, const Graph& graph)
        : work_(work), program_(program), graph_(graph) {}

    [[nodiscard]] bool may_be() const {
        const FieldPlan& plan = work_.plan;
        return work_.edges && plan.axes.size() > 1 && plan.parts.empty() && folds_of(plan).empty() &&
               std::all_of(plan.calls.begin(), plan.calls.end(), [&](const FieldCall& call) { return maps(call); });
    }

private:
    const FieldWork& work_;
    const Program& program_;
    const Graph& graph_;

    [[nodiscard]] bool maps(const FieldCall& call) const {
        if (is_computed(call.target) || is_slice(call) || !call.fixed.empty()) return false;
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if ((!moving || moving->axis > 0) && call.kept[k] != KeptLayers{}) return false;
        }
        return std::all_of(call.reads.begin(), call.reads.end(), [&](const FieldRead& read) { return maps(read); });
    }
    [[nodiscard]] bool maps(const FieldRead& read) const {
        if (is_computed(read.indices)) return false;
        const FieldShape& shape = field_shape(program_, graph_.values[read.value].variable);
        if (has_signs(shape.type)) return true;
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            if (moving && moving->axis > 0 && moving->step != 0 && turns(shape.faces[k])) return false;
        }
        return true;
    }
};

/// Every row that is computed is the cells' own.
bool computes_own_rows(const CellProgram& cells) {
    return std::all_of(cells.computed.begin(), cells.computed.end(), [&](std::uint32_t number) {
        const CellPlace& at = cells.at(cells.values[number]);
        return std::all_of(at.begin(), at.end(), [](const Chain& chain) { return chain.empty(); });
    });
}

bool is_grid(const FieldChoice& choice) { return choice.walk == Walk::grid && choice.neighbours != Neighbours::shared; }

}  // namespace

std::shared_ptr<const CellProgram> rim_rows(const FieldWork& work, const FieldChoice& choice, const Program& program,
                                            const Graph& graph, CellPrograms& programs) {
    // Where a thread has one group, both paths are one, and the compiler makes one of them, whose loads wait for the
    // test: of three such grids of 32x4x2 threads two took 1.10 and 1.15 of the time (H200).
    const bool has_several =
        choice.walk == Walk::column ? choice.neighbours != Neighbours::shared : choice.rows > 1 && is_grid(choice);
    if (!has_several || !RimRows(work, program, graph).may_be()) return nullptr;
    CellProgram made = programs.of({Path::interior, 1, true, true, false, row_ends(work, choice) == RowEnds::mapped});
    return computes_own_rows(made) ? std::make_shared<const CellProgram>(std::move(made)) : nullptr;
}

}  // namespace kasc
