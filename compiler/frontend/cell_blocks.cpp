// Example: 5 x 2 cells in blocks of 3 are 4 blocks: (0..2, 0), (3..4, 0), (0..2, 1), (3..4, 1).

#include "frontend/cell_blocks.hpp"

#include <algorithm>
#include <utility>

namespace kasc {

CellBlocks::CellBlocks(Cell around, std::vector<AxisRange> ranges, long long most)
    : origin_(std::move(around)), ranges_(std::move(ranges)), most_(most) {
    for (const AxisRange& range : ranges_) {
        const auto cells = static_cast<std::size_t>(std::max(range.to - range.from, 0LL));
        origin_[range.axis.index] = range.from;
        if (&range == &ranges_.front())
            a_row_ = (cells + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
        size_ *= &range == &ranges_.front() ? a_row_ : cells;
    }
}

CellBlocks::Block CellBlocks::operator[](std::size_t number) const {
    Block block{origin_, 1};
    if (ranges_.empty()) return block;
    const AxisRange& first = ranges_.front();
    block.from[first.axis.index] += static_cast<long long>(number % a_row_) * most_;
    block.count = static_cast<std::size_t>(std::min(most_, first.to - block.from[first.axis.index]));
    auto row = static_cast<long long>(number / a_row_);
    for (std::size_t k = 1; k < ranges_.size(); ++k) {
        const long long cells = ranges_[k].to - ranges_[k].from;
        block.from[ranges_[k].axis.index] += row % cells;
        row /= cells;
    }
    return block;
}

}  // namespace kasc
