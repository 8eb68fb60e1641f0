// An array is cut into pieces wherever one set of holders ends and another begins. A launch first lets each rank have
// what it touches, from those that held it before the launch, then makes those that store the only holders.
#include "ranks/holdings.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace kasc::ranks {

namespace {

bool holds(const std::vector<int>& holders, int rank) {
    return std::binary_search(holders.begin(), holders.end(), rank);
}

void add_holder(std::vector<int>& holders, int rank) {
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

/// The transfer grows by what follows it, at once or in another row. False: that is no part of it.
bool goes_on(Transfer& transfer, const Transfer& next) {
    const std::int64_t bytes = transfer.high - transfer.low;
    if (transfer.rows == 1 && next.low == transfer.high) {
        transfer.high = next.high;
        return true;
    }
    const std::int64_t apart = transfer.rows == 1 ? next.low - transfer.low : transfer.apart;
    if (next.high - next.low != bytes || next.low != transfer.low + transfer.rows * apart) return false;
    transfer.apart = apart;
    ++transfer.rows;
    return true;
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

/// Where nobody held anything it is the only holder.
void Holdings::add(Pieces& pieces, std::int64_t low, std::int64_t high, int rank) {
    cut(pieces, low);
    cut(pieces, high);
    for (std::int64_t at = low; at < high;) {
        const auto next = pieces.lower_bound(at);
        if (next != pieces.end() && next->first == at) {
            add_holder(next->second.holders, rank);
            at = next->second.high;
            continue;
        }
        const std::int64_t end = next == pieces.end() ? high : std::min(high, next->first);
        pieces.emplace_hint(next, at, Piece{end, {rank}});
        at = end;
    }
}

void Holdings::add(const void* array, std::int64_t low, std::int64_t high, int rank) {
    Pieces& pieces = arrays_[array];
    add(pieces, low, high, rank);
    join(pieces);
}

std::int64_t Holdings::bytes_of(int rank) const {
    std::int64_t bytes = 0;
    for (const auto& [array, pieces] : arrays_) {
        for (const auto& [low, piece] : pieces) bytes += holds(piece.holders, rank) ? piece.high - low : 0;
    }
    return bytes;
}

void Holdings::bring(Pieces& pieces, const Touch& touch, int rank, std::vector<Transfer>& transfers) {
    cut(pieces, touch.low);
    cut(pieces, touch.high);
    for (auto at = pieces.lower_bound(touch.low); at != pieces.end() && at->first < touch.high; ++at) {
        auto& [low, piece] = *at;
        if (piece.holders.empty() || holds(piece.holders, rank)) continue;
        const Transfer next{nearest(piece.holders, rank), rank, touch.array, low, piece.high};
        // The last from there, of those to this rank, which stand behind all others.
        Transfer* last = nullptr;
        for (auto t = transfers.rbegin(); t != transfers.rend() && t->to == rank && t->array == touch.array; ++t) {
            if (t->from != next.from) continue;
            last = &*t;
            break;
        }
        if (last == nullptr || !goes_on(*last, next)) transfers.push_back(next);
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
        for (std::int64_t row = 0; row < t.rows; ++row) {
            const std::int64_t low = t.low + row * t.apart, high = t.high + row * t.apart;
            cut(pieces, low);
            cut(pieces, high);
            for (auto at = pieces.lower_bound(low); at != pieces.end() && at->first < high; ++at)
                add_holder(at->second.holders, t.to);
        }
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
            add_holder(at->second.holders, rank);
    });
    std::set<const void*> touched;
    for (const Part& part : parts)
        for (const Touch& touch : part.touches) touched.insert(touch.array);
    for (const void* array : touched) {
        if (const auto known = arrays_.find(array); known != arrays_.end()) join(known->second);
    }
    return transfers;
}

}  // namespace kasc::ranks
