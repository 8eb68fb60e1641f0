#include "ranks/order.hpp"

#include <algorithm>

namespace kasc::ranks {

Order::Order(int ranks)
    : ranks_(static_cast<std::size_t>(ranks)), asked_(ranks_, 0), follows_(ranks_, Counts(ranks_, 0)) {}

std::vector<Wait> Order::launch(const std::vector<Touch>& touches, const std::vector<int>& on) {
    Counts needed(ranks_, 0);
    for (const Touch& touch : touches) {
        const auto known = arrays_.find(touch.array);
        if (known == arrays_.end()) continue;
        for (std::size_t q = 0; q < ranks_; ++q) {
            needed[q] = std::max(needed[q], known->second.written[q]);
            if (touch.writes) needed[q] = std::max(needed[q], known->second.read[q]);
        }
    }
    std::vector<Wait> waits;
    const std::vector<Counts> before = follows_;
    for (const int rank : on) {
        Counts& follows = follows_[static_cast<std::size_t>(rank)];
        for (std::size_t q = 0; q < ranks_; ++q) {
            if (q == static_cast<std::size_t>(rank) || needed[q] <= follows[q]) continue;
            waits.push_back({rank, static_cast<int>(q)});
            follows[q] = asked_[q];
            for (std::size_t p = 0; p < ranks_; ++p) follows[p] = std::max(follows[p], before[q][p]);
        }
    }
    for (const int rank : on) ++asked_[static_cast<std::size_t>(rank)];
    for (const Touch& touch : touches) {
        Touched& touched = arrays_.try_emplace(touch.array, Counts(ranks_, 0), Counts(ranks_, 0)).first->second;
        for (const int rank : on) {
            const auto r = static_cast<std::size_t>(rank);
            (touch.writes ? touched.written : touched.read)[r] = asked_[r];
        }
    }
    return waits;
}

}  // namespace kasc::ranks
