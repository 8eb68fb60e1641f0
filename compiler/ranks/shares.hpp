#pragma once
// What each rank does of a launch, and where it has its part of an array: pure functions of sizes and the number of
// ranks. Ranks are GPUs of one host whose memory is one: whatever is cut how, results are the same, since any rank may
// read and write any word, and blocks of a launch are in no order.

#include <array>
#include <cstdint>
#include <vector>

#include "foundation/verdict.hpp"
#include "kernel/kernel.hpp"

namespace kasc::ranks {

/// Which launches and arrays are shared. priced: those of which it pays. always: all that can be, however small.
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

/// The grid in near-equal parts along its outermost dimension that has enough blocks: kernels have there what is
/// outermost in memory.
///
///   x 4, y 128, z 64 over 4 ranks: along z, 16 each      x 1000, y 1, z 1: along x, 250 each
[[nodiscard]] LaunchShares share_blocks(const Grid& grid, int ranks);
/// All blocks on rank 0.
[[nodiscard]] LaunchShares on_first(const Grid& grid, int ranks);

/// What arrays are cut in: the driver's granularity of physical memory, in bytes.
inline constexpr std::uint64_t page_bytes = std::uint64_t{2} << 20U;

/// Of an array in pages: bytes from ends[r - 1] (0) to ends[r] lie on rank r. Pages on both sides of a cut are the
/// rank's that has more of them. The last end is the array's size in whole pages.
[[nodiscard]] std::vector<std::uint64_t> cut_pages(std::uint64_t bytes, int ranks);

/// Whether an array of so many bytes is worth cutting.
[[nodiscard]] Verdict worth_cutting(std::uint64_t bytes, int ranks, Sharing sharing);

/// Whether the blocks of a kernel's launch over this grid may run on several ranks, and are enough for it.
[[nodiscard]] Verdict worth_sharing(const kernel::Kernel& kernel, const Grid& grid, int ranks, Sharing sharing);

}  // namespace kasc::ranks
