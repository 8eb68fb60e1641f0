#pragma once
// What one of several processes has of an array: rows of its first dimension in files, which is the outermost axis of a
// field. In memory each has addresses for all rows, and touches its own.

#include <cstdint>
#include <optional>
#include <vector>

namespace kasc::runtime {

struct HeldRows {
    std::uint64_t first = 0, rows = 0;
};

/// By array; none: all of it.
using HeldArrays = std::vector<std::optional<HeldRows>>;

}  // namespace kasc::runtime
