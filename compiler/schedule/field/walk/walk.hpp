#pragma once
// How the threads of a kernel over fields come to their cells, as far as the schedule decides it: one source a walk,
// and one line of the list in walk.cpp. lower/walk prints a walk, model/field/walk_costs prices it.

#include <cstddef>
#include <string>
#include <vector>

#include "schedule/field/schedule.hpp"

namespace kasc {

/// What a fusion refuses, whatever the numbers of a choice: found once for all choices of it. Empty: nothing.
struct FusionFaults {
    std::string groups;                ///< more cells a thread than one, or a tile
    std::string side_by_side;          ///< vectors or a tile: cells of a type that is read one at a time
    std::string vectors, tile, warps;  ///< the first axis is not contiguous everywhere
    int reach = 0;                     ///< cells that a load stands away along the first axis, at most
    std::string copies;                ///< no entries add to cells of which a block may have copies
    std::string copies_of_groups;      ///< the same of entries beside each other
    bool exchanges = false;            ///< some field over the kernel's axes is read beside the cell along the first
    std::string words;                 ///< no field has several words of a cell beside each other
    bool at_own_cells = false;         ///< each cell of the kernel's axes is stored, from what lies at the cell itself
};

/// The cells of a block.
struct BlockCells {
    std::vector<int> along;   ///< by axis of the kernel
    std::size_t counted = 0;  ///< axes, the first ones, through which those along the first are counted; 0: none
    std::size_t tiled = 0;    ///< axes, the first ones, of which a block that shares neighbours holds all cells
    /// How many blocks have the cells of a grid.
    [[nodiscard]] double blocks(const std::vector<double>& extents) const;
};

class FieldWalk {
public:
    virtual ~FieldWalk() = default;
    /// Why no kernel over so many axes is walked with these numbers; empty: one may be. That a block has at most as
    /// many threads as devices allow, and none along axes that are not there, is seen to elsewhere.
    [[nodiscard]] virtual std::string numbers_fault(const FieldChoice& choice, std::size_t axes) const = 0;
    /// Why this kernel is not; empty: it is.
    [[nodiscard]] virtual std::string fault(const FieldChoice& choice, const FieldWork& work,
                                            const FusionFaults& faults) const;
    /// Threads of a block.
    [[nodiscard]] virtual int threads(const FieldChoice& choice) const;
    /// Bytes of shared memory that a block may have, of which more than 48 KB are asked for at the launch.
    [[nodiscard]] virtual int most_shared_bytes() const;
    /// Cells of a thread lie in register arrays.
    [[nodiscard]] virtual bool groups(const FieldChoice& choice) const;
    /// Rows at the edge of the grid have a path of their own.
    [[nodiscard]] virtual bool has_row_path() const;
    /// Requires: the schedule has its choice and its paths.
    [[nodiscard]] virtual WalkParts parts(const FieldSchedule& schedule, const Program& program,
                                          const Graph& graph) const;
    /// Requires: the schedule has its choice and its parts.
    [[nodiscard]] virtual BlockCells cells(const FieldSchedule& schedule) const;
    /// What parts, tiles and block program follow from, but for how many iterations a loop has; all else of the choice
    /// as it is by default. They are made once for all choices that say the same.
    [[nodiscard]] virtual FieldChoice decisive(const FieldChoice& choice) const;
    /// Requires: the schedule has its choice, parts and tiles.
    [[nodiscard]] virtual block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                                                    const Graph& graph) const;
};

/// The walk of this name; of kernels that fold their cells: `fold`, and of those that add entries in pieces: `pieces`,
/// whatever their choice says.
[[nodiscard]] const FieldWalk& walk_of(const FieldWork& work, Walk walk);
[[nodiscard]] const FieldWalk& walk_of(const FieldSchedule& schedule);

// --- one a source ---

[[nodiscard]] const FieldWalk& grid_walk();
[[nodiscard]] const FieldWalk& flat_walk();
[[nodiscard]] const FieldWalk& column_walk();
[[nodiscard]] const FieldWalk& warp_walk();
[[nodiscard]] const FieldWalk& row_walk();
[[nodiscard]] const FieldWalk& stored_walk();
[[nodiscard]] const FieldWalk& line_walk();
[[nodiscard]] const FieldWalk& pipeline_walk();
[[nodiscard]] const FieldWalk& loop_walk();
[[nodiscard]] const FieldWalk& fold_walk();
[[nodiscard]] const FieldWalk& histogram_walk();
[[nodiscard]] const FieldWalk& pieces_walk();
[[nodiscard]] const FieldWalk& staged_walk();

// --- what they share ---

/// What is at fault with a choice, on a walk where a thread meets each of its cells once.
[[nodiscard]] std::string no_loop_fault(const FieldChoice& choice);
[[nodiscard]] std::string unroll_fault(const FieldChoice& choice);
/// Adds the tiles as regions with so many copies, and to the steps what fills and reads them. No tile: nothing.
void add_tiles(block::BlockProgram& made, block::Step& fill, block::Step& cells, int copies,
               const FieldSchedule& schedule, const Program& program, const Graph& graph);
[[nodiscard]] block::Step fill_step();
[[nodiscard]] block::Step cells_step();

}  // namespace kasc
