#pragma once
// What the stages of a pipeline take, cell by cell, whatever its blocks are.

#include <map>
#include <tuple>
#include <vector>

#include "frontend/program.hpp"
#include "model/constants.hpp"
#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "schedule/pipeline/schedule.hpp"

namespace kasc::model {

/// Instructions of a row's load or store, which has an address of 64 bits, and of a word's access in a ring.
constexpr double access_instructions = 5, ring_instructions = 1.3;

/// An access of a warp, in lines of L1 or shared memory, for each of its cells.
constexpr double lines_of(double bytes) { return bytes / 4 / line_words; }

/// A row that a stage reads of a value, so many rows beside the cell's own, of one plane.
struct RowRead {
    double bytes = 4;
    int row = 0;
    int low = 0, high = 0;  ///< cells beside the cell that are read of it
    CellsBeyond beyond;     ///< of them, those that may lie beyond the grid
};
/// What a cell of a stage takes.
struct StageCost {
    double instructions = 0, flops = 0;
    int slow_paths = 0;
    double at_the_rim = 0;  ///< instructions besides, of blocks that reach beyond the grid, where threads have vectors
    int planes_chosen = 1;  ///< of so many planes a read beyond the grid is one, at most
    double lines = 0;       ///< of L1 or shared memory, where a warp has neighbouring cells
    double l2_bytes = 0;
    /// Where threads have vectors, in place of what is read beside the cell: by value, row and plane.
    double instructions_of_vectors = 0;
    std::map<std::tuple<ValueId, int, int>, RowRead> rows{};
};

/// What no choice of block or chunk changes.
struct PipelineCost {
    PipelineCost(const PipelineWork& work, const Program& program, const Graph& graph, const Problem& problem,
                 StatementCosts& costs);

    std::vector<StageCost> stages;
    std::vector<double> bytes_of_kept, bytes_of_stores;  ///< of a cell
    double other_bytes = 0;                              ///< that are read of what is not kept
};

}  // namespace kasc::model
