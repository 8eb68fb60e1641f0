// Two calls of two implementations each, with 1 and 3 threads an element:
//
//   uniform first   1-1 (one thread), 2-2 (three threads)      then   1-2, 2-1
//
// each with every number of elements, both transfers and, where a type has a size that it helps, padding. Threads an
// element are the product of the fixed dimensions of the block: the free one counts elements.

#include "search/stream_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "graph/expand.hpp"

namespace kasc {

namespace {

constexpr std::array transfers{TileTransfer::staged, TileTransfer::author};

using Combination = std::vector<int>;

/// Where it helps a type of the fusion: one word, which breaks 16-byte accesses, and four, which do not.
std::vector<int> paddings_tried(const Graph& graph, const Library& library, const Fusion& fusion) {
    std::vector<int> tried{0};
    for (const int padding : {1, 4}) {
        const auto helps = [&](TypeId type) { return padding_helps(library.types[type].words, padding); };
        const std::vector<NodeId> calls = functions_of(graph, fusion.calls);
        const bool any = std::any_of(calls.begin(), calls.end(), [&](NodeId call) {
            const Function& callee = library.functions[std::get<StreamCall>(graph.nodes[call].what).callee];
            return helps(callee.result) || std::any_of(callee.arguments.begin(), callee.arguments.end(), helps);
        });
        if (any) tried.push_back(padding);
    }
    return tried;
}

int threads_an_element(const Implementation& implementation) {
    int threads = 1;
    for (const Extent& extent : implementation.block) threads *= extent.fixed.value_or(1);
    return threads;
}

/// All combinations of allowed[i], the last call fastest, until `take` says no.
void each_combination(const std::vector<std::vector<int>>& allowed,
                      const std::function<bool(const Combination&)>& take) {
    if (std::any_of(allowed.begin(), allowed.end(), [](const auto& list) { return list.empty(); })) return;
    std::vector<std::size_t> at(allowed.size());
    for (;;) {
        Combination combination;
        for (std::size_t i = 0; i < at.size(); ++i) combination.push_back(allowed[i][at[i]]);
        if (!take(combination)) return;
        std::size_t i = at.size();
        while (i > 0 && ++at[i - 1] == allowed[i - 1].size()) at[--i] = 0;
        if (i == 0) return;
    }
}

class Combinations {
public:
    Combinations(const Graph& graph, const Library& library, const Fusion& fusion, std::size_t most) : most_(most) {
        std::set<int> counts;
        for (NodeId call : functions_of(graph, fusion.calls)) {
            const auto& callee = library.functions[std::get<StreamCall>(graph.nodes[call].what).callee];
            std::vector<int> threads;
            for (const Implementation& implementation : callee.implementations) {
                threads.push_back(threads_an_element(implementation));
            }
            counts.insert(threads.begin(), threads.end());
            total *= static_cast<double>(threads.size());
            threads_.push_back(std::move(threads));
        }
        for (int count : counts) add([&](int threads) { return threads == count; }, false);
        add([](int) { return true; }, true);
    }

    std::vector<Combination> found;
    double total = 1;

private:
    void add(const std::function<bool(int)>& allowed, bool skip_uniform) {
        std::vector<std::vector<int>> lists(threads_.size());
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            for (std::size_t k = 0; k < threads_[i].size(); ++k) {
                if (allowed(threads_[i][k])) lists[i].push_back(static_cast<int>(k));
            }
        }
        each_combination(lists, [&](const Combination& combination) {
            if (found.size() >= most_) return false;
            if (!skip_uniform || !uniform(combination)) found.push_back(combination);
            return true;
        });
    }

    [[nodiscard]] bool uniform(const Combination& combination) const {
        for (std::size_t i = 1; i < combination.size(); ++i) {
            if (threads_[i][static_cast<std::size_t>(combination[i])] !=
                threads_[0][static_cast<std::size_t>(combination[0])])
                return false;
        }
        return true;
    }

    std::size_t most_;
    std::vector<std::vector<int>> threads_;  // by call and implementation
};

}  // namespace

StreamChoices stream_choices(const Graph& graph, const Library& library, const Fusion& fusion,
                             std::size_t max_choices) {
    const std::vector<int> paddings = paddings_tried(graph, library, fusion);
    const std::size_t each = elements_tried.size() * transfers.size() * paddings.size();
    const Combinations combinations(graph, library, fusion, std::max<std::size_t>(1, max_choices / each));
    StreamChoices result;
    for (const Combination& combination : combinations.found) {
        for (int elements : elements_tried) {
            for (TileTransfer transfer : transfers) {
                for (int padding : paddings) result.choices.push_back({combination, elements, 1, transfer, padding});
            }
        }
    }
    if (result.choices.size() > max_choices) result.choices.resize(max_choices);
    if (static_cast<double>(combinations.found.size()) < combinations.total) {
        result.cut = fmt::format("{} of {:.0f} combinations of implementations, those with one number of threads first",
                                 combinations.found.size(), combinations.total);
    }
    return result;
}

}  // namespace kasc
