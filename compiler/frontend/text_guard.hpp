#pragma once
// What is decided on the bytes of a program, before there are tokens.

#include <optional>
#include <string>

#include "frontend/report.hpp"

namespace kasc::frontend {

/// The text for the lexer, of the same length, so that its positions are byte offsets: a byte that is no ASCII, and
/// NUL, becomes DEL, which no token holds. (Comments may hold any bytes: old programs have them in Latin-1.) None, with
/// an error, where the text is too long or a comment does not end.
[[nodiscard]] std::optional<std::string> lexer_text(const SourceRef& source, Report& report);
/// The same of any text.
[[nodiscard]] std::string ascii_of(const std::string& text);

}  // namespace kasc::frontend
