#pragma once
// Cells that are looked for by all cores: how many there are, and which is the first.

#include <algorithm>
#include <vector>

#include "contract/cell_values.hpp"
#include "foundation/parallel.hpp"

namespace kasc::contract {

/// A cell, so many further along the first of the axes.
[[nodiscard]] inline Cell moved(Cell from, const std::vector<AxisId>& axes, std::size_t cells) {
    if (!axes.empty()) from[axes.front().index] += static_cast<long long>(cells);
    return from;
}

struct FoundCells {
    std::size_t count = 0, of = 0;
    Cell first{};  ///< in the order of memory

    /// The cells of a block for whose numbers `is_one` says so. Blocks come in their order.
    template <class IsOne>
    void add(const CellBlocks::Block& block, const std::vector<AxisId>& axes, const IsOne& is_one) {
        std::size_t more = 0;
        for (std::size_t i = 0; i < block.count; ++i) more += is_one(i) ? 1 : 0;
        of += block.count;
        if (more == 0) return;
        if (count == 0) {
            std::size_t i = 0;
            while (!is_one(i)) ++i;
            first = moved(block.from, axes, i);
        }
        count += more;
    }
    /// What was found in later blocks.
    void add(const FoundCells& later) {
        if (count == 0) first = later.first;
        count += later.count;
        of += later.of;
    }
};

/// What `look(block, found)` adds to `found`, which has so many kinds of things, for all blocks of the axes.
template <class Look>
[[nodiscard]] std::vector<FoundCells> find_cells(const std::vector<AxisId>& axes, const BoundData& data,
                                                 std::size_t kinds, const Look& look) {
    constexpr std::size_t blocks_a_piece = 64;  // some 20 µs of work
    const CellBlocks blocks = blocks_of(axes, data);
    std::vector<std::vector<FoundCells>> pieces((blocks.size() + blocks_a_piece - 1) / blocks_a_piece,
                                                std::vector<FoundCells>(kinds));
    parallel_for(pieces.size(), [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * blocks_a_piece, blocks.size());
        for (std::size_t b = piece * blocks_a_piece; b < end; ++b) look(blocks[b], pieces[piece]);
    });
    std::vector<FoundCells> all(kinds);
    for (const std::vector<FoundCells>& piece : pieces) {
        for (std::size_t k = 0; k < kinds; ++k) all[k].add(piece[k]);
    }
    return all;
}

}  // namespace kasc::contract
