#pragma once
// Lists of names, and the blocks that stand once for each of their entries.

#include <KascParser.h>

#include "frontend/building.hpp"
#include "frontend/replaced_names.hpp"

namespace kasc::frontend {

/// The entries whose conditions hold.
[[nodiscard]] std::vector<ast::Name> entries_of(grammar::KascParser::EntriesContext* context, const SourceRef& source,
                                                Building& building);

/// What stands for the names of a `for … in` at one time.
struct Row {
    Replacements replacements;
    Span by;
    std::string why;  ///< "where 'a' is 'x'"
};
/// Lists beside each other have as many entries (K0121).
[[nodiscard]] std::vector<Row> rows_of(grammar::KascParser::ForEachContext* context, const SourceRef& source,
                                       Building& building);

/// Between the braces of a block.
[[nodiscard]] Span inside(grammar::KascParser::BlockContext* context, const SourceRef& source);

}  // namespace kasc::frontend
