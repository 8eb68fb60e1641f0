#include "schedule/field/cell_program.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "graph/field_target.hpp"
#include "schedule/field/expressions.hpp"

namespace kasc {

namespace {

bool same_position(const FieldIndex& a, const FieldIndex& b) {
    if (a.index() != b.index()) return false;
    if (const auto* moving = std::get_if<Moving>(&a)) return moving->axis == std::get<Moving>(b).axis;
    if (const auto* absolute = std::get_if<Absolute>(&a))
        return same_expression(absolute->position, std::get<Absolute>(b).position);
    // Operands of different calls have different numbers: computed positions are another word each.
    return std::get<Computed>(a).position == std::get<Computed>(b).position;
}

class Maker {
public:
    Maker(const Program& program, const Graph& graph, const FieldPlan& plan, const CellView& view, std::size_t most)
        : program_(program), graph_(graph), plan_(plan), most_(most) {
        made_.view = view;
        for (std::size_t k = 0; k < plan.calls.size(); ++k)
            seen_.push_back(plan.calls[k].merges || plan.read_inside(k));
    }

    CellProgram run() {
        for (const bool slices : {false, true}) {
            for (int row = 0; row < made_.view.rows; ++row) {
                for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
                    const FieldCall& call = plan_.calls[k];
                    whole_ = !slices && !updates_some_cells(*call.statement);
                    if (call.stored && is_slice(call) == slices) store(k, row);
                }
            }
        }
        return std::move(made_);
    }

private:
    const Program& program_;
    const Graph& graph_;
    const FieldPlan& plan_;
    std::size_t most_;
    CellProgram made_;
    bool whole_ = true;
    std::map<std::pair<std::size_t, CellPlace>, std::size_t> values_;  ///< by source (calls, then loads) and place
    std::map<std::pair<std::size_t, CellPlace>, bool> followed_;       ///< calls, at a group's cells each: whole
    std::vector<const FieldRead*> sources_;                            ///< reads of different words at one place
    std::vector<bool> seen_;                                           ///< calls whose results are seen in the kernel

    void store(std::size_t call, int row) {
        CellPlace own(plan_.axes.size());
        if (row != 0) own[1] = extend({}, BoundaryKind::periodic, row);
        const std::size_t value = computed(call, own).value;
        made_.stores.push_back({call, row, value});
    }

    [[nodiscard]] bool is_mapped(std::size_t axis) const {
        return made_.view.path == Path::edge || (made_.view.path == Path::row && axis > 0);
    }

    [[nodiscard]] const FieldShape& shape(ValueId value) const {
        return field_shape(program_, graph_.values[value].variable);
    }

    /// A computed value stays where its reader is along axes at which its operand stands.
    [[nodiscard]] CellPlace step(const FieldRead& read, const CellPlace& from) const {
        CellPlace at(plan_.axes.size());
        if (read.producer) {
            for (const FixedAxis& f : plan_.calls[*read.producer].fixed) {
                if (f.by == FixedBy::operand) at[f.axis] = from[f.axis];
            }
        }
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            if (!moving) continue;
            // Periodic steps add up, as all steps do in the interior.
            const BoundaryKind kind = is_mapped(moving->axis) ? shape(read.value).faces[k].crossed_by(moving->step).kind
                                                              : BoundaryKind::periodic;
            at[moving->axis] = extend(from[moving->axis], kind, moving->step);
        }
        return at;
    }

    CellUse read(const FieldRead& r, const CellPlace& from) {
        CellPlace at = step(r, from);
        return r.producer ? computed(*r.producer, at) : loaded(r, std::move(at));
    }

    CellUse loaded(const FieldRead& r, CellPlace at) {
        const std::size_t source = plan_.calls.size() + source_of(r);
        const int cells = leave_first_axis(at);
        const auto [entry, added] = values_.try_emplace({source, at}, made_.values.size());
        if (added) made_.values.push_back({r.value, &r, 0, std::move(at), cells, cells, false, false, {}});
        want(made_.values[entry->second], cells);
        return {entry->second, cells};
    }

