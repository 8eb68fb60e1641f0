#pragma once
// Cells with a shape in random programs. Each program is drawn twice at once: as cells, and by hand as fields of their
// words, so that what the frontend makes of cells is compared with what was meant. Text says both where they differ:
//
//     2 * |u or u_x, u_y, u_z| + |sum(u * v) or u_y * v_y + u_x * v_x + u_z * v_z|

#include <cstddef>
#include <string>
#include <vector>

#include "foundation/cell_type.hpp"

namespace kasc::random {

/// A type of cells: none of them, a number.
struct RandomCell {
    std::string type{};
    std::vector<int> extents{};  ///< row-major
    CellType of = CellType::float32;

    [[nodiscard]] bool is_number() const { return extents.empty(); }
    [[nodiscard]] std::size_t words() const;
    bool operator==(const RandomCell&) const = default;
};

/// Types that programs declare.
inline const std::vector<RandomCell> declared_cells{{"pair", {2}},
                                                    {"block", {2, 2}},
                                                    {"many", {5}},
                                                    {"table", {5, 2}},
                                                    {"wide", {3}, CellType::float64},
                                                    {"short", {2}, CellType::float16}};

/// "x", "zy", "4_1", of symmetric3x3 "yz": what the word's field is called behind the field's name (docs/language.md,
/// "Cells with a shape").
[[nodiscard]] std::string word_of(const RandomCell& cell, std::size_t word);

/// Text of cells, and of the same by hand: one for each word, or one for all of them. Neither says both itself.
[[nodiscard]] std::string either(const std::string& of_cells, const std::vector<std::string>& by_words);
[[nodiscard]] std::string of_cells(const std::string& text);
[[nodiscard]] std::string by_word(const std::string& text, std::size_t word);
/// The text for each of the words.
[[nodiscard]] std::vector<std::string> by_words(const std::string& text, const RandomCell& cell);
/// The name of a field, or of its words.
[[nodiscard]] std::string named(const std::string& field, const RandomCell& cell);

}  // namespace kasc::random
