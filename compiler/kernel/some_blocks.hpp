#pragma once
// Extents of which a kernel is run, and which of its blocks: enough blocks along each axis that the first, one in
// the middle and the last differ.

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/integer_machine.hpp"

namespace kasc::kernel {

class SomeBlocks : protected IntegerMachine {
protected:
    using Block = std::array<long long, 3>;
    using Blocks = std::array<std::vector<long long>, 3>;  ///< along each axis of the grid

    explicit SomeBlocks(const Kernel& kernel);

    std::set<std::string> of_parts_;  ///< numbers of parts
    long long cells_of_part_ = 1;     ///< the most that any has
    long long parts_at_a_time_ = 2;   ///< the most that a loop of the block goes through

    /// Extents grow until every dimension of the grid that depends on them has enough blocks.
    void choose_extents();
    [[nodiscard]] Blocks some_blocks() const { return {some(0), some(1), some(2)}; }
    [[nodiscard]] static long long count(const Blocks& blocks) {
        return static_cast<long long>(blocks[0].size() * blocks[1].size() * blocks[2].size());
    }
    /// The first along all axes, the middle and the last.
    [[nodiscard]] static std::vector<Block> across(const Blocks& blocks);

private:
    std::vector<Number> grid_;
    std::optional<long long> counted_{};  ///< the most that the product of extents is which the kernel bounds

    void set_extents(long long extent, long long more);
    /// The cells along an axis, as many as the products that the kernel bounds leave for it.
    void bound_products(const AxisExtent& of, long long& cells, std::vector<long long>& left) const;
    [[nodiscard]] bool grid_depends_on(const std::vector<AxisId>& axes);
    [[nodiscard]] bool depends(const Number& g, long long extent);
    [[nodiscard]] std::vector<long long> some(std::size_t dimension) const;
};

}  // namespace kasc::kernel
