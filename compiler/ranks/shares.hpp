#pragma once
// What each rank does of a launch, and where it has its part of an array: pure functions of sizes and the number of
// ranks. Whatever is cut how, results are the same, since blocks of a launch are in no order.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "foundation/byte_range.hpp"
#include "foundation/verdict.hpp"
#include "kernel/kernel.hpp"

namespace kasc::ranks {

/// one: ranks are GPUs of one host, any of which reads and writes any word. own: they are processes, each with memory
/// of its own, and send each other what they lack (holdings.hpp).
enum class Memory { one, own };

/// What ranks of their own memory compute on. GPUs take no transforms apart into lines (passes.hpp), and move more than
/// CPUs in the time of an exchange.
enum class Processor { cpu, gpu };

/// The launches and arrays that are shared. priced: those of which it pays. always: all that can be, however small.
enum class Sharing { priced, always };

/// Blocks along x, y, z.
using Grid = std::array<long long, 3>;

/// Blocks first … first + blocks - 1 along each dimension of a launch.
struct GridShare {
    Grid first{}, blocks{};
    [[nodiscard]] bool empty() const { return blocks[0] * blocks[1] * blocks[2] == 0; }
};

/// Where a launch is cut, and each rank's blocks.
struct LaunchShares {
    std::size_t along = 0;  ///< dimension
    std::vector<GridShare> of_rank;
};

/// The grid in near-equal parts along a dimension; none: its outermost one that has enough blocks, since kernels have
/// there what is outermost in memory.
///
///   x 4, y 128, z 64 over 4 ranks: along z, 16 each      x 1000, y 1, z 1: along x, 250 each
[[nodiscard]] LaunchShares share_blocks(const Grid& grid, int ranks, std::optional<std::size_t> along = std::nullopt);
/// All blocks on rank 0.
[[nodiscard]] LaunchShares on_first(const Grid& grid, int ranks);

/// A rank's lanes: its own, and one for blocks that reach over a cut, which are computed first.
inline constexpr int lanes_of_rank = 2;
[[nodiscard]] constexpr int rim_lane(int rank, int ranks) { return ranks + rank; }

/// Blocks that a rank computes in one of its lanes.
struct LanePart {
    int rank = 0, lane = 0;
    GridShare share;
};

/// What lies beyond the ends of an axis: walls, or the other end.
enum class Ends { apart, joined };

/// The shares in lanes. With a rim, so many blocks of each rank on its sides of the cuts are parts of their own, in
/// front of the others: what lies inside then waits for no other rank. Without, or where a share is little more than
/// its rims, it is one part.
///
/// `ends`: of the axis that is cut; where they are joined, they are cuts as well.
///
///   z 64 over 2 ranks, rim 2     rank 0: 30 … 31, 0 … 29     rank 1: 32 … 33, 34 … 63
[[nodiscard]] std::vector<LanePart> parts_of(const LaunchShares& shares, long long rim, Ends ends = Ends::apart);

/// A kernel's span (kernel::BlockSpan) with the numbers of a launch.
struct SpanNumbers {
    std::size_t along = 0;
    long long cells = 1, blocks = 1;  ///< so many blocks have so many cells
    long long extent = 1;             ///< cells there are
    long long reach = 0;
    bool numbered = false;  ///< what blocks have is counted as it lies in memory, `blocks` a cell of the extent
};

/// Blocks of a rim that hold all that others reach into.
[[nodiscard]] long long rim_of(const SpanNumbers& span);

/// Where an outermost axis of so many cells is cut where each rank has memory of its own: rank r has the cells before
/// the r-th that are not before the one before it.
[[nodiscard]] std::vector<long long> cut_cells(long long extent, int ranks);

/// The same for such ranks: each has the blocks that begin in its cells, so that all launches are cut at the same ones.
///
///   10 planes over 2 ranks, tiles of 4 planes     cut behind 5: blocks 0 1, block 2
[[nodiscard]] LaunchShares share_cells(const Grid& grid, const SpanNumbers& span, int ranks);

/// All blocks on every rank.
[[nodiscard]] LaunchShares on_each(const Grid& grid, int ranks);

/// Cells [low, high) of the extent.
struct CellRange {
    long long low = 0, high = 0;
};
/// The cells that blocks have, of numbered ones those that they have any of.
[[nodiscard]] CellRange cells_of(const SpanNumbers& span, long long first, long long blocks);

/// What arrays are cut in: the driver's granularity of physical memory, in bytes.
inline constexpr std::uint64_t page_bytes = gpu_page_bytes;

/// Cuts an array in pages: bytes from ends[r - 1] (0) to ends[r] lie on rank r. Pages on both sides of a cut are the
/// rank's that has more of them. The last end is the array's size in whole pages.
[[nodiscard]] std::vector<std::uint64_t> cut_pages(std::uint64_t bytes, int ranks, std::uint64_t page = page_bytes);

/// Whether an array of so many bytes is worth cutting.
[[nodiscard]] Verdict worth_cutting(std::uint64_t bytes, int ranks, Sharing sharing, Memory memory,
                                    Processor processor = Processor::cpu);

/// Whether the blocks of a kernel's launch over this grid may run on several ranks, and are enough for it.
[[nodiscard]] Verdict worth_sharing(const kernel::Kernel& kernel, const Grid& grid, int ranks, Sharing sharing,
                                    Memory memory);

}  // namespace kasc::ranks
