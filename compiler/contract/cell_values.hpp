#pragma once
// Values of an expression over inputs, many cells at a time.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::contract {

using Cell = std::vector<long long>;  ///< by axis of the program

/// Of arrays that lie in memory in part: rows of their slowest axis.
struct RowWindow {
    AxisId axis;
    long long first = 0, rows = 0;
};

/// The data of one run, as kasc_entry_call has them. Null: an input that is not there.
struct BoundData {
    const std::vector<double>& parameters;
    const std::vector<long long>& extents;
    std::vector<const void*> inputs;
    /// Where set: inputs of `windowed`, by input, hold these rows alone.
    std::optional<RowWindow> window;
    std::vector<bool> windowed;
};

/// Arithmetic of the precision that a statement over the same operands would have. Beyond the grid a read sees the
/// nearest cell.
class CellValues {
public:
    /// Requires: operands read inputs, at the cell itself or at positions. What it is given outlives it.
    CellValues(const Program& program, const std::vector<Operand>& operands, Precision precision,
               const BoundData& data);

    /// At `count` cells from `from` on along `along`; without one, at that cell.
    [[nodiscard]] std::vector<double> evaluate(const Expression& expression, const Cell& from,
                                               std::optional<AxisId> along, std::size_t count) const;

private:
    struct Row {
        const Cell& from;
        std::optional<AxisId> along;
        std::size_t count;
    };
    using Values = std::vector<double>;
    [[nodiscard]] Values values(const Expression& expression, const Row& row) const;
    [[nodiscard]] Values of_node(const Expression& expression, const Row& row) const;
    [[nodiscard]] Values read(const Operand& operand, const Row& row) const;

    const Program& program_;
    const std::vector<Operand>& operands_;
    Precision precision_;
    const BoundData& data_;
};

/// Calls `visit(first cell, count)` for all cells of the axes in the order of memory, some hundred at a time along the
/// first axis; of an axis with a window, for the rows of that. It stops where `visit` gives false.
template <class Visit>
void for_each_row(const std::vector<AxisId>& axes, const BoundData& data, const Visit& visit) {
    constexpr long long most = 512;  // values of an expression's nodes stay in the L1 cache
    const auto range = [&](AxisId axis) {
        const bool part = data.window && data.window->axis == axis;
        const long long from = part ? data.window->first : 0;
        return std::pair(from, part ? from + data.window->rows : data.extents.at(axis.index));
    };
    Cell cell(data.extents.size(), 0);
    for (const AxisId axis : axes) cell[axis.index] = range(axis).first;
    for (;;) {
        const long long left = axes.empty() ? 1 : range(axes.front()).second - cell[axes.front().index];
        const long long count = std::min(most, left);
        if (!visit(std::as_const(cell), static_cast<std::size_t>(count)) || axes.empty()) return;
        cell[axes.front().index] += count;
        std::size_t k = 0;
        while (cell[axes[k].index] == range(axes[k]).second) {
            cell[axes[k].index] = range(axes[k]).first;
            if (++k == axes.size()) return;
            ++cell[axes[k].index];
        }
    }
}

}  // namespace kasc::contract
