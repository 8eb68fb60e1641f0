// The best cover of the first j calls ends in some run i … j, behind the best cover of the first i:
//
//   order a b c d    best[4] = min of best[3] + {d}, best[2] + {c d}, best[1] + {b c d}, as far as runs are legal
//
// A set that is not legal stays so as it grows: the first run that is not ends the search for longer ones.

#include "select/runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kasc {

Runs::Runs(const Members& order, std::size_t longest, const Units& units, const Connections& connections,
           const Closed& closed)
    : ending_(order.size() + 1) {
    for (std::size_t end = 1; end <= order.size(); ++end) {
        std::vector<std::size_t> parts;
        for (std::size_t start = end; start-- > 0 && end - start <= longest;) {
            NodeSet joined = units.of[order[start]], near(joined.size());
            for (auto m = joined.find_first(); m != NodeSet::npos; m = joined.find_next(m))
                near |= connections.adjacent[m];
            std::erase_if(parts, [&](std::size_t part) {
                if (!parts_[part].intersects(near)) return false;
                joined |= parts_[part];
                return true;
            });
            if (closed(joined) != joined) break;
            parts.push_back(parts_.size());
            parts_.push_back(std::move(joined));
            ending_[end].push_back({start, parts});
        }
    }
}

std::vector<std::size_t> Runs::best(const std::vector<double>& costs) const {
    std::vector<double> least(ending_.size(), std::numeric_limits<double>::infinity());
    std::vector<const Run*> last(ending_.size(), nullptr);
    least[0] = 0;
    for (std::size_t end = 1; end < ending_.size(); ++end) {
        for (const Run& run : ending_[end]) {
            double sum = least[run.start];
            for (const std::size_t part : run.parts) sum += costs[part];
            if (!std::isfinite(sum) || sum > least[end]) continue;
            least[end] = sum;
            last[end] = &run;
        }
    }
    std::vector<std::size_t> chosen;
    for (std::size_t end = ending_.size() - 1; end > 0; end = last[end]->start) {
        if (last[end] == nullptr) return {};
        chosen.insert(chosen.end(), last[end]->parts.begin(), last[end]->parts.end());
    }
    return chosen;
}

}  // namespace kasc
