#pragma once
// Entries of a list that add integers to few cells: what a block has of these in shared memory.

#include <cstdint>
#include <vector>

#include "schedule/field/work.hpp"
#include "search/choice.hpp"

namespace kasc {

/// The calls whose entries add integers, each in any order.
[[nodiscard]] std::vector<const FieldCall*> additions_of(const FieldPlan& plan);
/// Along which an addition has copies of its cells: all but those at one position. Places in FieldCall::target.
[[nodiscard]] std::vector<std::size_t> copied_axes(const FieldCall& addition);
/// Words of each addition in a block's shared memory.
[[nodiscard]] int histogram_words(const FieldChoice& choice, std::size_t additions, int word_bytes);
/// Copies of so many cells that these words hold, which threads beside each other take in turn: 32, so that those of a
/// warp never meet, or the largest power of two that there is room for; 0: they do not hold the cells.
[[nodiscard]] int histogram_copies(int words, std::int64_t cells);
inline constexpr int most_histogram_copies = 32;

}  // namespace kasc
