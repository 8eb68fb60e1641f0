#include "ranks/copies.hpp"

#include <algorithm>

namespace kasc::ranks {

namespace {

using Bytes = boost::icl::interval_set<std::uint64_t>;

Bytes::interval_type interval(std::uint64_t low, std::uint64_t high) {
    return Bytes::interval_type::right_open(low, high);
}

std::vector<ByteRange> ranges_of(const Bytes& bytes) {
    std::vector<ByteRange> ranges;
    for (const auto& range : bytes) ranges.push_back({range.lower(), range.upper()});
    return ranges;
}

}  // namespace

std::vector<std::vector<ByteRange>> pages_near(const std::vector<std::uint64_t>& ends, const Nearby& nearby,
                                               std::uint64_t page) {
    const std::uint64_t all = ends.back(), near = std::min(all, (nearby.bytes + page - 1) / page * page);
    std::vector<std::vector<ByteRange>> of_rank;
    std::uint64_t low = 0;
    for (const std::uint64_t high : ends) {
        Bytes pages;
        const auto add = [&](std::uint64_t first, std::uint64_t end) {
            if (first < end) pages += interval(first, end);
        };
        add(low - std::min(low, near), low);
        add(high, std::min(all, high + near));
        if (nearby.around && low < near) add(all - (near - low), all);
        if (nearby.around && all - high < near) add(0, near - (all - high));
        if (low < high) pages -= interval(low, high);
        of_rank.push_back(near == 0 ? std::vector<ByteRange>{} : ranges_of(pages));
        low = high;
    }
    return of_rank;
}

std::vector<ByteRange> Copies::bring(int rank, const void* array, const ByteRange& bytes) {
    Bytes& same = same_[array][rank];
    Bytes lacks;
    if (bytes.low < bytes.high) lacks += interval(bytes.low, bytes.high);
    lacks -= same;
    same += lacks;
    return ranges_of(lacks);
}

void Copies::store(const void* array, const ByteRange& bytes) {
    const auto known = same_.find(array);
    if (known == same_.end() || bytes.low >= bytes.high) return;
    for (auto& [rank, same] : known->second) same -= interval(bytes.low, bytes.high);
}

}  // namespace kasc::ranks
