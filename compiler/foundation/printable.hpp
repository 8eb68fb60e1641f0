#pragma once

#include <string>
#include <string_view>

namespace kasc {

/// A text for a terminal or a table, in one line: what would steer a terminal or change the order of letters is written
/// as \n, \t, \x1b, \u202e, bytes that are no UTF-8 as \xff. Names in files are anybody's.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace kasc
