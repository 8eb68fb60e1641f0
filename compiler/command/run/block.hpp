#pragma once
// A run in blocks (basis/blocks.hpp), as one of its processes has it: its program, its part of the inputs, and how
// results become those of the grid. All else of a run is about the grid.

#include <memory>
#include <string>
#include <vector>

#include "basis/local_program.hpp"
#include "command/options.hpp"
#include "command/run/bound.hpp"
#include "engine/machine.hpp"
#include "execute/overlaps.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// K0927 the options, or where the run is, do not fit a run in blocks.
[[nodiscard]] Diagnostics check_blocks(const RunOptions& options, const Machine& machine);

/// What each block runs, as it is planned: a program that its checks have passed, with the sizes of a block.
struct BlockProgram {
    basis::LocalProgram local;
    CheckedProgram checked;
};
/// `extents`, `parameters`: of the grid. K0818.
[[nodiscard]] Outcome<BlockProgram> block_program(const CheckedProgram& grid, const std::vector<long long>& extents,
                                                  const std::vector<double>& parameters, const basis::Blocks& blocks);

class Block {
public:
    /// By all processes. `grid`: bound to its parameters, extents and surveyed inputs; outlives the block. K0818,
    /// K0927, K0928.
    [[nodiscard]] static Outcome<std::unique_ptr<Block>> make(const BasisOptions& options, const CheckedProgram& grid,
                                                              const RunBinding& bound,
                                                              runtime::Communicator& processes);

    /// To be planned: the same for all blocks.
    [[nodiscard]] CheckedProgram& checked() { return checked_; }
    [[nodiscard]] const execute::BlockRun& run() const { return run_; }
    /// What its run is bound to, once it is planned, and its inputs are loaded.
    [[nodiscard]] const RunBinding& bound() const { return bound_; }
    void settle(const HostPlan& plan);
    /// What this process reads of the grid's inputs to examine them, and has of its outputs.
    [[nodiscard]] FileParts parts() const;
    /// Its inputs, with their overlaps. K0703, K0711.
    [[nodiscard]] Diagnostics load();
    /// By all processes, when all blocks are computed: what is each one's own goes to where the outputs are held.
    void bring_results(const std::vector<void*>& outputs) const;
    /// The blocks, and what is known of their error: for the report.
    [[nodiscard]] std::string text() const;

private:
    Block(const Program& grid, const RunBinding& bound, BlockProgram made, basis::Blocks blocks,
          runtime::Communicator& processes);

    const Program program_;  ///< of the grid
    const RunBinding& grid_;
    const basis::LocalProgram local_;
    const execute::BlockRun run_;
    CheckedProgram checked_;
    RunBinding bound_;
    std::vector<std::vector<std::byte>> inputs_, results_;
    std::vector<runtime::LoadedArrays> whole_;  ///< inputs that are not cut

    /// By rank, where the rows of an array end that processes have in parts; empty: it is whole.
    [[nodiscard]] std::vector<long long> ends_of(VariableId variable) const;
    [[nodiscard]] Diagnostics load_input(std::size_t input);
};

}  // namespace kasc::command
