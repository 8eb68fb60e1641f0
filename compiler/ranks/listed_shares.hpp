#pragma once
// Blocks that touch an array where lists say: each rank computes those whose planes it has. A pure function of what the
// lists say.

#include <vector>

#include "ranks/shares.hpp"

namespace kasc::ranks {

/// Planes that a block touches: ranges that lie apart, ascending.
using PlanesOfBlock = std::vector<CellRange>;

/// An array that the blocks of a launch touch where lists say.
struct ListedBlocks {
    std::vector<PlanesOfBlock> planes;  ///< by block along the dimension that is cut
    std::vector<long long> ends;        ///< of the array's planes, by rank (cut_cells)
    bool stored = false;
};

/// The blocks in contiguous parts, each as near as can be to the rank that has the first array's planes. Of arrays that
/// are stored no two ranks touch the same plane: a rank begins where those before it store none that it does.
///
///   ranks have planes 0 … 9, 10 … 19    blocks name 0 … 5, 5 … 12, 12 … 19
///   read                                 rank 0: blocks 0 1    rank 1: block 2
///   stored                               rank 0: blocks 0 1 2, since plane 12 is of both
[[nodiscard]] LaunchShares share_listed(const Grid& grid, std::size_t along, const std::vector<ListedBlocks>& arrays);

/// What blocks [first, first + blocks) touch together.
[[nodiscard]] PlanesOfBlock planes_of(const std::vector<PlanesOfBlock>& planes, long long first, long long blocks);
/// Ranges in any order, as they lie apart.
[[nodiscard]] PlanesOfBlock apart(PlanesOfBlock planes);

}  // namespace kasc::ranks
