#pragma once
// import "waves.kas"; — texts of other files.

#include <KascParser.h>

#include "frontend/building.hpp"

namespace kasc::frontend {

/// Files that one program imports, by any way.
inline constexpr std::size_t most_imports = 256;

/// The file's text, and its whole path; null: it was read before. K0123, and null, where there is none, it cannot be
/// read, it is too large, or it imports itself.
struct Import {
    SourceRef source;
    std::string path;
};
[[nodiscard]] Import imported(grammar::KascParser::ImportFileContext* context, const SourceRef& source,
                              Building& building);

/// K0123 at an item that an imported file cannot have.
[[nodiscard]] bool may_be_imported(grammar::KascParser::ItemContext* item, const SourceRef& source, Building& building);

}  // namespace kasc::frontend
