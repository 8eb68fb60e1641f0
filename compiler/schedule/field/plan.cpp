// Resolving a fusion in two steps. First the kernel's axes: those of the call with the most free axes; every other call
// must be free along some of them. Then call by call, in order, each operand: produced by an earlier call of the fusion
// or read from memory, and, for what is produced here, whether the cell that computes it is the cell that wants it.
//
//   flux[x,y]    = k * (T[1,0] - T[0,0])           kernel axes x, y
//   T'[x,y]      = T + flux - flux[-1,0]            flux: call 0, moving by (0,0) and (-1,0)
//   rec[y,t = n] = T'[x = px]                       stands at x = px, because T' is computed cell by cell
//
// Where calls fold, the parts that they fold in are an axis of the kernel as well; cells belong to one part each.
#include "schedule/field/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"

namespace kasc {

const FieldUpdate& field_update(const Graph& graph, NodeId node) {
    return std::get<FieldUpdate>(graph.nodes[node].what);
}

bool FieldCall::fixed_by(FixedBy why) const {
    return std::any_of(fixed.begin(), fixed.end(), [&](const FixedAxis& f) { return f.by == why; });
}

std::vector<std::size_t> FieldPlan::cell_axes() const {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (!is_of_parts(k)) all.push_back(k);
    return all;
}

bool FieldPlan::read_inside(std::size_t call) const {
    return std::any_of(calls.begin(), calls.end(), [&](const FieldCall& c) {
        return (c.former && c.former->producer == call) ||
               std::any_of(c.reads.begin(), c.reads.end(), [&](const FieldRead& r) { return r.producer == call; });
    });
}

bool is_computed(const std::vector<FieldIndex>& indices) {
    return std::any_of(indices.begin(), indices.end(),
                       [](const FieldIndex& index) { return std::holds_alternative<Computed>(index); });
}

bool moves_along(const std::vector<FieldIndex>& indices, std::size_t axis) {
    return std::any_of(indices.begin(), indices.end(), [&](const FieldIndex& i) {
        const auto* moving = std::get_if<Moving>(&i);
        return moving && moving->axis == axis;
    });
}

bool same_for_all(const std::vector<FieldIndex>& indices) {
    return std::all_of(indices.begin(), indices.end(),
                       [](const FieldIndex& i) { return std::holds_alternative<Absolute>(i); });
}

bool scatters(const std::vector<FieldIndex>& indices) {
    return !same_for_all(indices) && !std::holds_alternative<Moving>(indices.front());
}

bool moves_everywhere(const std::vector<FieldIndex>& indices) {
    return std::all_of(indices.begin(), indices.end(),
                       [](const FieldIndex& i) { return std::holds_alternative<Moving>(i); });
}

namespace {

class Planner {
public:
    Planner(const Program& program, const Graph& graph, const Fusion& fusion)
        : program_(program), graph_(graph), fusion_(fusion) {}

    FieldPlanResult run() {
        find_axes();
        for (std::size_t k = 0; k < fusion_.calls.size(); ++k) {
            if (reason_.empty()) add_call(fusion_.calls[k], free_[k]);
        }
        if (!reason_.empty()) return {std::nullopt, reason_};
        for (FieldCall& call : plan_.calls) call.stored = is_output(call.array);
        return {std::move(plan_), {}};
    }

private:
    const Program& program_;
    const Graph& graph_;
    const Fusion& fusion_;
    FieldPlan plan_;
    std::string reason_;
    std::vector<std::vector<AxisId>> free_;  ///< by call of the fusion

    void refuse(std::string reason) {
        if (reason_.empty()) reason_ = std::move(reason);
    }

