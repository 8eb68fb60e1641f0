#pragma once
// Finds the functions of a library that a program can call: reading the others would take longer than compiling it.

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

/// The files with functions for fields of which a program may call a function, by a text of its words or of those
/// files. A name that the program makes of parts, "laplace{n}", is any whose parts the text has, or that has a number
/// there. The names of the others' functions are added to `unread`.
[[nodiscard]] std::vector<SourceRef> called_files(const std::vector<SourceRef>& field_functions,
                                                  const std::vector<std::string_view>& texts,
                                                  std::vector<std::string>& unread);

}  // namespace kasc::library
