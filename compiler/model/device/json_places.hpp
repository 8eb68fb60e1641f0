#pragma once
// Where the keys of a JSON object stand in its text: what a parser forgets and a diagnostic needs.

#include <optional>
#include <string>
#include <vector>

#include "foundation/source.hpp"

namespace kasc {

struct JsonPlace {
    std::string key;  ///< as written, escapes included
    Span key_span;    ///< with its quotes
    Span value_span;
};

/// Keys of the outermost object, in order. Requires: the text is well-formed JSON.
[[nodiscard]] std::vector<JsonPlace> json_places(const SourceRef& source);
/// The same of an object within a text: `object` spans it with its braces.
[[nodiscard]] std::vector<JsonPlace> json_places(const Span& object);
/// The items of an array, in order: `array` spans it with its brackets.
[[nodiscard]] std::vector<Span> json_items(const Span& array);
/// Where the text nests deeper than `depth`; none: nowhere. Any text.
[[nodiscard]] std::optional<Span> nested_deeper(const SourceRef& source, int depth);

}  // namespace kasc
