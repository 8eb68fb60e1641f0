#pragma once
// Which functions of a library a program can call: reading the others would take longer than compiling it.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/source.hpp"

namespace kasc::library {

/// None: all functions are wanted.
using Wanted = std::optional<std::set<std::string, std::less<>>>;

[[nodiscard]] inline bool is_wanted(const Wanted& wanted, std::string_view function) {
    return !wanted || wanted->find(function) != wanted->end();
}

/// Every word of a text, in comments as well.
void add_words(std::string_view text, std::set<std::string, std::less<>>& words);

/// What the metadata blocks of a file say of it before it is read: names and no more.
struct Headings {
    std::set<std::string, std::less<>> functions;  ///< whose blocks, parts or variants stand in the file
    bool has_others = false;                       ///< types, the version, what is no heading
};
[[nodiscard]] Headings headings_of(std::string_view text);

/// Names that functions for fields call and do not declare themselves: functions of the library of streams.
[[nodiscard]] std::set<std::string, std::less<>> called_by_fields(const std::vector<SourceRef>& field_functions);

}  // namespace kasc::library
