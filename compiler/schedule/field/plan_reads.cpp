#include "schedule/field/plan_reads.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "foundation/part_key.hpp"
#include "frontend/same_expression.hpp"
#include "graph/field_target.hpp"

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

/// Each read of a call, its former value behind them.
template <class Visit>
void for_each_read(const FieldCall& call, const Visit& visit) {
    for (const FieldRead& read : call.reads) visit(read);
    if (call.former) visit(*call.former);
}

/// Reads that are alike have the same. Those of a layer's weights, a thousand numbers as positions, have one each.
PartKey key_of(const FieldRead& read) {
    PartKey key{read.value.index};
    for (const FieldIndex& index : read.indices) {
        key.push_back(index.index());
        if (const auto* moving = std::get_if<Moving>(&index)) key.push_back(moving->axis);
        const auto* absolute = std::get_if<Absolute>(&index);
        const auto* number = absolute != nullptr ? std::get_if<Literal>(&absolute->position->node) : nullptr;
        if (number != nullptr) key.push_back(std::bit_cast<std::uint64_t>(number->value + 0.0));
    }
    return key;
}

}  // namespace

bool reads_alike(const FieldRead& a, const FieldRead& b) {
    return a.value == b.value && std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), same_position);
}

PlanReads::PlanReads(const Program& program, const Graph& graph, const FieldPlan& plan)
    : program_(program),
      graph_(graph),
      plan_(plan),
      sources_(plan.calls.size()),
      seen_(plan.calls.size()),
      needed_(plan.calls.size()) {
    std::unordered_map<PartKey, std::vector<std::pair<const FieldRead*, std::size_t>>, PartKeyHash> known;
    for (std::size_t k = 0; k < plan.calls.size(); ++k) {
        seen_[k] = seen_[k] || plan.calls[k].merges;
        std::vector<std::size_t>& sources = source_of_.emplace_back();
        for_each_read(plan.calls[k], [&](const FieldRead& read) {
            if (read.producer) {
                seen_[*read.producer] = true;
                return sources.push_back(*read.producer);
            }
            auto& of_key = known[key_of(read)];
            const auto same = std::find_if(of_key.begin(), of_key.end(),
                                           [&](const auto& other) { return reads_alike(*other.first, read); });
            if (same != of_key.end()) return sources.push_back(same->second);
            of_key.emplace_back(&read, sources_);
            sources.push_back(sources_++);
        });
    }
}

NeededOperands& PlanReads::needed(std::size_t call) {
    if (!needed_[call]) needed_[call].emplace(*plan_.calls[call].statement);
    return *needed_[call];
}

ReadSteps PlanReads::steps_of(const FieldRead& read, const CellView& view) const {
    ReadSteps steps;
    steps.reserve(plan_.axes.size());
    // A computed value stays where its reader is along axes at which its operand stands.
    if (read.producer) {
        for (const FixedAxis& f : plan_.calls[*read.producer].fixed) {
            if (f.by == FixedBy::operand) steps.push_back({f.axis, BoundaryKind::periodic, 0});
        }
    }
    const FieldShape& shape = field_shape(program_, graph_.values[read.value].variable);
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (!moving) continue;
        std::erase_if(steps, [&](const AxisStep& s) { return s.axis == moving->axis; });
        // Periodic steps add up, as all steps do in the interior.
        const BoundaryKind kind =
            view.maps(moving->axis) ? shape.faces[k].crossed_by(moving->step).kind : BoundaryKind::periodic;
        steps.push_back({moving->axis, moving->step == 0 ? BoundaryKind::periodic : kind, moving->step});
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

const ReadWays& PlanReads::ways(const CellView& view) {
    std::optional<ReadWays>& made = ways_.at(static_cast<std::size_t>(view.path));
    if (made) return *made;
    made.emplace();
    std::map<ReadSteps, std::size_t> known;
    for (std::size_t k = 0; k < plan_.calls.size(); ++k) {
        std::vector<ReadWay>& ways = made->of.emplace_back();
        for_each_read(plan_.calls[k], [&](const FieldRead& read) {
            const auto [entry, added] = known.try_emplace(steps_of(read, view), made->steps.size());
            if (added) made->steps.push_back(entry->first);
            ways.push_back({source_of_[k][ways.size()], entry->second});
        });
    }
    return *made;
}

}  // namespace kasc
