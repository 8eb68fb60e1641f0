#pragma once
// Values of an expression over inputs, many cells at a time.

#include <optional>
#include <vector>

#include "frontend/cell_blocks.hpp"
#include "frontend/program.hpp"

namespace kasc::contract {

/// Rows of the slowest axis, where arrays lie in memory in part.
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
    /// One number for all cells of the row, or one for each.
    struct Values {
        bool same = true;
        double one = 0;
        std::vector<double> each{};  ///< whole groups of lanes: beyond the row's end it has no meaning
    };
    [[nodiscard]] Values values(const Expression& expression, const Row& row) const;
    [[nodiscard]] Values of_node(const Expression& expression, const Row& row) const;
    [[nodiscard]] Values read(const Operand& operand, const Row& row) const;
    void round(const Expression& expression, Values& values) const;

    const Program& program_;
    const std::vector<Operand>& operands_;
    Precision precision_;
    const BoundData& data_;
};

/// All cells of the axes, of an axis with a window the rows of that. Values of an expression's nodes at a block stay in
/// the L1 cache.
[[nodiscard]] CellBlocks blocks_of(const std::vector<AxisId>& axes, const BoundData& data);

}  // namespace kasc::contract
