#pragma once
// Field programs drawn at random: cells of every type, boundaries by face, neighbours, positions that cells compute,
// labels, lists, series, coarser grids, coordinates, folds of each kind and of each other, coloured updates, functions
// of the program and the library; in one of four also transforms, halves of axes and complex fields; one in three has
// cells with a shape, some of these as streams. Texts say both cells and words (field_cells.hpp).

#include <string>
#include <vector>

#include "random/field_terms.hpp"

namespace kasc::random {

/// A statement, or a loop by its head and its body.
struct FieldLine {
    std::string text;
    std::vector<FieldLine> body;
};

struct FieldProgram {
    std::string declarations;
    std::vector<RandomField> fields;
    std::vector<FieldLine> lines;
    Spectra spectra{};
    /// Its cells with a shape are streams: the grid's one axis, x in these texts, is `elements`.
    bool streams = false;
};

[[nodiscard]] FieldProgram random_field_program(unsigned seed);
[[nodiscard]] std::string text_of(const FieldProgram& program);
/// The same with fields of words in place of cells; the text itself where there are none.
[[nodiscard]] std::string text_by_words(const FieldProgram& program);
/// The program without its k-th line, a loop with its body counting as one before its body; none beyond the last.
[[nodiscard]] bool drop_line(FieldProgram& program, std::size_t k);

}  // namespace kasc::random
