#pragma once
// What the search chooses for a fusion besides the calls themselves. A choice is small and comparable: it is what a
// tuning database will be keyed by.

#include <compare>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace kasc {

/// How whole tiles move between global and shared memory: by the author's load and save functions, or by the
/// compiler's 16-byte copies (asynchronous where the device has them).
enum class TileTransfer { author, staged };

struct StreamChoice {
    std::vector<int> implementations;  ///< index into Function::implementations, one a call in the order of execution
    int elements = 32;                 ///< of the stream, a block and round
    int batch = 1;                     ///< rounds a block
    TileTransfer transfer = TileTransfer::author;
    /// Words after each element of a tile in shared memory, against bank conflicts; only where padding_helps.
    int padding = 0;
    auto operator<=>(const StreamChoice&) const = default;
};

/// Elements of an odd number of words meet every bank once. Others do so with a word of padding each, or with four,
/// which keep 16-byte accesses aligned.
[[nodiscard]] constexpr bool padding_helps(int element_words, int padding) {
    return padding % 4 == 0 ? element_words % 8 == 0 : element_words % 2 == 0;
}

/// How threads walk the cells. grid: a thread computes its cells and is done. flat: the same, but threads are counted
/// through the rows of a plane, so that rows of any length leave none of them idle. column: a thread walks `chunk`
/// planes along the last axis. warp: a warp holds a piece of a row, each word in one thread, walks `chunk` rows along
/// the second axis and takes neighbours along the first from the threads beside. row: the CPU's: a block is a tile of
/// one plane, `threads_y` rows of `threads_x` cells on one core, or as many cells in more rows where rows are shorter.
/// stored: no threads of its own: a library's transform calls for each cell as it stores it. line: a block has whole
/// lines along the first axis and completes sums over them: `threads_y` teams of `threads_x` threads a line,
/// `threads_z` lines, with `chunk` cells of a line in the registers of a thread, or, where that is 1, all in turn.
/// product: a block has a tile of results of which each is folded over cells that few words make: `threads_x` by
/// `threads_y` threads with `vector` by `rows` results each, in registers, or `threads_z` such tiles; `chunk` of the
/// cells are in shared memory at a time. pipeline: a block goes through `chunk` planes of the last axis with several
/// stages, each some planes behind the one that it reads; a thread has `rows` cells of a plane, along the second axis
/// or, of two, `threads_x` apart. loop: a thread runs a loop of the program for one cell, `unroll` iterations at a
/// time, or a block for `threads_y` whole lines of cells that look at each other, `threads_x` threads each. fft: a
/// block has `threads_x` whole lines along one axis, of a real field as many pairs of them, and transforms them:
/// `threads_y` threads each. scan: running sums along an axis: a block has `threads_y` lines, `threads_x` threads each,
/// with 16 cells at a time. histogram: entries of a list that add integers to few cells: a block adds `chunk` groups of
/// `vector` entries of each thread to copies of the cells in shared memory, and these to memory at its end; threads
/// have `unroll` groups under way. staged: a block has `threads_x` cells of a row, one a thread; fields whose cells are
/// several words beside each other in memory pass through shared memory, so that memory sees whole rows of them.
enum class Walk { grid, flat, column, warp, row, stored, line, pipeline, loop, product, fft, scan, histogram, staged };

/// Where a thread finds the neighbours of its cells.
///   registers  each is read once and kept: what a column reads along its walk stays in a queue from plane to plane
///   cache      a column reads every neighbour again at every plane, through L1 and L2
///   shared     the block keeps them in shared memory: a grid its cells with their halo, a column the plane it is in
enum class Neighbours { registers, cache, shared };

/// What cells near the edge of the grid cost the others.
///   cell       each thread tests whether its cells lie in the interior, and takes one of two paths
///   mapped     no test: every cell takes the path that maps each coordinate
///   uniform    each block tests for all its threads; blocks in the interior run without any condition
enum class Borders { cell, mapped, uniform };

/// How a kernel of one block comes to run.
///   own   it has a launch of its own
///   last  the kernel before it goes on with it, in the last of its blocks to finish
enum class KernelLaunch { own, last };

struct FieldChoice {
    Walk walk = Walk::grid;
    int threads_x = 32, threads_y = 4;
    int vector = 1;  ///< cells of a thread along the first axis, whose extent they divide, one access: 1, 2, 4 or 8
    /// Planes a thread walks (column), rows (warp), iterations whose words tiles hold (loop), groups it adds
    /// (histogram).
    int chunk = 1;
    int threads_z = 1;
    int rows = 1;    ///< cells of a thread along the second axis
    int unroll = 1;  ///< planes of a column, rows of a warp, groups of entries that one pass of its loop computes
    int ahead = 0;   ///< planes that are fetched while one is computed (pipeline); 0: as many as there is room for
    Neighbours neighbours = Neighbours::registers;
    Borders borders = Borders::cell;
    KernelLaunch launch = KernelLaunch::own;
    auto operator<=>(const FieldChoice&) const = default;
    /// Cells of a block along the kernel's axis `axis`; of a column along its walk: 1.
    [[nodiscard]] int tile(std::size_t axis) const {
        return axis == 0 ? threads_x * vector : axis == 1 ? threads_y * rows : axis == 2 ? threads_z : 1;
    }
};

/// A call of the device's library. storing: it calls, for each cell as it stores it, what the calls behind it compute
/// (cuFFT's callbacks).
enum class TransformCall { alone, storing };
struct TransformChoice {
    TransformCall call = TransformCall::alone;
    auto operator<=>(const TransformChoice&) const = default;
};

using Choice = std::variant<StreamChoice, FieldChoice, TransformChoice>;
/// As a plan writes it (search/choice_text.hpp): "column 32x8 vector 4 rows 2 chunk 8 …".
[[nodiscard]] std::string print(const Choice& choice);

}  // namespace kasc
