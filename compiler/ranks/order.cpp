#include "ranks/order.hpp"

#include <algorithm>

namespace kasc::ranks {

Order::Order(int lanes)
    : lanes_(static_cast<std::size_t>(lanes)), asked_(lanes_, 0), follows_(lanes_, Counts(lanes_, 0)) {}

void Order::need(const Touch& touch, Counts& needed) const {
    const auto known = of_.find(touch.array);
    if (known == of_.end()) return;
    for (std::size_t q = 0; q < lanes_; ++q) {
        for (const Touched& t : known->second[q]) {
            const bool meet = t.low < touch.high && touch.low < t.high;
            if (meet && (t.writes || touch.writes)) needed[q] = std::max(needed[q], t.when);
        }
    }
}

/// What the lane did there before comes before it: who waits for this waits for that.
void Order::add(const Touch& touch, std::size_t lane) {
    auto& all = of_.try_emplace(touch.array, lanes_).first->second[lane];
    std::erase_if(all, [&](const Touched& t) {
        return t.low >= touch.low && t.high <= touch.high && (touch.writes || !t.writes);
    });
    all.push_back({touch.low, touch.high, touch.writes, asked_[lane]});
}

std::vector<Wait> Order::launch(const std::vector<Part>& parts) {
    std::vector<Wait> waits;
    const std::vector<Counts> before = follows_;
    const Counts asked = asked_;
    for (const Part& part : parts) {
        const auto lane = static_cast<std::size_t>(part.lane);
        Counts needed(lanes_, 0);
        for (const Touch& touch : part.touches) need(touch, needed);
        Counts& follows = follows_[lane];
        for (std::size_t q = 0; q < lanes_; ++q) {
            if (q == lane || needed[q] <= follows[q]) continue;
            waits.push_back({part.lane, static_cast<int>(q)});
            follows[q] = asked[q];
            for (std::size_t p = 0; p < lanes_; ++p) follows[p] = std::max(follows[p], before[q][p]);
        }
    }
    for (const Part& part : parts) {
        const auto lane = static_cast<std::size_t>(part.lane);
        ++asked_[lane];
        for (const Touch& touch : part.touches) add(touch, lane);
    }
    return waits;
}

}  // namespace kasc::ranks
