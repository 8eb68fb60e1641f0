#pragma once
// The overlaps of a block, brought from the blocks whose own cells they are: up to 26 neighbours of three axes.
// Internal to this folder, but for BlockRun.

#include <map>
#include <vector>

#include "basis/blocks.hpp"
#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"
#include "runtime/devices/device_messages.hpp"

namespace kasc::execute {

/// A process that runs one block of a grid, beside others that run theirs.
struct BlockRun {
    runtime::Communicator& processes;
    basis::Blocks blocks;
};

/// Bytes of an array that one process has and another needs: rows that begin `apart` bytes after each other.
struct BlockPiece {
    int other = 0;
    bool sends = false;
    std::uint64_t at = 0, bytes = 0;
    std::int64_t rows = 1, apart = 0;
};
/// What `rank` sends and is sent before a transform along the axes at these places of the field's. Of cut axes beside
/// them blocks have their own cells alone. `extents`: of a block.
[[nodiscard]] std::vector<BlockPiece> block_pieces(const Program& program, VariableId field,
                                                   const std::vector<std::size_t>& places,
                                                   const std::vector<long long>& extents, const basis::Blocks& blocks,
                                                   int rank);

class Overlaps {
public:
    /// All outlive it.
    Overlaps(const Program& program, const Numbers& numbers, runtime::ComputeDevice& device, const BlockRun& run)
        : program_(program), numbers_(numbers), run_(run), messages_(device, run.processes) {}

    void renew(const TransformStatement& statement, std::byte* array);

private:
    const Program& program_;
    const Numbers& numbers_;
    const BlockRun& run_;
    runtime::DeviceMessages messages_;
    std::map<std::pair<VariableId, std::vector<std::size_t>>, std::vector<BlockPiece>> known_;
};

}  // namespace kasc::execute
