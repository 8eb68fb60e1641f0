#pragma once
// The order of a list, what places its cells have in it, and where they begin (Direction::order, runs, starts), by
// their definition.

#include <algorithm>
#include <numeric>

#include "support/field_transform.hpp"

namespace kasc::test {

[[nodiscard]] inline Cells ordered_list(const Cells& cells) {
    std::vector<std::size_t> entries(cells.size());
    std::iota(entries.begin(), entries.end(), std::size_t{0});
    std::stable_sort(entries.begin(), entries.end(), [&](std::size_t a, std::size_t b) { return cells[a] < cells[b]; });
    return {entries.begin(), entries.end()};
}

[[nodiscard]] inline Cells runs_of(const Cells& sorted, double none) {
    Cells runs;
    for (const double cell : sorted) {
        const auto first = std::find(sorted.begin(), sorted.end(), cell) - sorted.begin();
        const bool begins = static_cast<std::size_t>(first) == runs.size();
        const auto count = std::count(sorted.begin(), sorted.end(), cell);
        runs.push_back(cell == none ? 0 : begins ? static_cast<double>(count) : static_cast<double>(-1 - first));
    }
    return runs;
}

[[nodiscard]] inline Cells starts_of(const Cells& sorted, double none) {
    std::vector<std::size_t> begin;
    for (std::size_t k = 0; k < sorted.size(); ++k)
        if (sorted[k] != none && (k == 0 || sorted[k] != sorted[k - 1])) begin.push_back(k);
    const auto end = std::find(sorted.begin(), sorted.end(), none) - sorted.begin();
    Cells starts;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const auto tile = k / static_cast<std::size_t>(order_tile) * static_cast<std::size_t>(order_tile);
        const auto of_tile = std::lower_bound(begin.begin(), begin.end(), tile);
        const auto behind = std::lower_bound(begin.begin(), begin.end(), tile + static_cast<std::size_t>(order_tile));
        const auto own = of_tile + std::min(static_cast<std::ptrdiff_t>(k - tile), behind - of_tile);
        const auto next = own == begin.end() ? static_cast<double>(end) : static_cast<double>(*own);
        starts.push_back(own == behind ? -1 - next : next);
    }
    return starts;
}

/// Whatever a statement makes of a whole field by a library.
[[nodiscard]] inline Cells made_by_library(const Program& program, const Problem& problem,
                                           const TransformStatement& statement, const Cells& source) {
    if (statement.direction == Direction::order) return ordered_list(source);
    if (!orders(statement.direction)) return FieldTransform(program, problem, statement).of(source);
    double none = 1;
    for (const AxisId axis : statement.cells) none *= static_cast<double>(problem.extents.at(axis.index));
    return statement.direction == Direction::runs ? runs_of(source, none) : starts_of(source, none);
}

}  // namespace kasc::test
