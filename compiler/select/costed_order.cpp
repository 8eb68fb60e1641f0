// The costed space as it is handed on: fusions by size and calls, candidates by fusion, and what was left out.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "select/costing.hpp"

namespace kasc {

CostedSpace Costing::finish(const std::string& remark) {
    if (!remark.empty()) note(remark);
    if (!cut_.empty()) {
        note(fmt::format("{} fusion{}: {}", cut_.size(), cut_.size() == 1 ? "" : "s", cut_.begin()->second));
        costed_.space.whole = false;
    }
    const Budget& budget = options_.budget;
    if ((budget.schedules || budget.seconds) && !costed_.space.whole)
        note(fmt::format("searched with a budget of {}{}", budget_text(budget),
                         budget.seconds ? ": another run may price more or less, and choose another plan" : ""));
    if (dropped_ > 0 && keep_ < options_.keep)
        note(fmt::format("{} candidates are not held, each fusion keeps its best {}", dropped_, keep_));
    sort();
    return std::move(costed_);
}

void Costing::sort() {
    sort_fusions();
    std::stable_sort(costed_.candidates.begin(), costed_.candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.fusion < b.fusion; });
}

/// By size, then by calls: fusions that were added one by one stand in the order in which they were asked for.
void Costing::sort_fusions() {
    using Key = std::pair<std::size_t, std::vector<NodeId>>;
    std::vector<std::pair<Key, FusionId>> order;
    for (const FusionId id : costed_.space.fusions.ids()) {
        std::vector<NodeId> calls = costed_.space.fusions[id].calls;
        std::sort(calls.begin(), calls.end());
        order.push_back({{calls.size(), std::move(calls)}, id});
    }
    std::sort(order.begin(), order.end());
    std::vector<FusionId> moved(order.size());
    Table<FusionId, Fusion> sorted;
    for (const auto& [key, id] : order) moved[id.index] = sorted.add(std::move(costed_.space.fusions[id]));
    costed_.space.fusions = std::move(sorted);
    for (Candidate& candidate : costed_.candidates) candidate.fusion = moved[candidate.fusion.index];
    for (FusionId& id : costed_.start) id = moved[id.index];
    for (Pricing& pricing : costed_.pricings) pricing.fusion = moved[pricing.fusion.index];
    std::map<FusionId, std::string> cut;
    for (auto& [id, text] : cut_) cut.emplace(moved[id.index], std::move(text));
    cut_ = std::move(cut);
}

void Costing::note(const std::string& text) {
    std::string& cut = costed_.space.cut;
    cut += (cut.empty() ? "" : "; ") + text;
}

}  // namespace kasc