    CellUse computed(std::size_t call, CellPlace at) {
        const bool follow = made_.computed.size() <= most_ && is_new(call, at);
        CellPlace row = at;
        const int cells = leave_first_axis(row);
        const auto [entry, added] = values_.try_emplace({call, row}, made_.values.size());
        const std::size_t index = entry->second;
        if (added)
            made_.values.push_back(
                {plan_.calls[call].value, nullptr, call, std::move(row), cells, cells, false, false, {}});
        want(made_.values[index], cells);
        if (!follow) return {index, cells};
        const FieldCall& c = plan_.calls[call];
        // At other cells of a group the same values are wanted, further along.
        const auto beside = [&](CellUse use) { return CellUse{use.value, use.cells - cells}; };
        std::vector<CellUse> operands;
        for (const FieldRead& r : c.reads) operands.push_back(beside(read(r, at)));
        made_.values[index].operands = std::move(operands);
        if (c.former && shows_former(call)) {
            const CellUse former = beside(read(*c.former, at));
            made_.values[index].former = former;
        }
        if (added) made_.computed.push_back(index);
        return {index, cells};
    }

    int leave_first_axis(CellPlace& at) const {
        if (!made_.view.group || at.empty()) return 0;
        const int cells = sum(at.front());
        at.front().clear();
        return cells;
    }

    /// True the first time, and the first time for more than single cells.
    bool is_new(std::size_t call, const CellPlace& at) {
        const auto [entry, added] = followed_.try_emplace({call, at}, whole_);
        return added || (whole_ && !std::exchange(entry->second, true));
    }

    void want(CellValue& value, int cells) const {
        value.whole = value.whole || whole_;
        value.low = std::min(value.low, cells);
        value.high = std::max(value.high, cells);
        value.own = value.own || cells == 0;
    }

    /// Reads of one value at different positions are of different words.
    [[nodiscard]] std::size_t source_of(const FieldRead& r) {
        const auto same = std::find_if(sources_.begin(), sources_.end(),
                                       [&](const FieldRead* known) { return reads_alike(*known, r); });
        if (same != sources_.end()) return static_cast<std::size_t>(same - sources_.begin());
        sources_.push_back(&r);
        return sources_.size() - 1;
    }
    [[nodiscard]] bool shows_former(std::size_t call) const {
        const FieldCall& c = plan_.calls[call];
        const CellView& view = made_.view;
        const bool seen = seen_[call], somewhere = c.fixed_by(FixedBy::target);
        if (view.any_path)
            return (seen && somewhere) || (keeps_moving(c, [](std::size_t) { return true; }) && c.former->producer);
        if (view.group)
            return (view.rim && keeps_moving(c, [](std::size_t axis) { return axis == 0; })) ||
                   (seen && (somewhere || keeps_position(c)));
        return seen &&
               (somewhere || c.statement->where || keeps_moving(c, [&](std::size_t axis) { return is_mapped(axis); }));
    }

    template <class Along>
    [[nodiscard]] static bool keeps_moving(const FieldCall& call, const Along& along) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if (moving && along(moving->axis) && call.kept[k] != KeptLayers{}) return true;
        }
        return false;
    }
    [[nodiscard]] static bool keeps_position(const FieldCall& call) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            if (std::holds_alternative<Absolute>(call.target[k]) && call.kept[k] != KeptLayers{}) return true;
        }
        return false;
    }
};

}  // namespace

const CellValue& CellProgram::stored(std::size_t call, int row) const {
    for (const CellStore& s : stores) {
        if (s.call == call && s.row == row) return values[s.value];
    }
    throw std::logic_error("the cell does not store what this call computes");
}

bool reads_alike(const FieldRead& a, const FieldRead& b) {
    return a.value == b.value && std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), same_position);
}

int sum(const Chain& chain) { return chain.empty() ? 0 : chain.front().step; }

std::vector<int> sums(const CellPlace& at) {
    std::vector<int> all;
    for (const Chain& chain : at) all.push_back(sum(chain));
    return all;
}

bool is_own(const CellPlace& at) {
    return std::all_of(at.begin(), at.end(), [](const Chain& c) { return c.empty(); });
}

bool is_slice(const FieldCall& call) { return !call.merges && !call.fixed.empty(); }

CellProgram cell_program(const Program& program, const Graph& graph, const FieldPlan& plan, const CellView& view,
                         std::size_t most) {
    return Maker(program, graph, plan, view, most).run();
}

}  // namespace kasc
