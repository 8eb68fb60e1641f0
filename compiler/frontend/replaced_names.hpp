#pragma once
// A part of a program's text with other names in it: what an expansion reads in place of a block.

#include <map>
#include <string>

#include "foundation/source.hpp"

namespace kasc::frontend {

/// What stands for a name.
struct Replacement {
    enum class Kind {
        entry,     ///< of a list: for words of cells, too
        argument,  ///< of a procedure
        local,     ///< another name for what is declared in the text; `{a}` becomes `{other}`
    };
    Kind kind = Kind::entry;
    std::string text;  ///< a name, an integer or an expression in parentheses
};
using Replacements = std::map<std::string, Replacement>;

/// The text at `of`, where replacements stand for names, and for `{name}` within names.
[[nodiscard]] SourceRef with_replaced_names(const Span& of, const Replacements& replacements, const Span& by,
                                            std::string why);

/// The name has parts `{a}` for which nothing stands.
[[nodiscard]] bool has_open_parts(std::string_view name);

}  // namespace kasc::frontend
