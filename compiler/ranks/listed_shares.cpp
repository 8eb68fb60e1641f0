#include "ranks/listed_shares.hpp"

#include <algorithm>

namespace kasc::ranks {

namespace {

/// By block: whether what blocks before it store, and what it and those behind it store, are different planes.
std::vector<bool> may_begin(const std::vector<ListedBlocks>& arrays, std::size_t blocks) {
    std::vector<bool> may(blocks, true);
    for (const ListedBlocks& array : arrays) {
        if (!array.stored) continue;
        std::vector<std::size_t> last(static_cast<std::size_t>(array.ends.back()), 0);  // block that stores each plane
        const auto each_plane = [&](std::size_t b, const auto& act) {
            for (const CellRange& range : array.planes[b])
                for (long long z = range.low; z < range.high; ++z) act(last[static_cast<std::size_t>(z)]);
        };
        for (std::size_t b = 0; b < blocks; ++b) each_plane(b, [&](std::size_t& of) { of = b; });
        std::size_t farthest = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            may[b] = may[b] && (b == 0 || farthest < b);
            each_plane(b, [&](std::size_t of) { farthest = std::max(farthest, of); });
        }
    }
    return may;
}

}  // namespace

LaunchShares share_listed(const Grid& grid, std::size_t along, const std::vector<ListedBlocks>& arrays) {
    const ListedBlocks& owned = arrays.front();
    LaunchShares shares{along, std::vector<GridShare>(owned.ends.size(), GridShare{{}, grid})};
    for (GridShare& share : shares.of_rank) share.blocks[along] = 0;
    const auto blocks = static_cast<std::size_t>(grid[along]);
    const std::vector<bool> may = may_begin(arrays, blocks);
    std::size_t rank = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (may[b] && !owned.planes[b].empty()) {
            const auto owner = std::upper_bound(owned.ends.begin(), owned.ends.end(), owned.planes[b].front().low) -
                               owned.ends.begin();
            rank = std::max(rank, static_cast<std::size_t>(owner));
        }
        GridShare& share = shares.of_rank[rank];
        if (share.blocks[along] == 0) share.first[along] = static_cast<long long>(b);
        ++share.blocks[along];
    }
    return shares;
}

PlanesOfBlock planes_of(const std::vector<PlanesOfBlock>& planes, long long first, long long blocks) {
    PlanesOfBlock all;
    for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(first + blocks); ++b)
        all.insert(all.end(), planes.at(b).begin(), planes.at(b).end());
    return apart(std::move(all));
}

PlanesOfBlock apart(PlanesOfBlock planes) {
    std::sort(planes.begin(), planes.end(), [](const CellRange& a, const CellRange& b) { return a.low < b.low; });
    PlanesOfBlock all;
    for (const CellRange& range : planes) {
        if (!all.empty() && range.low <= all.back().high)
            all.back().high = std::max(all.back().high, range.high);
        else
            all.push_back(range);
    }
    return all;
}

}  // namespace kasc::ranks
