#include <algorithm>
#include <cmath>

#include "driver/explorer/graph_json.hpp"
#include "driver/plan_text.hpp"

namespace kasc::explorer {

namespace {

constexpr std::size_t most_refused = 400;       // of each kind that are listed
constexpr std::size_t most_reason_bytes = 300;  // those of many calls name them all

/// Four digits, which is more than a prediction is worth, and less text.
double rounded(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);
    return std::round(value / unit) * unit;
}
/// The same as a whole number where it is large, so that it is short in text.
Json number(double value) {
    const double short_value = rounded(value);
    if (std::abs(short_value) >= 1000) return static_cast<long long>(std::llround(short_value));
    return std::round(short_value * 1e4) / 1e4;
}

/// Without a part of a character at its end.
std::string shortened(const std::string& reason) {
    if (reason.size() <= most_reason_bytes) return reason;
    std::size_t end = most_reason_bytes;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xc0U) == 0x80U) --end;
    return reason.substr(0, end) + "…";
}

constexpr const char* columns[] = {
    "set",          "choice",        "chosen",     "time_ns",     "global_ns",
    "shared_ns",    "arithmetic_ns", "latency_ns", "dispatch_ns", "launch_ns",
    "global_bytes", "shared_bytes",  "flops",      "registers",   "shared_bytes_per_block",
    "occupancy",    "waves",         "barriers"};

Json row(std::size_t set, const Candidate& candidate, bool chosen) {
    const Prediction& p = candidate.prediction;
    return {set,
            print(choice_of(candidate.schedule)),
            chosen ? 1 : 0,
            number(p.time_ns),
            number(p.global_ns),
            number(p.shared_ns),
            number(p.arithmetic_ns),
            number(p.latency_ns),
            number(p.dispatch_ns),
            number(p.launch_ns),
            number(p.global_bytes),
            number(p.shared_bytes),
            number(p.flops),
            p.registers,
            p.shared_bytes_per_block,
            number(p.occupancy),
            number(p.waves),
            p.barriers};
}

/// By candidate, whether it is kept: those that are chosen, then the best of each fusion, the second best of each, ….
std::vector<bool> kept_of(const CostedSpace& costed, const std::vector<std::size_t>& chosen, std::size_t most) {
    std::vector<std::pair<std::size_t, std::size_t>> by_rank;
    std::size_t rank = 0;
    for (std::size_t k = 0; k < costed.candidates.size(); ++k) {
        rank = k > 0 && costed.candidates[k].fusion == costed.candidates[k - 1].fusion ? rank + 1 : 0;
        const bool taken = std::find(chosen.begin(), chosen.end(), k) != chosen.end();
        by_rank.emplace_back(taken ? 0 : rank + 1, k);
    }
    std::sort(by_rank.begin(), by_rank.end());
    std::vector<bool> kept(costed.candidates.size(), false);
    for (std::size_t k = 0; k < std::min(most, by_rank.size()); ++k) kept[by_rank[k].second] = true;
    return kept;
}

}  // namespace

Json candidates_json(const PlanView& view, std::size_t graph, const std::vector<NamedCall>& names, std::size_t most) {
    const ViewedGraph& in = view.graphs[graph];
    const CostedSpace& costed = *in.planned->costed;
    const auto& chosen = in.planned->selection.candidates;
    const std::vector<bool> kept = kept_of(costed, chosen, most);
    Json sets = Json::array(), rows = Json::array(), impossible = Json::array();
    std::map<FusionId, std::size_t> numbers;
    for (std::size_t k = 0; k < costed.candidates.size(); ++k) {
        if (!kept[k]) continue;
        const FusionId fusion = costed.candidates[k].fusion;
        const auto [at, is_new] = numbers.try_emplace(fusion, sets.size());
        if (is_new) sets.push_back(plan_calls(names, in.graph, costed.space.fusions[fusion].calls));
        rows.push_back(
            row(at->second, costed.candidates[k], std::find(chosen.begin(), chosen.end(), k) != chosen.end()));
    }
    const auto put = [&](const std::vector<Refusal>& refusals, const char* kind) {
        for (std::size_t k = 0; k < std::min(refusals.size(), most_refused); ++k)
            impossible.push_back({plan_calls(names, in.graph, refusals[k].calls), kind, shortened(refusals[k].reason)});
    };
    put(costed.infeasible, "no schedule");
    put(costed.space.refusals, "refused");
    return {{"columns", columns},
            {"sets", sets},
            {"rows", rows},
            {"left_out", costed.candidates.size() - rows.size()},
            {"impossible", impossible},
            {"impossible_left_out", costed.infeasible.size() + costed.space.refusals.size() - impossible.size()}};
}

}  // namespace kasc::explorer
