#pragma once
// A grid in blocks, one a process, each extended by overlaps into its neighbours': the local Fourier basis. Along a cut
// axis the grid goes round, as transforms have it.
//
//   80 cells in 2 blocks, overlaps of 16     block 0 has 0 … 39, and 64 … 79 before them, 40 … 55 behind: 72 in all
//   90 cells in 2 blocks, overlaps of 16     45 and 32 would be 77 = 7 · 11: 80, the overlaps are 17 and 18
//
// Pure functions of sizes.

#include <string>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/outcome.hpp"
#include "frontend/program.hpp"

namespace kasc::basis {

/// Blocks are near-equal, and all extended to as many cells, with no prime factor above 7.
struct CutAxis {
    AxisId axis;
    long long cells = 1;     ///< of the grid
    int blocks = 1;          ///< more than 1
    long long overlap = 0;   ///< that was asked for; each is at least so long
    long long extended = 1;  ///< cells of a block and its overlaps
};
/// What a block has along a cut axis. Its own cells stand behind the lower overlap.
struct BlockPart {
    long long first = 0, own = 0;  ///< of the grid's cells
    long long low = 0, high = 0;   ///< overlaps before and behind
};
[[nodiscard]] BlockPart part_of(const CutAxis& axis, int block);

/// Cells of a block that lie beside each other in another's own, or in its own.
struct Segment {
    int block = 0;
    long long here = 0;   ///< where they begin, counted from the block's first cell with its overlap
    long long there = 0;  ///< in the block whose own they are, counted likewise
    long long cells = 0;
};
/// All cells of a block, ascending.
[[nodiscard]] std::vector<Segment> segments_of(const CutAxis& axis, int block);

struct Blocks {
    std::vector<CutAxis> axes;  ///< in the order of the program's

    [[nodiscard]] int count() const;
    /// By axis, which block a rank has: the first axis counts fastest.
    [[nodiscard]] std::vector<int> of_rank(int rank) const;
    [[nodiscard]] int rank_of(const std::vector<int>& blocks) const;
    [[nodiscard]] const CutAxis* find(AxisId axis) const;
};

/// Axes along which cells are transformed, ascending: those that may be cut.
[[nodiscard]] std::vector<AxisId> transformed_axes(const Program& program);

/// How a run is asked to be decomposed.
struct BasisRequest {
    int overlap = 0;
    std::vector<int> blocks{};  ///< by transformed axis, further ones have one; empty: chosen
    int processes = 1;
};
/// The blocks; chosen ones are those of which one with its overlaps has the fewest cells. K0927 the blocks are not as
/// many as the processes, or more than axes; K0928 overlaps do not leave a block less than all of an axis.
[[nodiscard]] Outcome<Blocks> blocks_of(const Program& program, const std::vector<long long>& extents,
                                        const BasisRequest& request);

/// The extents of each block: of cut axes and of half spectra along them; all others stay.
[[nodiscard]] std::vector<long long> block_extents(const Program& program, const std::vector<long long>& extents,
                                                   const Blocks& blocks);

/// "2x2x1 blocks of x, y, z: 64 x 64 x 32 cells, with overlaps of 16 to 96 x 96 x 32".
[[nodiscard]] std::string blocks_text(const Program& program, const std::vector<long long>& extents,
                                      const Blocks& blocks);

}  // namespace kasc::basis
