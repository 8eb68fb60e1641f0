#pragma once
// The shape of a field's cells: how many words they have, and what these are called.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "library/library.hpp"

namespace kasc::frontend {

/// Row-major, the last extent contiguous; none: the cell is a number.
struct CellShape {
    std::vector<int> extents;
    std::vector<std::string> word_names{};  ///< what the type calls its words; none: what word_name says

    [[nodiscard]] std::size_t words() const;
    [[nodiscard]] bool is_number() const { return extents.empty(); }
    bool operator==(const CellShape& other) const { return extents == other.extents; }
};

/// The shape of the cells of a type of the library.
[[nodiscard]] CellShape cell_shape(const StreamType& type);

/// Words that a field's cell has at most: each is a variable.
inline constexpr std::size_t most_cell_words = 256;

/// Its name where the type gives words names; else "x" to "w" along extents of up to four, "xy" for row x and column y;
/// else its number: "0", "18", "4_2".
[[nodiscard]] std::string word_name(const CellShape& shape, std::size_t word);
/// By its name, or by its number; none: the cell has no such word.
[[nodiscard]] std::optional<std::size_t> find_word(const CellShape& shape, std::string_view name);
/// "3 x 3 words".
[[nodiscard]] std::string text_of(const CellShape& shape);

}  // namespace kasc::frontend
