#pragma once
// What a word of a text stands for.

#include "lsp/workspace.hpp"

namespace kasc::lsp {

struct Meaning {
    const Declared* declared = nullptr;  ///< in the text, in a file that it imports, or in one of the library's
    const Outline* in = nullptr;         ///< where
    std::optional<FunctionId> function;  ///< of the library, on streams
    std::optional<TypeId> type;          ///< of the library

    [[nodiscard]] explicit operator bool() const { return declared != nullptr || function || type; }
};

/// The meaning of the word with this number. A field and an axis may share a name: in a bracket and in extent(…) the
/// axis is meant.
[[nodiscard]] Meaning meaning_of(Workspace& workspace, const Document& document, std::size_t word);

/// What is declared in the text and known at a place.
[[nodiscard]] std::vector<const Declared*> known_at(const Outline& outline, std::size_t offset);

/// The bracket that is open at a word, or at the end of the words before it: its number; npos: none.
[[nodiscard]] std::size_t open_bracket(const Outline& outline, std::size_t word);

/// What its author says of a declaration: the comment behind it on its line, or, of functions, lines of comments above.
[[nodiscard]] std::string comment_of(const Declared& declared, const Outline& outline);
/// The comment of a function of the library: the lines that begin with "// name(".
[[nodiscard]] std::string comment_of(const Function& function);

}  // namespace kasc::lsp
