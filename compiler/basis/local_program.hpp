#pragma once
// The program that each block runs, one after the other of its own iterations, as one process would: a rewritten
// program whose cut axes have the cells of a block with its overlaps.
//
//   U = fft(u)                   u = renew(u)                          the overlaps, from the blocks that have them
//                                u_weighted = bell_x * bell_y * u      1 inside, falling to 0 over the overlaps
//                                U = fft(u_weighted)
//   ifft(ik[kx] * U)             as it stands: right inside, and anything in the overlaps
//   x, extent(x)                 of the grid, along cells; of the block, along waves
//   p[x = px] = …                where px is the block's own, at its place there
//   rec = p[x = px]              anything where px is another's: outputs say which entries are the block's own
//
// So the same plan serves all blocks, and only numbers differ (BlockNumbers).

#include <optional>
#include <vector>

#include "basis/blocks.hpp"
#include "frontend/program.hpp"

namespace kasc::basis {

/// How an output of blocks becomes the grid's.
struct BlockOutput {
    std::vector<std::optional<std::size_t>>
        cut;                           ///< by axis of the output's: which of Blocks::axes its cells are cut in
    std::optional<std::size_t> own{};  ///< the output of int32 that says which entries are the block's own; none: all
    std::vector<std::size_t> own_axes{};  ///< of it, by axis which one of the output's it is
};

/// Parameters of a cut axis: first, own and low of its BlockPart, and the cells of the grid.
struct BlockParameters {
    ParameterId first, own, low, cells;
};

struct LocalProgram {
    Program program;
    std::vector<BlockParameters> parameters;  ///< by cut axis
    std::vector<BlockOutput> outputs;         ///< of the outputs that the program had; those of entries stand behind
};

/// `extents`, `parameters`: of the grid's run. K0818 (check_basis, check_wave_numbers).
[[nodiscard]] Outcome<LocalProgram> local_program(const Program& program, const Blocks& blocks,
                                                  const std::vector<long long>& extents,
                                                  const std::vector<double>& parameters);

/// The parameters of a block: those of the grid's program, and its own behind them.
[[nodiscard]] std::vector<double> block_parameters(const LocalProgram& local, const Blocks& blocks, int rank,
                                                   std::vector<double> parameters);

}  // namespace kasc::basis
