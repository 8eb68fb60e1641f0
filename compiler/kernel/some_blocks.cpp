#include "kernel/some_blocks.hpp"

#include <algorithm>

namespace kasc::kernel {

namespace {

/// A block in the middle is to be in the interior: stencils reach a dozen cells.
constexpr long long least_extent = 32, largest_extent = 1 << 13;
constexpr int blocks_wanted = 3;
/// Cells of several axes that a block counts through, where no block more comes of more of them: as many loops as there
/// are axes would else be run through together.
constexpr long long most_counted = 1 << 15;

}  // namespace

SomeBlocks::SomeBlocks(const Kernel& kernel) : IntegerMachine(kernel) {
    for (const Parameter& p : kernel.parameters) {
        if (!p.is_array()) numbers_[slot(p.name)] = 1;
        const auto* extent = std::get_if<AxisExtent>(&p.source);
        if (extent != nullptr) cells_of_part_ = std::max<long long>(cells_of_part_, extent->cells);
        if (extent != nullptr && extent->cells > 1) of_parts_.insert(p.name);
    }
    for (const ExprRef& g : kernel.grid) grid_.push_back(number(g));
}

void SomeBlocks::choose_extents() {
    const long long step = kernel_.requirement ? kernel_.requirement->multiple : 1;
    // Whole parts stand beside those that the end of the grid cuts; where a block goes through parts in turn, its
    // second turn has one of more than the first thread.
    const long long parts = parts_at_a_time_ > 2 ? parts_at_a_time_ + 1 : parts_at_a_time_;
    long long extent = std::max(std::max(least_extent, parts * cells_of_part_) * step, 2LL * kernel_.line_step);
    const auto& bounded = kernel_.requirement;
    const bool of_block = bounded && bounded->most && bounded->axes.size() > 1 && !grid_depends_on(bounded->axes);
    counted_ = of_block  ? std::min<long long>(*bounded->most, std::max(most_counted, extent))
               : bounded ? bounded->most
                         : std::nullopt;
    const auto small = [&] {
        set_extents(extent, 0);
        return std::any_of(grid_.begin(), grid_.end(),
                           [&](const Number& g) { return depends(g, extent) && g() < blocks_wanted; });
    };
    while (extent < largest_extent && small()) extent *= 2;
    set_extents(extent, step);
}

void SomeBlocks::set_extents(long long extent, long long more) {
    long long left = counted_.value_or(0);  // of a product of extents
    std::vector<long long> left_of_others;
    if (kernel_.requirement)
        for (const Kernel::Requirement::Product& other : kernel_.requirement->others)
            left_of_others.push_back(other.most);
    for (const Parameter& p : kernel_.parameters) {
        const auto* of = std::get_if<AxisExtent>(&p.source);
        if (of == nullptr) continue;
        const bool groups = kernel_.requirement && kernel_.requirement->axes.front() == of->axis;
        if (const auto own = kernel_.lengths.find(of->axis); own != kernel_.lengths.end()) {
            numbers_[slot(p.name)] = own->second;
            continue;
        }
        // More than blocks that are all full have: of a part most cells, so that all steps meet some.
        const long long beyond = groups ? more : more > 0 ? std::max(1LL, 3 * cells_of_part_ / 4) : 0;
        numbers_[slot(p.name)] = (extent + beyond + of->cells - 1) / of->cells;
        if (kernel_.requirement) bound_products(*of, numbers_[slot(p.name)], left_of_others);
        if (!kernel_.requirement || !kernel_.requirement->most) continue;
        const auto bound = [&](long long most) {
            numbers_[slot(p.name)] = std::min<long long>(numbers_[slot(p.name)], std::max(1LL, most));
        };
        const std::vector<AxisId>& axes = kernel_.requirement->axes;
        if (of->cells > 1) {
            bound((*counted_ + of->cells - 1) / of->cells);
        } else if (std::find(axes.begin(), axes.end(), of->axis) != axes.end()) {
            bound(left);
            left /= numbers_[slot(p.name)];
        }
    }
}

void SomeBlocks::bound_products(const AxisExtent& of, long long& cells, std::vector<long long>& left) const {
    for (std::size_t k = 0; k < left.size(); ++k) {
        const std::vector<AxisId>& axes = kernel_.requirement->others[k].axes;
        if (std::find(axes.begin(), axes.end(), of.axis) == axes.end()) continue;
        cells = std::max(1LL, std::min(cells, left[k]));
        left[k] /= cells;
    }
}

bool SomeBlocks::grid_depends_on(const std::vector<AxisId>& axes) {
    const auto blocks = [&](long long of_axes) {
        for (const Parameter& p : kernel_.parameters) {
            const auto* of = std::get_if<AxisExtent>(&p.source);
            if (of == nullptr) continue;
            const bool among = std::find(axes.begin(), axes.end(), of->axis) != axes.end();
            numbers_[slot(p.name)] = among ? of_axes : 1;
        }
        std::vector<long long> all;
        for (const Number& g : grid_) all.push_back(g());
        return all;
    };
    return blocks(1) != blocks(largest_extent);
}

bool SomeBlocks::depends(const Number& g, long long extent) {
    set_extents(largest_extent * 16, 0);
    const long long many = g();
    set_extents(extent, 0);
    return many != 1;
}

std::vector<long long> SomeBlocks::some(std::size_t dimension) const {
    const long long n = grid_[dimension]();
    // Blocks of whole lines are alike, and their loops over parts are long.
    if (parts_at_a_time_ > 2) return {n - 1};
    std::vector<long long> all{0, n / 2, n - 1};
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<SomeBlocks::Block> SomeBlocks::across(const Blocks& blocks) {
    const std::size_t kinds = std::max({blocks[0].size(), blocks[1].size(), blocks[2].size()});
    const auto of = [](const std::vector<long long>& all, std::size_t k) { return all[std::min(k, all.size() - 1)]; };
    std::vector<Block> all;
    for (std::size_t k = 0; k < kinds; ++k) all.push_back({of(blocks[0], k), of(blocks[1], k), of(blocks[2], k)});
    return all;
}

}  // namespace kasc::kernel
