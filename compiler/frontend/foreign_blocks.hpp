#pragma once
// Blocks as Julia, MATLAB, Fortran and Python write them, and C's do … while: they are one fault each, however many
// statements they have.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/report.hpp"
#include "frontend/token_words.hpp"

namespace kasc::frontend {

struct ForeignBlock {
    Span head;
    std::string message;
    std::string help;
    std::size_t end = 0;  ///< the first token behind it
};

/// The block that begins with the token at `begin`; none: no other language is known by it.
[[nodiscard]] std::optional<ForeignBlock> foreign_block(std::span<const Span> tokens, std::size_t begin);
void report_foreign_block(const ForeignBlock& block, Report& report);

/// 'if', and what other languages say for it and for 'else if'.
[[nodiscard]] bool begins_choice(std::string_view word);
/// 'else', and what other languages say for 'else if'.
[[nodiscard]] bool goes_on_with(std::string_view word);

/// How the head of a loop over numbers is written here: 'for i in 1:10' up to the end of the range.
[[nodiscard]] std::string loop_here(std::span<const Span> tokens, TokenRange head);
/// The condition that is written there, without brackets around all of it.
[[nodiscard]] std::string condition_here(std::span<const Span> tokens, TokenRange range);
/// "function f(a) = a*2;" for a function whose name stands at `name`, arguments and body as other languages write them.
[[nodiscard]] std::string function_here(std::span<const Span> tokens, std::size_t name);

}  // namespace kasc::frontend
