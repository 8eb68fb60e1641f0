// Two calls of two implementations each, with 1 and 3 threads an element:
//
//   uniform first   1-1 (one thread), 2-2 (three threads)      then   1-2, 2-1
//
// each with every number of elements, both transfers and, where a type has a size that it helps, padding. Threads an
// element are the product of the fixed dimensions of the block: the free one counts elements.
//
// A block that its author fixed serves one number of elements. Combinations without such blocks come first, then those
// that serve 10 elements, say, by all of their fixed blocks, then those that serve 12; others are none.

#include "search/stream_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
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

/// An implementation as combinations see it.
struct Way {
    int threads = 1;           ///< an element
    int fixed_elements = 0;    ///< of a fixed block; 0: a dimension is free
    std::vector<int> numbers;  ///< of elements
};

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
    Combinations(const Graph& graph, ElementNumbers& numbers, const Fusion& fusion, std::size_t most) : most_(most) {
        std::set<int> counts, fixed{0};
        const Library& library = numbers.library();
        for (NodeId call : functions_of(graph, fusion.calls)) {
            const Function& callee = library.functions[std::get<StreamCall>(graph.nodes[call].what).callee];
            std::vector<Way> ways;
            for (const Implementation& how : callee.implementations) {
                const std::vector<int>& own = numbers.of(how);
                ways.push_back({threads_an_element(how), has_fixed_block(how) ? own.front() : 0, own});
                counts.insert(ways.back().threads);
                fixed.insert(ways.back().fixed_elements);
            }
            ways_.push_back(std::move(ways));
            names_.push_back(callee.name);
        }
        for (const int elements : fixed) total += new_combinations(elements);
        for (const int count : counts)
            for (const int elements : fixed) add(elements, count);
        for (const int elements : fixed) add(elements, std::nullopt);
    }

    std::vector<Combination> found;
    double total = 0;

    /// Numbers of elements to try: a fixed one, those of implementations that serve none of the usual, or the usual.
    [[nodiscard]] std::vector<int> numbers_of(const Combination& combination) const {
        std::vector<int> numbers;
        for (std::size_t i = 0; i < combination.size(); ++i) {
            const Way& way = way_of(combination, i);
            if (way.fixed_elements > 0) return {way.fixed_elements};
            if (std::equal(way.numbers.begin(), way.numbers.end(), elements_tried.begin(), elements_tried.end()))
                continue;
            for (const int elements : way.numbers)
                if (std::find(numbers.begin(), numbers.end(), elements) == numbers.end()) numbers.push_back(elements);
        }
        return numbers.empty() ? std::vector<int>{elements_tried.begin(), elements_tried.end()} : numbers;
    }

    /// Why no combination is possible.
    [[nodiscard]] std::string disagreement() const {
        std::string text;
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const std::vector<Way>& ways = ways_[i];
            if (ways.empty()) return "a function has no implementation for a GPU";
            if (std::any_of(ways.begin(), ways.end(), [](const Way& way) { return way.fixed_elements == 0; })) continue;
            std::set<int> numbers;
            for (const Way& way : ways) numbers.insert(way.fixed_elements);
            text +=
                fmt::format("{}those of {} serve {}", text.empty() ? "" : ", ", names_[i], fmt::join(numbers, " or "));
        }
        return "no number of elements suits all fixed blocks: " + text;
    }

private:
    /// Combinations that are new with the fixed blocks of so many elements (0: without any).
    [[nodiscard]] double new_combinations(int elements) const {
        double all = 1, without = 1;
        for (const std::vector<Way>& ways : ways_) {
            const auto count = [&](int fixed) {
                return static_cast<double>(
                    std::count_if(ways.begin(), ways.end(), [&](const Way& w) { return w.fixed_elements == fixed; }));
            };
            without *= count(0);
            all *= count(0) + (elements > 0 ? count(elements) : 0);
        }
        return elements > 0 ? all - without : all;
    }

    /// Adds combinations of implementations without fixed blocks and of those whose blocks serve `elements`, all with
    /// so many threads an element. What is left out here was found before, so that no more is looked at than is found.
    void add(int elements, std::optional<int> threads) {
        std::vector<std::vector<int>> lists(ways_.size());
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            for (std::size_t k = 0; k < ways_[i].size(); ++k) {
                const Way& way = ways_[i][k];
                const bool suits = way.fixed_elements == 0 || way.fixed_elements == elements;
                if (suits && way.threads == threads.value_or(way.threads)) lists[i].push_back(static_cast<int>(k));
            }
        }
        each_combination(lists, [&](const Combination& combination) {
            if (found.size() >= most_) return false;
            const bool before = (elements > 0 && !any_fixed(combination)) || (!threads && uniform(combination));
            if (!before) found.push_back(combination);
            return true;
        });
    }

    [[nodiscard]] const Way& way_of(const Combination& combination, std::size_t i) const {
        return ways_[i][static_cast<std::size_t>(combination[i])];
    }
    [[nodiscard]] bool any_fixed(const Combination& combination) const {
        for (std::size_t i = 0; i < combination.size(); ++i)
            if (way_of(combination, i).fixed_elements > 0) return true;
        return false;
    }
    [[nodiscard]] bool uniform(const Combination& combination) const {
        for (std::size_t i = 1; i < combination.size(); ++i)
            if (way_of(combination, i).threads != way_of(combination, 0).threads) return false;
        return true;
    }

    std::size_t most_;
    std::vector<std::vector<Way>> ways_;  // by call and implementation
    std::vector<std::string> names_;      // of the functions, by call
};

}  // namespace

StreamChoices stream_choices(const Graph& graph, ElementNumbers& numbers, const Fusion& fusion,
                             std::size_t max_choices) {
    const std::vector<int> paddings = paddings_tried(graph, numbers.library(), fusion);
    const std::size_t each = elements_tried.size() * transfers.size() * paddings.size();
    const Combinations combinations(graph, numbers, fusion, std::max<std::size_t>(1, max_choices / each));
    StreamChoices result;
    for (const Combination& combination : combinations.found) {
        for (int elements : combinations.numbers_of(combination)) {
            for (TileTransfer transfer : transfers) {
                for (int padding : paddings) result.choices.push_back({combination, elements, 1, transfer, padding});
            }
        }
    }
    if (result.choices.size() > max_choices) result.choices.resize(max_choices);
    if (result.choices.empty()) result.none = combinations.disagreement();
    if (static_cast<double>(combinations.found.size()) < combinations.total) {
        result.cut = fmt::format("{} of {:.0f} combinations of implementations, those with one number of threads first",
                                 combinations.found.size(), combinations.total);
    }
    return result;
}

}  // namespace kasc
