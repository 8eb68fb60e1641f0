#pragma once
// What the formatter lays out: a text's lexemes with what stands before each, as it was and as it will be.

#include <string_view>
#include <vector>

#include "frontend/lexemes.hpp"

namespace kasc::format {

inline constexpr int indent = 4;        ///< columns of a block
inline constexpr int least_indent = 2;  ///< of a line that goes on with an item
inline constexpr int tab = 4;           ///< columns of a tab, in texts that have any
inline constexpr int least_gap = 2;     ///< columns before a comment at the end of a line

struct Piece {
    Lexeme lexeme;
    int breaks = 0;         ///< line breaks before it: 2 leave a blank line
    bool blank = false;     ///< before it, where there is no line break
    bool expanded = false;  ///< of a block's braces: they stand on different lines
    int old_column = 0;     ///< where it began, from 0, in characters
    int old_indent = 0;     ///< of the line that it stood on
    int column = 0;         ///< where it begins; of the first on a line and of comments at the end of one, set later
    bool ends_line = false;

    [[nodiscard]] std::string_view text() const { return text_of(lexeme.span); }
    [[nodiscard]] LexemeRole role() const { return lexeme.role; }
    [[nodiscard]] bool is_comment() const { return lexeme.kind == LexemeKind::comment; }
};

/// The lines of a text, without their ends: \n, \r\n or \r, as the lexer has them.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);
/// Characters of a text in UTF-8, which stand beside each other.
[[nodiscard]] int width_of(std::string_view text);

/// Breaks and blanks are settled, columns as they were.
[[nodiscard]] std::vector<Piece> spaced(const std::vector<Lexeme>& lexemes);
/// Sets the columns.
void lay_out(std::vector<Piece>& pieces);
/// Sets the columns of comments at the ends of lines. Requires: those of all else are set.
void align_comments(std::vector<Piece>& pieces);

}  // namespace kasc::format
