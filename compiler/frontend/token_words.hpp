#pragma once
// The words and signs of a text in a row, for what looks at them where no grammar does.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/source.hpp"

namespace kasc::frontend {

/// A part of a row of words and signs: from `begin` up to `end`, without it.
struct TokenRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool empty() const { return begin >= end; }
};

/// Empty beyond the ends.
[[nodiscard]] std::string_view word_at(std::span<const Span> tokens, std::size_t at);
[[nodiscard]] bool is_word(std::string_view text);
[[nodiscard]] bool is_number(std::string_view text);
/// Nothing but space and comments stands before it on its line.
[[nodiscard]] bool starts_line(std::span<const Span> tokens, std::size_t at);
/// The first token of the next line.
[[nodiscard]] std::size_t line_end(std::span<const Span> tokens, std::size_t at);
/// Both are written without space between.
[[nodiscard]] bool adjoin(const Span& left, const Span& right);
/// The bracket that closes the one at `open`; their number: none does.
[[nodiscard]] std::size_t closing(std::span<const Span> tokens, std::size_t open);
/// What stands between the brackets at `open`, split at its commas.
[[nodiscard]] std::vector<TokenRange> in_brackets(std::span<const Span> tokens, std::size_t open);
/// As it is written; empty where that is no short text of one line.
[[nodiscard]] std::string short_text(const Span& span);
/// As it is written; empty where that is no short text of one line.
[[nodiscard]] std::string written(std::span<const Span> tokens, TokenRange range);
/// Where the innermost statement begins that holds the token at `at`, in the item that begins at `first`.
[[nodiscard]] std::size_t statement_of(std::span<const Span> tokens, std::size_t first, std::size_t at);
/// The axes that the text declares of a field above the token at `at`; none: it declares no such.
[[nodiscard]] std::optional<std::vector<std::string>> axes_in_text(std::span<const Span> tokens, std::size_t at,
                                                                   std::string_view field);

}  // namespace kasc::frontend
