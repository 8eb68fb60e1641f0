#pragma once
// What the search chooses for a fusion besides the calls themselves. A choice is small and comparable: it is what a
// tuning database will be keyed by.

#include <compare>
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

/// How threads walk the cells. grid: a thread computes `vector` neighbouring cells of the first axis. column: it
/// walks `chunk` planes along the last axis and keeps what it read along that axis in a queue of registers.
/// row: the CPU's: a block is a tile of one plane, `threads_y` rows of `threads_x` cells on one core, or as many cells
/// in more rows where rows are shorter.
enum class Walk { grid, column, row };

struct FieldChoice {
    Walk walk = Walk::grid;
    int threads_x = 32, threads_y = 4;
    int vector = 1;  ///< 1 or 4; 4 needs the first extent to be a multiple of 4
    int chunk = 1;   ///< planes a thread walks (column)
    auto operator<=>(const FieldChoice&) const = default;
};

using Choice = std::variant<StreamChoice, FieldChoice>;
[[nodiscard]] std::string print(const Choice& choice);

}  // namespace kasc
