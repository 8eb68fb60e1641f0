#pragma once
// Tables of what stands in other languages, and how that is written or said here.

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace kasc::frontend {

/// There, here.
using Known = std::pair<std::string_view, std::string_view>;

/// Empty: the table does not know it.
template <std::size_t Size>
[[nodiscard]] std::string_view known_as(const std::array<Known, Size>& table, std::string_view there) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Known& known) { return known.first == there; });
    return found == table.end() ? std::string_view() : found->second;
}

}  // namespace kasc::frontend
