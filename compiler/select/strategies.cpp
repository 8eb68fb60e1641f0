// The list of strategies, looked up, and what strategies share.

#include "select/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <random>
#include <string_view>

#include "select/contraction.hpp"

namespace kasc {

namespace {

struct Entry {
    StrategyInfo info;
    std::unique_ptr<Strategy> (*make)(Seed seed);
};

const std::vector<Entry>& entries() {
#define KASC_STRATEGY_ENTRY(name, seeded, description) {{#name, description, seeded}, make_##name},
    static const std::vector<Entry> all{KASC_STRATEGIES(KASC_STRATEGY_ENTRY)};
#undef KASC_STRATEGY_ENTRY
    return all;
}

const Entry* find_entry(std::string_view name) {
    const auto at =
        std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.info.name == name; });
    return at == entries().end() ? nullptr : &*at;
}

/// "random:7": its name and its seed. None: what follows the colon is no seed.
struct NameAndSeed {
    std::string_view name;
    Seed seed;
};
std::optional<NameAndSeed> take_apart(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return NameAndSeed{text, std::nullopt};
    unsigned seed = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, seed);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return NameAndSeed{text.substr(0, colon), seed};
}

Diagnostics fault(std::string message, std::string help) {
    Diagnostic d = placeless("K0902", std::move(message), std::move(help));
    return {d};
}

}  // namespace

std::vector<StrategyInfo> strategies() {
    std::vector<StrategyInfo> all;
    for (const Entry& entry : entries()) all.push_back(entry.info);
    return all;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const Entry& entry : entries()) names.push_back(entry.info.name);
    return names;
}

Diagnostics strategy_faults(const std::string& text, std::optional<unsigned> seed) {
    const auto asked = take_apart(text);
    const Entry* entry = find_entry(asked ? asked->name : std::string_view(text).substr(0, text.find(':')));
    if (entry == nullptr) {
        std::string known;
        for (const std::string& name : strategy_names()) known += (known.empty() ? "one of " : ", ") + name;
        return fault(fmt::format("there is no strategy '{}'", text), known);
    }
    if (!asked) {
        return fault(fmt::format("'{}' has no seed behind its colon", text),
                     fmt::format("write --seed N, a whole number below 2^32"));
    }
    if (asked->seed && seed && *asked->seed != *seed)
        return fault(fmt::format("'{}' and a seed of {} are two seeds", text, *seed), "give one of them");
    if ((asked->seed || seed) && entry->info.seeded.empty()) {
        std::string others;
        for (const Entry& e : entries())
            if (!e.info.seeded.empty()) others += (others.empty() ? "" : ", ") + e.info.name;
        return fault(fmt::format("strategy '{}' leaves nothing to a seed", entry->info.name),
                     fmt::format("leave the seed out: its plan is the same every time; {} take one", others));
    }
    return {};
}

std::unique_ptr<Strategy> find_strategy(const std::string& text, std::optional<unsigned> seed) {
    if (!strategy_faults(text, seed).empty()) return nullptr;
    const auto asked = take_apart(text);
    return find_entry(asked->name)->make(asked->seed ? asked->seed : seed);
}

std::vector<NodeId> calls_to_cover(const Graph& graph) {
    std::vector<NodeId> calls;
    for (NodeId node : graph.nodes.ids()) {
        if (!std::holds_alternative<LoopNode>(graph.nodes[node].what)) calls.push_back(node);
    }
    return calls;
}

std::vector<std::size_t> tie_ranks(const CostedSpace& costed, Seed seed) {
    std::vector<std::size_t> ranks(costed.candidates.size());
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    if (!seed) return ranks;
    std::size_t fusions = 0;
    for (const Candidate& c : costed.candidates) fusions = std::max<std::size_t>(fusions, c.fusion.index + 1);
    std::vector<std::size_t> drawn(fusions), order = ranks;
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    std::mt19937 generator(*seed);
    // Remainders and not std::shuffle: the same order with every standard library.
    for (std::size_t k = fusions; k > 1; --k) std::swap(drawn[k - 1], drawn[generator() % k]);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return drawn[costed.candidates[a].fusion.index] < drawn[costed.candidates[b].fusion.index];
    });
    for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = k;
    return ranks;
}

double whole_ps(double time_ns) { return std::round(time_ns * 1000); }

std::string what_is_tried(bool in_part, bool in_units) {
    if (in_part && in_units) return " of the schedules that are tried, with words of a cell together";
    return in_part ? " of the schedules that are tried" : in_units ? " with words of a cell together" : "";
}

std::string distance_text(const CostedSpace& costed, double time_ns) {
    if (costed.at_least_ns <= 0) return {};
    return fmt::format("at most {:.1f} % slower than the best there may be{}, for the model",
                       100 * std::max(0.0, time_ns / costed.at_least_ns - 1),
                       what_is_tried(costed.in_part, costed.in_units));
}

Selection make_selection(const Graph& graph, const CostedSpace& costed, const std::vector<std::size_t>& candidates,
                         std::string strategy, std::string bound) {
    Selection selection{{}, 0, std::move(strategy), std::move(bound)};
    for (const Launch& launch : contract(graph, costed, candidates).order) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) {
            const auto loop = costed.loop_ns.find(std::get<NodeId>(launch.what));
            if (loop != costed.loop_ns.end()) selection.time_ns += loop->second;
            continue;
        }
        selection.candidates.push_back(*candidate);
        selection.time_ns += costed.candidates[*candidate].prediction.time_ns;
    }
    const std::string distance = distance_text(costed, selection.time_ns);
    if (!distance.empty()) selection.bound += (selection.bound.empty() ? "" : ", ") + distance;
    return selection;
}

}  // namespace kasc
