// for (n = 0; n < 20; n++) T = T + on[t = n] * q over 64³ cells: 20 · (read T and q, one cell of on; write T) bytes.

#include "tune/fused_minimum.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "graph/field_target.hpp"
#include "model/counted_loop.hpp"

namespace kasc::tune {

namespace {

constexpr double word_bytes = 4;  // of streams

class Minimum {
public:
    Minimum(const CheckedProgram& checked, const std::vector<double>& parameters)
        : checked_(checked), of_run_(checked.problem) {
        of_run_.parameters = parameters;
    }
    [[nodiscard]] double bytes(const PlannedGraph* plan) const { return bytes(checked_.graph, plan, of_run_); }

private:
    const CheckedProgram& checked_;
    Problem of_run_;

    /// `plan`: of the graph; null: every loop is the host's. `problem`: with runs of the loops around the graph.
    double bytes(const Graph& graph, const PlannedGraph* plan, const Problem& problem) const {
        double sum = 0;
        std::map<ValueId, double> read;
        const std::set<ValueId> entering(graph.inputs.begin(), graph.inputs.end());
        const std::set<ValueId> leaving(graph.outputs.begin(), graph.outputs.end());
        for (const NodeId id : graph.nodes.ids()) {
            const Node& node = graph.nodes[id];
            const auto* loop = std::get_if<LoopNode>(&node.what);
            if (loop != nullptr && (plan == nullptr || plan->loops.contains(id))) {
                const CountedLoop counted =
                    counted_loop(checked_.program, loop->loop, loop->from, loop->to, false, problem);
                sum += counted.iterations * bytes(*loop->body, plan == nullptr ? nullptr : plan->loops.at(id).get(),
                                                  problem_within(counted, problem));
                continue;
            }
            for (std::size_t i = 0; i < node.reads.size(); ++i) {
                if (entering.contains(node.reads[i]) && !is_former(node, i))
                    read[node.reads[i]] = std::max(read[node.reads[i]], bytes_read(graph, node, i));
            }
            for (const ValueId value : node.writes) {
                if (leaving.contains(value)) sum += bytes_stored(graph, value);
            }
        }
        for (const auto& entry : read) sum += entry.second;
        return sum;
    }

    /// The former value of a target is not read, but left where it is.
    [[nodiscard]] static bool is_former(const Node& node, std::size_t read) {
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        return update != nullptr && update->former && read >= update->statement.operands.size();
    }
    [[nodiscard]] double bytes_of(VariableId variable, const std::vector<AxisIndex>& indices) const {
        const auto& shape = checked_.program.variables[variable].shape;
        if (const auto* stream = std::get_if<StreamShape>(&shape))
            return word_bytes * static_cast<double>(checked_.problem.elements) *
                   checked_.library.types[stream->type].words;
        const auto& field = std::get<FieldShape>(shape);
        const auto& axes = field.axes;
        auto bytes = static_cast<double>(cell_bytes(field.type));
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (k >= indices.size() || std::holds_alternative<Offset>(indices[k]))
                bytes *= static_cast<double>(checked_.problem.extents.at(axes[k].index));
        }
        return bytes;
    }
    [[nodiscard]] double bytes_read(const Graph& graph, const Node& node, std::size_t read) const {
        const VariableId variable = graph.values[node.reads[read]].variable;
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        if (update == nullptr) return bytes_of(variable, {});
        return bytes_of(variable, update->statement.operands.at(read).indices);
    }
    /// What an update in place leaves as it is, a former version of the body stored.
    [[nodiscard]] double bytes_stored(const Graph& graph, ValueId value) const {
        const auto producer = graph.values[value].producer;
        if (!producer) return 0;
        const Node& node = graph.nodes[*producer];
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        const bool leaves = update != nullptr && update->former && updates_in_place(update->statement);
        return bytes_written(graph, node, value) + (leaves ? bytes_stored(graph, *update->former) : 0);
    }
    [[nodiscard]] double bytes_written(const Graph& graph, const Node& node, ValueId value) const {
        const VariableId variable = graph.values[value].variable;
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        return update == nullptr ? bytes_of(variable, {}) : bytes_of(variable, update->statement.target_indices);
    }
};

}  // namespace

namespace {

/// Some loop, but for a branch, ends by what it computes: how many iterations it has is known after a run.
bool ends_by_itself(const Program& program, const Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        return loop != nullptr && (program.loops[loop->loop].counts || ends_by_itself(program, *loop->body));
    });
}

}  // namespace

double fused_minimum_bytes(const CheckedProgram& checked, const std::vector<double>& parameters,
                           const PlannedGraph* plan) {
    if (ends_by_itself(checked.program, checked.graph)) return 0;
    return Minimum(checked, parameters).bytes(plan);
}

}  // namespace kasc::tune
