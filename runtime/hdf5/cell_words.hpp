#pragma once
// Cells of several words between a file, where the words of a cell lie together, and memory, where each word has an
// array:
//
//   x0 y0 z0 x1 y1 z1 …  ↔  x0 x1 …   y0 y1 …   z0 z1 …

#include <cstddef>
#include <cstdint>

namespace kasc::runtime {

/// Copies words from every `from_step`-th place to every `to_step`-th.
void copy_words(std::size_t word_bytes, const std::byte* from, std::uint64_t from_step, std::byte* to,
                std::uint64_t to_step, std::uint64_t count);

}  // namespace kasc::runtime
