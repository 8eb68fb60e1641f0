#pragma once
// A text as its author wrote it: words, signs and comments in a row. For what works on texts and not on programs, the
// formatter and the editor.

#include <vector>

#include "foundation/outcome.hpp"

namespace kasc {

enum class LexemeKind { word, number, text, sign, comment };

/// What a word or a sign does where it stands, as far as its surroundings are written by it.
enum class LexemeRole {
    word,         ///< names, numbers, words of the language
    suffix,       ///< a word of a cell that is written by its number: .12, .4_0
    dot,          ///< before the letters of a word of a cell
    call_open,    ///< belongs to the word before it: f(, keep(, coloured(
    group_open,   ///< (a + b), for (, boundary (, in (
    index_open,   ///< T[
    close,        ///< ) and ], and } of a table
    table_open,   ///< { of a table
    block_open,   ///< { of a block
    block_close,  ///< } of a block
    comma,        ///< between arguments, names, entries of a table
    index_comma,  ///< within T[…]
    semicolon,
    prefix,     ///< -, ! and ~ before an operand
    product,    ///< *, /, % and the / between two faces
    operation,  ///< other operators, = and +=, ? and :
    colon,      ///< behind the axis of a boundary
    increment,  ///< ++
    comment
};

struct Lexeme {
    Span span;
    LexemeKind kind = LexemeKind::sign;
    LexemeRole role = LexemeRole::word;
    bool begins_item = false;  ///< a declaration, a statement or any other part that ends at its ';' or block
};

/// Any text's words, signs and comments, without roles: one that is no program, too. Empty where it is longer than
/// programs may be.
[[nodiscard]] std::vector<Lexeme> lexemes(const SourceRef& source);

/// With their roles. Without a value, with K01xx, where the text has a syntax error.
[[nodiscard]] Outcome<std::vector<Lexeme>> lexemes_with_roles(const SourceRef& source);

}  // namespace kasc
