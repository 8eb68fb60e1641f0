#pragma once
// The requests of the protocol about one text. Each gives the "result", null where there is nothing to say.

#include "lsp/workspace.hpp"

namespace kasc::lsp {

/// What publishDiagnostics says of a text.
[[nodiscard]] Json diagnostics_json(Workspace& workspace, Document& document);
/// What a word means, its type, extents and access; on what is assigned also what its kernel is predicted to cost.
[[nodiscard]] Json hover(Workspace& workspace, Document& document, std::size_t offset);
[[nodiscard]] Json definition(Workspace& workspace, const Document& document, std::size_t offset);
/// Functions, names and axes that can stand at a place.
[[nodiscard]] Json completion(Workspace& workspace, const Document& document, std::size_t offset);
[[nodiscard]] Json document_symbols(const Document& document);
/// The edits that format the text; null where it has syntax errors.
[[nodiscard]] Json formatting(const Document& document);

}  // namespace kasc::lsp
