#pragma once
// What blocks have of an array of the grid: of an input with overlaps, of a result their own cells, or the entries that
// are their own.

#include <cstdint>
#include <optional>

#include "command/run/boxes.hpp"
#include "execute/overlaps.hpp"

namespace kasc::command {

[[nodiscard]] long long cells_of(const std::vector<long long>& lengths);

/// From an array of the grid to a block's, along all axes: cut ones go round.
[[nodiscard]] BoxRuns with_overlaps(const std::vector<AxisId>& axes, const std::vector<long long>& extents,
                                    const basis::Blocks& blocks, int rank);

/// Copies the box: `from` and `to` have so many cells along each axis.
void copy_box(const BoxRuns& runs, std::uint64_t cell_bytes, const std::byte* from,
              const std::vector<long long>& from_lengths, std::byte* to, const std::vector<long long>& to_lengths);

/// A result as a process' block has it.
struct BlockResult {
    std::vector<long long> lengths, block_lengths;  ///< along each axis, of the grid and of the block
    std::vector<std::optional<std::size_t>> cut;    ///< by axis: which of Blocks::axes
    std::uint64_t cell_bytes = 4;
    const std::byte* values = nullptr;
    const std::int32_t* own = nullptr;  ///< 1 where an entry is the block's own; null: all are, of its own cells
    std::vector<std::size_t> own_axes;  ///< of that: which of the axes
    std::vector<long long> ends;        ///< by rank, where the rows end that it holds of the grid's; empty: rank 0 all
};
/// By all processes. `to`: the grid's array, zero in the rows that this process holds.
void bring_result(const BlockResult& result, const execute::BlockRun& run, std::byte* to);

}  // namespace kasc::command
