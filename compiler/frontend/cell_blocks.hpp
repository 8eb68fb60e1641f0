#pragma once
// The cells of a box in the order of memory, a block of them along the first axis at a time: pieces of work.

#include <vector>

#include "frontend/program.hpp"

namespace kasc {

using Cell = std::vector<long long>;  ///< by axis of the program

/// Cells [from, to) of an axis.
struct AxisRange {
    AxisId axis;
    long long from = 0, to = 0;
};

class CellBlocks {
public:
    /// `around`: where the cells stand along the axes that have no range. `most`: cells of a block. Without ranges
    /// there is one cell.
    CellBlocks(Cell around, std::vector<AxisRange> ranges, long long most);

    [[nodiscard]] std::size_t size() const { return size_; }
    struct Block {
        Cell from;
        std::size_t count;  ///< along the first range
    };
    [[nodiscard]] Block operator[](std::size_t number) const;

private:
    Cell origin_;
    std::vector<AxisRange> ranges_;
    long long most_;
    std::size_t a_row_ = 1, size_ = 1;  ///< blocks
};

}  // namespace kasc