    void find_axes() {
        for (const NodeId node : fusion_.calls) {
            free_.push_back(free_axes(program_, field_update(graph_, node).statement));
            if (free_.back().size() > plan_.axes.size()) plan_.axes = free_.back();
        }
        // Axes of parts are the last ones: groups of cells lie along the first. Each of two orders has parts that the
        // other lacks.
        std::vector<AxisId> parts;
        for (const NodeId node : fusion_.calls) {
            const auto& fold = field_update(graph_, node).statement.fold;
            if (fold && fold->parts && std::find(parts.begin(), parts.end(), *fold->parts) == parts.end())
                parts.push_back(*fold->parts);
        }
        for (const AxisId axis : parts) std::erase(plan_.axes, axis);
        for (const AxisId axis : parts) {
            plan_.parts.push_back(plan_.axes.size());
            plan_.axes.push_back(axis);
        }
        for (std::size_t k = 0; k < free_.size(); ++k) {
            for (const AxisId axis : free_[k]) {
                if (kernel_axis(axis)) continue;
                refuse(fmt::format("mixed iteration axes: '{}' runs along {}, the kernel does not",
                                   node_text(graph_, program_, fusion_.calls[k]), program_.axes[axis].name));
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> kernel_axis(AxisId axis) const {
        const auto at = std::find(plan_.axes.begin(), plan_.axes.end(), axis);
        if (at == plan_.axes.end()) return std::nullopt;
        return static_cast<std::size_t>(at - plan_.axes.begin());
    }

    [[nodiscard]] bool is_output(ValueId value) const {
        return std::find(fusion_.outputs.begin(), fusion_.outputs.end(), value) != fusion_.outputs.end();
    }

    [[nodiscard]] std::optional<std::size_t> producer_of(ValueId value) const {
        for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
            if (plan_.calls[k].value == value) return k;
        }
        return std::nullopt;
    }

    void add_call(NodeId node, const std::vector<AxisId>& free) {
        const FieldUpdate& update = field_update(graph_, node);
        FieldCall call;
        call.node = node;
        call.value = graph_.nodes[node].writes.at(0);
        call.statement = &update.statement;
        call.array = call.value;
        for (const Faces& faces : field_shape(program_, update.statement.target).faces)
            call.kept.push_back({faces.low.layers, faces.high.layers});
        add_target(call, free);
        for (std::size_t k = 0; k < update.statement.operands.size(); ++k) {
            add_read(call, update.statement.operands[k], graph_.nodes[node].reads.at(k));
        }
        add_former(call, update.former);
        add_lacking(call, free);
        // The value is stored at every cell of the kernel, which has several for each of the target's.
        if (call.merges && (call.fixed_by(FixedBy::operand) || call.fixed_by(FixedBy::lacking)))
            refuse(fmt::format("{} is put together with its former value at one position of the kernel only",
                               value_name(graph_, program_, call.value)));
        std::sort(call.fixed.begin(), call.fixed.end(),
                  [](const FixedAxis& a, const FixedAxis& b) { return a.axis < b.axis; });
        plan_.calls.push_back(std::move(call));
    }

    /// Target axes that the kernel walks although this call does not are fixed at the target's position. One that the
    /// call walks for its list, int at[y] in T[x = at, y = 2], is not.
    void add_target(FieldCall& call, const std::vector<AxisId>& free) {
        const FieldShape& shape = field_shape(program_, call.statement->target);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            const auto axis = kernel_axis(shape.axes[k]);
            const auto* absolute = std::get_if<Absolute>(&call.statement->target_indices[k]);
            if (const auto* computed = std::get_if<Computed>(&call.statement->target_indices[k])) {
                call.target.emplace_back(*computed);
            } else if (!absolute) {
                call.target.emplace_back(Moving{*axis, 0});
            } else if (axis && std::find(free.begin(), free.end(), shape.axes[k]) == free.end()) {
                call.target.emplace_back(Moving{*axis, 0});
                call.fixed.push_back({*axis, absolute->position, FixedBy::target});
            } else {
                call.target.emplace_back(*absolute);
            }
        }
    }

    void add_former(FieldCall& call, const std::optional<ValueId>& former) {
        if (!former) return;
        if (const auto before = producer_of(*former); before && add_slice(call, plan_.calls[*before])) return;
        call.former = FieldRead{*former, producer_of(*former), call.target};
        // Two slices of one series in a kernel: what the first stores at another position, the second would have to
        // carry over without visiting it.
        if (call.former->producer && !follow(call, *call.former, plan_.calls[*call.former->producer])) {
            return refuse_place(call, *former);
        }
        call.merges = call.former->producer.has_value() && call.fixed_by(FixedBy::target);
    }

    /// The call assigns another slice of a field than the calls of this kernel before it, which nobody sees without it:
    /// all are stored into one array.
    bool add_slice(FieldCall& call, const FieldCall& before) {
        const bool slices = assigns_slice(*call.statement) && assigns_slice(*before.statement);
        if (!slices || is_output(before.value)) return false;
        const ValueId array = before.array;
        for (const FieldCall& other : plan_.calls)
            if (other.array == array && !are_slices_apart(*other.statement, *call.statement)) return false;
        for (FieldCall& other : plan_.calls)
            if (other.array == array) other.array = call.value;
        call.former = FieldRead{before.value, std::nullopt, call.target};
        return true;
    }

    void add_lacking(FieldCall& call, const std::vector<AxisId>& free) {
        for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
            if (std::find(free.begin(), free.end(), plan_.axes[k]) != free.end() || fixed_at(call, k)) continue;
            if (plan_.is_of_parts(k)) continue;
            const auto zero = std::make_shared<const Expression>(Expression{Literal{0}, ScalarKind::integer, {}});
            call.fixed.push_back({k, zero, FixedBy::lacking});
        }
    }

