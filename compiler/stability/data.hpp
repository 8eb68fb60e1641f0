#pragma once
// The data of one run, and which of their cells are known to tell.

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/cell_blocks.hpp"

namespace kasc::stability {

/// Cells [from, to) of an axis.
struct Range {
    long long from = 0, to = 1;
    auto operator<=>(const Range&) const = default;
};

/// Where inputs are extreme, found once: to look takes a pass over the input. By input and ranges of the axes.
using KnownExtremes = std::map<std::pair<std::size_t, std::vector<Range>>, std::vector<Cell>>;

/// The data of a run, as kasc_entry_call has them.
struct Data {
    const std::vector<long long>& extents;
    const std::vector<const void*>& inputs;  ///< null: not known
    /// By input, what takes the place of all its cells where it is not known; empty: nothing, they are NaN.
    std::vector<double> assumed;
    /// By input, places along the last of its axes whose cells are known; none, or empty: all are.
    std::vector<std::optional<Range>> rows{};
    std::shared_ptr<KnownExtremes> known = std::make_shared<KnownExtremes>();
};

}  // namespace kasc::stability
