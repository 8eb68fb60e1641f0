#pragma once
// A program's text in the layout that kasc's own examples have. Words, signs and comments stay as they are; what
// changes is the space between them. Line breaks and blank lines are the author's, but around blocks.

#include "foundation/outcome.hpp"

namespace kasc {

/// Ensures: the same words and signs, hence the same Ast; formatting it again changes nothing.
/// Without a value, with K01xx, where the text has a syntax error, or would be longer than programs may be.
[[nodiscard]] Outcome<std::string> format_program(const SourceRef& source);

}  // namespace kasc