    [[nodiscard]] static const FixedAxis* fixed_at(const FieldCall& call, std::size_t axis) {
        for (const FixedAxis& f : call.fixed) {
            if (f.axis == axis) return &f;
        }
        return nullptr;
    }

    void add_read(FieldCall& call, const Operand& operand, ValueId value) {
        FieldRead read{value, producer_of(value), {}};
        const std::vector<AxisId>& axes = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const auto axis = kernel_axis(axes[k]);
            const AxisIndex& index = operand.indices.at(k);
            if (const auto* offset = std::get_if<Offset>(&index)) {
                if (!axis) return refuse("an operand moves along an axis that the kernel lacks");
                read.indices.emplace_back(Moving{*axis, offset->cells});
            } else if (const auto* computed = std::get_if<Computed>(&index)) {
                read.indices.emplace_back(*computed);
            } else if (read.producer && axis) {
                if (!stand_at(call, *axis, std::get<Absolute>(index).position)) return refuse_place(call, value);
                read.indices.emplace_back(Moving{*axis, 0});
            } else {
                read.indices.emplace_back(std::get<Absolute>(index));
            }
        }
        if (read.producer && !follow(call, read, plan_.calls[*read.producer])) return refuse_place(call, value);
        call.reads.push_back(std::move(read));
    }

    /// A value that the kernel computes cell by cell is known at a uniform position only in the cell that stands there.
    [[nodiscard]] bool stand_at(FieldCall& call, std::size_t axis, const ExpressionRef& position) const {
        if (const FixedAxis* f = fixed_at(call, axis)) return same_expression(f->position, position);
        const std::vector<AxisId> free = free_axes(program_, *call.statement);
        if (std::find(free.begin(), free.end(), plan_.axes[axis]) != free.end()) return false;
        call.fixed.push_back({axis, position, FixedBy::operand});
        return true;
    }

    /// A reader of a slice stands where the slice stands, in the kernel's axes and in the series' own.
    [[nodiscard]] bool follow(FieldCall& call, const FieldRead& read, const FieldCall& producer) const {
        for (const FixedAxis& f : producer.fixed) {
            if (f.by == FixedBy::operand && !stand_at(call, f.axis, f.position)) return false;
        }
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto* wanted = std::get_if<Absolute>(&read.indices[k]);
            const auto* made = std::get_if<Absolute>(&producer.target[k]);
            if (wanted && (!made || !same_expression(wanted->position, made->position))) return false;
        }
        return true;
    }

    void refuse_place(const FieldCall& call, ValueId value) {
        refuse(fmt::format("'{}' needs {} where the cell's own thread does not compute it",
                           node_text(graph_, program_, call.node), value_name(graph_, program_, value)));
    }
};

}  // namespace

FieldPlanResult plan_fields(const Program& program, const Graph& graph, const Fusion& fusion) {
    return Planner(program, graph, fusion).run();
}

}  // namespace kasc
