// Call after call, the n least sums so far are combined with the times of the next call, and the n least of those kept:
//
//   f 10, 12   g 5, 6, 9     of f: 10, 12     of f and g, n = 2: 15 (10 + 5), 16 (10 + 6)

#include "select/apart.hpp"

#include <algorithm>
#include <set>

#include "select/cover.hpp"

namespace kasc {

namespace {

struct Sum {
    double time_ns = 0;
    const Cover* cover = nullptr;  ///< of the last call
    std::size_t before = 0;        ///< number of the sum over the calls before
};

}  // namespace

bool stands_apart(const CostedSpace& costed) {
    return std::all_of(costed.candidates.begin(), costed.candidates.end(),
                       [](const Candidate& c) { return fusion_of(c.schedule).calls.size() == 1; });
}

std::vector<std::vector<std::size_t>> best_apart(const Graph& graph, const CostedSpace& costed, std::size_t count) {
    const auto covers = covers_by_first(costed);
    std::vector<std::vector<Sum>> sums{{Sum{}}};
    for (const NodeId node : nodes_to_cover(graph, costed)) {
        const auto own = covers.find(node);
        if (own == covers.end()) return {};
        std::vector<Sum> next;
        for (std::size_t k = 0; k < sums.back().size(); ++k) {
            for (const Cover& cover : own->second) next.push_back({sums.back()[k].time_ns + cover.time_ns, &cover, k});
        }
        std::stable_sort(next.begin(), next.end(), [](const Sum& a, const Sum& b) { return a.time_ns < b.time_ns; });
        if (next.size() > count) next.resize(count);
        sums.push_back(std::move(next));
    }
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t k = 0; k < sums.back().size() && k < count; ++k) {
        std::vector<std::size_t> chosen;
        for (std::size_t call = sums.size() - 1, at = k; call > 0; at = sums[call].at(at).before, --call) {
            if (const auto& candidate = sums[call][at].cover->candidate) chosen.push_back(*candidate);
        }
        std::reverse(chosen.begin(), chosen.end());
        found.push_back(std::move(chosen));
    }
    return found;
}

}  // namespace kasc
