#include "model/field/words_read.hpp"

#include <algorithm>
#include <bit>
#include <list>
#include <unordered_map>

#include "foundation/part_key.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"
#include "model/parts.hpp"
#include "schedule/field/plan.hpp"

namespace kasc::model {

namespace {

class WordsRead {
public:
    WordsRead(ValueId value, const std::vector<AxisId>& axes, const Program& program, const Graph& graph,
              const Problem& problem)
        : field_(field_shape(program, graph.values[value].variable)), axes_(axes), problem_(problem) {
        for (const AxisId axis : field_.axes) all_ *= extent(axis);
    }

    void add(const std::vector<AxisIndex>& indices) {
        if (has<Computed>(indices)) {
            double a_cell = 1;  // a word a cell of the kernel, at most
            for (const AxisId axis : axes_) a_cell *= extent(axis);
            words_ += std::min(all_, a_cell);
            return;
        }
        auto& parts = parts_[key_of(indices)];
        if (std::any_of(parts.begin(), parts.end(), [&](const auto* other) { return same_part(*other, indices); }))
            return;
        parts.push_back(&indices);
        double words = 1;
        for (std::size_t k = 0; k < field_.axes.size(); ++k) {
            if (is_walked(k) && std::holds_alternative<Offset>(indices[k])) words *= extent(field_.axes[k]);
        }
        words_ += words;
    }
    void add_whole() { add(whole_.emplace_back(field_.axes.size(), Offset{})); }
    [[nodiscard]] double words() const { return std::min(words_, all_); }

private:
    const FieldShape& field_;
    const std::vector<AxisId>& axes_;
    const Problem& problem_;
    std::unordered_map<PartKey, std::vector<const std::vector<AxisIndex>*>, PartKeyHash> parts_;
    std::list<std::vector<AxisIndex>> whole_;
    double words_ = 0, all_ = 1;

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    template <class Kind>
    [[nodiscard]] static bool has(const std::vector<AxisIndex>& indices) {
        return std::any_of(indices.begin(), indices.end(),
                           [](const AxisIndex& index) { return std::holds_alternative<Kind>(index); });
    }
    [[nodiscard]] bool is_walked(std::size_t k) const {
        return std::find(axes_.begin(), axes_.end(), field_.axes[k]) != axes_.end();
    }
    /// The same part has the same.
    [[nodiscard]] PartKey key_of(const std::vector<AxisIndex>& indices) const {
        PartKey key;
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* absolute = std::get_if<Absolute>(&indices[k]);
            const auto* number = absolute != nullptr ? std::get_if<Literal>(&absolute->position->node) : nullptr;
            if (number != nullptr) key.push_back(std::bit_cast<std::uint64_t>(number->value + 0.0));
            if (absolute == nullptr && !is_walked(k))
                key.push_back(static_cast<std::uint64_t>(std::get<Offset>(indices[k]).cells));
        }
        return key;
    }
    /// At offsets along a walked axis it is the same part of the field, but for layers at its ends.
    [[nodiscard]] bool same_part(const std::vector<AxisIndex>& a, const std::vector<AxisIndex>& b) const {
        for (std::size_t k = 0; k < a.size(); ++k) {
            const auto* l = std::get_if<Absolute>(&a[k]);
            const auto* r = std::get_if<Absolute>(&b[k]);
            if (!l != !r || (l && !same_expression(l->position, r->position))) return false;
            if (!l && !is_walked(k) && std::get<Offset>(a[k]).cells != std::get<Offset>(b[k]).cells) return false;
        }
        return true;
    }
};

}  // namespace

namespace {

/// Where another call of the kernel reads a field of which this one assigned a slice, the rest is the former value.
bool shows_former(NodeId call, const FieldUpdate& update, const std::vector<NodeId>& calls, const Graph& graph) {
    const std::vector<AxisIndex>& target = update.statement.target_indices;
    const bool slice = std::any_of(target.begin(), target.end(),
                                   [](const AxisIndex& i) { return std::holds_alternative<Absolute>(i); });
    return slice && std::any_of(calls.begin(), calls.end(), [&](NodeId reader) {
               const std::vector<ValueId>& reads = graph.nodes[reader].reads;
               return std::find(reads.begin(), reads.end(), graph.nodes[call].writes.front()) != reads.end();
           });
}

}  // namespace

double words_read(ValueId value, const std::vector<NodeId>& calls, const std::vector<AxisId>& axes,
                  const Program& program, const Graph& graph, const Problem& problem) {
    // What entries add to in any order is the array of the result; others read the value in one of its own.
    WordsRead read(value, axes, program, graph, problem), added_to(value, axes, program, graph, problem);
    for (const NodeId call : calls) {
        const FieldUpdate& update = field_update(graph, call);
        const FieldStatement& statement = update.statement;
        const std::vector<ValueId>& reads = graph.nodes[call].reads;
        const bool in_place = adds_in_any_order(program, statement);
        for (std::size_t k = 0; k < statement.operands.size(); ++k) {
            if (reads[k] != value) continue;
            (in_place && k == statement.adding->running ? added_to : read).add(statement.operands[k].indices);
        }
        if (update.former == value && shows_former(call, update, calls, graph)) read.add_whole();
    }
    return read.words() + added_to.words();
}

double words_touched(const std::vector<FieldIndex>& indices, const std::vector<double>& extents) {
    double words = 1;
    for (const FieldIndex& index : indices)
        if (const auto* moving = std::get_if<Moving>(&index)) words *= extents[moving->axis];
    return words;
}

double bytes_of_cell(ValueId value, const Program& program, const Graph& graph) {
    return static_cast<double>(cell_bytes(field_shape(program, graph.values[value].variable).type));
}

}  // namespace kasc::model
