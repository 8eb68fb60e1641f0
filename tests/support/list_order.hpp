#pragma once
// The order of a list, and what places its cells have in it (Direction::order, Direction::runs), by their definition.

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

/// Whatever a statement makes of a whole field by a library.
[[nodiscard]] inline Cells made_by_library(const Program& program, const Problem& problem,
                                           const TransformStatement& statement, const Cells& source) {
    if (statement.direction == Direction::order) return ordered_list(source);
    if (statement.direction != Direction::runs) return FieldTransform(program, problem, statement).of(source);
    double none = 1;
    for (const AxisId axis : statement.cells) none *= static_cast<double>(problem.extents.at(axis.index));
    return runs_of(source, none);
}

}  // namespace kasc::test
