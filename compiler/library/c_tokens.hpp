#pragma once
// Just enough of C++'s lexis to find functions and metadata in a library file: comments, strings and preprocessor
// lines are told apart from code, nothing is expanded.

#include <cstdint>
#include <string_view>
#include <vector>

#include "library/faults.hpp"

namespace kasc::library {

enum class TokenKind {
    word,         ///< identifier or keyword
    literal,      ///< number, string or character
    punctuation,  ///< one character
    directive,    ///< a preprocessor line with its continuations
    metadata,     ///< /*# … #*/
};

struct Token {
    TokenKind kind = TokenKind::punctuation;
    std::uint32_t begin = 0, end = 0;  ///< bytes; files are at most 4 MiB
};

/// The tokens of a file in order; plain comments are dropped. Faults: a comment, block or string without an end
/// (K0303). Requires a text below 4 GiB.
[[nodiscard]] std::vector<Token> tokenize(Faults& faults);

[[nodiscard]] inline std::string_view text_of(const Token& token, std::string_view text) {
    return text.substr(token.begin, token.end - token.begin);
}

[[nodiscard]] bool is_letter(char c);  ///< may start a C identifier
[[nodiscard]] bool is_digit(char c);
/// Letters, digits and underscores, not starting with a digit.
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace kasc::library
