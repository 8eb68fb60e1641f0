// An array is cut into pieces wherever one set of holders ends and another begins. A launch first lets each rank have
// what it touches, from those that held it before the launch, then makes those that store the only holders.
#include "ranks/holdings.hpp"

#include <algorithm>
#include <cstdlib>

namespace kasc::ranks {

namespace {

bool holds(const std::vector<int>& holders, int rank) {
    return std::binary_search(holders.begin(), holders.end(), rank);
}

void add(std::vector<int>& holders, int rank) {
    const auto at = std::lower_bound(holders.begin(), holders.end(), rank);
    if (at == holders.end() || *at != rank) holders.insert(at, rank);
}

/// The one beside it, where there is one.
int nearest(const std::vector<int>& holders, int rank) {
    return *std::min_element(holders.begin(), holders.end(),
                             [&](int a, int b) { return std::abs(a - rank) < std::abs(b - rank); });
}

/// What a part touches, whether it reads or stores it: array by array in the order in which it names them, which is the
/// same on all ranks, places that lie apart.
std::vector<Touch> places_of(const Part& part) {
    std::vector<Touch> all;
    std::vector<const void*> arrays;
    for (const Touch& touch : part.touches) {
        if (std::find(arrays.begin(), arrays.end(), touch.array) != arrays.end()) continue;
        arrays.push_back(touch.array);
        std::vector<Touch> own;
        for (const Touch& t : part.touches)
            if (t.array == touch.array && t.low < t.high) own.push_back(t);
        std::sort(own.begin(), own.end(), [](const Touch& a, const Touch& b) { return a.low < b.low; });
        for (const Touch& t : own) {
            const bool apart = all.empty() || all.back().array != t.array || all.back().high < t.low;
            if (apart)
                all.push_back(t);
            else
                all.back().high = std::max(all.back().high, t.high);
        }
    }
    return all;
}

}  // namespace

/// No piece reaches over this place.
void Holdings::cut(Pieces& pieces, std::int64_t at) {
    auto behind = pieces.upper_bound(at);
    if (behind == pieces.begin()) return;
    auto& [low, piece] = *std::prev(behind);
    if (low == at || piece.high <= at) return;
    pieces.emplace_hint(behind, at, Piece{piece.high, piece.holders});
    piece.high = at;
}

/// Pieces beside each other with the same holders are one.
void Holdings::join(Pieces& pieces) {
    for (auto at = pieces.begin(); at != pieces.end();) {
        const auto next = std::next(at);
        if (next == pieces.end()) return;
        if (at->second.high == next->first && at->second.holders == next->second.holders) {
            at->second.high = next->second.high;
            pieces.erase(next);
        } else {
            at = next;
        }
    }
}

void Holdings::put(const void* array, std::int64_t low, std::int64_t high, int rank) {
    Pieces& pieces = arrays_[array];
    cut(pieces, low);
    cut(pieces, high);
    pieces.erase(pieces.lower_bound(low), pieces.lower_bound(high));
    pieces[low] = {high, {rank}};
    join(pieces);
}

void Holdings::bring(Pieces& pieces, const Touch& touch, int rank, std::vector<Transfer>& transfers) const {
    cut(pieces, touch.low);
    cut(pieces, touch.high);
    for (auto at = pieces.lower_bound(touch.low); at != pieces.end() && at->first < touch.high; ++at) {
        auto& [low, piece] = *at;
        if (piece.holders.empty() || holds(piece.holders, rank)) continue;
        const int from = nearest(piece.holders, rank);
        Transfer* const last = transfers.empty() ? nullptr : &transfers.back();
        if (last != nullptr && last->to == rank && last->from == from && last->array == touch.array &&
            last->high == low)
            last->high = piece.high;
        else
            transfers.push_back({from, rank, touch.array, low, piece.high});
    }
}

std::vector<Transfer> Holdings::launch(const std::vector<Part>& parts) {
    std::vector<Transfer> transfers;
    for (const Part& part : parts) {
        for (const Touch& touch : places_of(part)) {
            const auto known = arrays_.find(touch.array);
            if (known != arrays_.end()) bring(known->second, touch, part.lane, transfers);
        }
    }
    for (const Transfer& t : transfers) {
        Pieces& pieces = arrays_.at(t.array);
        cut(pieces, t.low);
        cut(pieces, t.high);
        for (auto at = pieces.lower_bound(t.low); at != pieces.end() && at->first < t.high; ++at)
            add(at->second.holders, t.to);
    }
    const auto each_stored = [&](const auto& act) {
        for (const Part& part : parts) {
            for (const Touch& touch : part.touches) {
                if (touch.writes && touch.low < touch.high) act(arrays_[touch.array], touch, part.lane);
            }
        }
    };
    each_stored([](Pieces& pieces, const Touch& touch, int) {
        cut(pieces, touch.low);
        cut(pieces, touch.high);
        pieces.erase(pieces.lower_bound(touch.low), pieces.lower_bound(touch.high));
        pieces[touch.low] = {touch.high, {}};
    });
    each_stored([](Pieces& pieces, const Touch& touch, int rank) {
        cut(pieces, touch.low);
        cut(pieces, touch.high);
        for (auto at = pieces.lower_bound(touch.low); at != pieces.end() && at->first < touch.high; ++at)
            add(at->second.holders, rank);
    });
    for (auto& [array, pieces] : arrays_) join(pieces);
    return transfers;
}

}  // namespace kasc::ranks
