// Two blocks of 4 entries, over planes of 16:
//
//   pz = 3 3 4 5 | 5 9 9 9      block 0: planes 3 … 5      block 1: planes 5, 9
//
// As it is told: 1 (known), then of each block the number of its ranges and their ends, 1 3 6, 2 5 6 9 10.
#include "execute/listed_planes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "contract/cell_values.hpp"
#include "contract/reach.hpp"
#include "execute/launch_values.hpp"
#include "execute/touches.hpp"
#include "plan/series.hpp"

namespace kasc::execute {

namespace {

using ranks::CellRange;

/// Entries of a list that rank 0 looks at, at most: a second of one core, or so.
constexpr long long most_entries = 1LL << 24;

/// No row of an operand changes with a loop.
bool is_fixed(const Program& program, const kernel::ListedPosition& at) {
    for (const contract::InputUse& use : contract::input_uses(program, at.operands, {at.position})) {
        for (const AxisIndex& index : use.operand->indices)
            if (std::holds_alternative<Absolute>(index)) return false;
    }
    return true;
}

/// A place along the kernel's outermost axis, and a plane that is touched there.
using Touched = std::vector<std::pair<long long, long long>>;

class Lists {
public:
    Lists(const Program& program, const Numbers& numbers, const runtime::EntryArguments& arguments)
        : program_(program),
          numbers_(numbers),
          data_{arguments.parameters, numbers.extents(), arguments.inputs, {}, {}} {
        const std::vector<Series> series = series_of(program);
        for (std::size_t k = 0; k < series.size() && k < arguments.rows.size(); ++k)
            if (series[k].input && arguments.rows[k] != 0) data_.inputs.at(series[k].position) = nullptr;
    }

    /// None: not known.
    [[nodiscard]] std::optional<ListedPlanes::ByBlock> of(const kernel::Kernel& kernel,
                                                          const kernel::ListedArray& array, AxisId last) {
        const ranks::SpanNumbers span = *span_numbers(kernel, numbers_);
        Touched all;
        for (const kernel::ListedPosition& at : array.at) {
            const auto found = touched(at, kernel.span->axis, last);
            if (!found) return std::nullopt;
            all.insert(all.end(), found->begin(), found->end());
        }
        std::sort(all.begin(), all.end());
        const long long blocks = grid_of(kernel, numbers_)[span.along];
        ListedPlanes::ByBlock by_block;
        for (long long b = 0; b < blocks; ++b) {
            const CellRange own = ranks::cells_of(span, b, 1);
            ranks::PlanesOfBlock planes;
            for (auto t = std::lower_bound(all.begin(), all.end(), std::pair(own.low, -1LL));
                 t != all.end() && t->first < own.high; ++t)
                planes.push_back({t->second, t->second + 1});
            by_block.push_back(ranks::apart(std::move(planes)));
        }
        return by_block;
    }

private:
    const Program& program_;
    const Numbers& numbers_;
    contract::BoundData data_;
    std::map<std::pair<std::string, AxisId>, Touched> known_;  ///< by position and axis of a kernel

    /// Along a position's own axes. Where the kernel's outermost is none of them, at each of its places.
    [[nodiscard]] std::optional<Touched> touched(const kernel::ListedPosition& at, AxisId outermost, AxisId last) {
        for (const contract::InputUse& use : contract::input_uses(program_, at.operands, {at.position}))
            if (data_.inputs.at(use.input) == nullptr) return std::nullopt;
        std::set<AxisId> along;
        contract::add_axes(program_, *at.position, at.operands, along);
        long long cells = along.contains(outermost) ? 1 : numbers_.extent(outermost);
        for (const AxisId axis : along) cells = std::min(most_entries + 1, cells * numbers_.extent(axis));
        if (cells > most_entries) return std::nullopt;
        const std::string text = contract::position_text(program_, *at.position, at.operands);
        const auto [known, fresh] = known_.try_emplace({text, outermost});
        if (fresh) known->second = look(at, {along.begin(), along.end()}, outermost, last);
        return known->second;
    }
    [[nodiscard]] Touched look(const kernel::ListedPosition& at, const std::vector<AxisId>& axes, AxisId outermost,
                               AxisId last) const {
        const bool moves = std::find(axes.begin(), axes.end(), outermost) != axes.end();
        const contract::CellValues values(program_, at.operands, Precision::single, data_);
        const CellBlocks blocks = contract::blocks_of(axes, data_);
        const auto most = static_cast<double>(numbers_.extent(last) - 1);
        Touched all;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const CellBlocks::Block block = blocks[b];
            const auto first = axes.empty() ? std::nullopt : std::optional(axes.front());
            const std::vector<double> places = values.evaluate(*at.position, block.from, first, block.count);
            for (std::size_t i = 0; i < block.count; ++i) {
                // Beyond the grid a read sees the nearest cell; an assignment is left out.
                const auto plane = static_cast<long long>(std::clamp(places[i], 0.0, most));
                const bool along_first = first == std::optional(outermost);
                const long long own = block.from[outermost.index] + (along_first ? static_cast<long long>(i) : 0);
                for (long long k = moves ? own : 0; k < (moves ? own + 1 : numbers_.extent(outermost)); ++k)
                    all.emplace_back(k, plane);
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
};

void write(const std::optional<ListedPlanes::ByBlock>& planes, std::vector<std::int64_t>& told) {
    told.push_back(planes ? 1 : 0);
    if (!planes) return;
    for (const ranks::PlanesOfBlock& block : *planes) {
        told.push_back(static_cast<std::int64_t>(block.size()));
        for (const CellRange& range : block) told.insert(told.end(), {range.low, range.high});
    }
}

}  // namespace

std::vector<const kernel::ListedArray*> followed_lists(const Program& program, const kernel::Kernel& kernel) {
    std::vector<const kernel::ListedArray*> all;
    if (!kernel.span || kernel.listed.empty()) return all;
    const std::set<VariableId> inputs = contract::unchanged_inputs(program);
    for (const kernel::ListedArray& array : kernel.listed) {
        const bool known = std::all_of(array.at.begin(), array.at.end(), [&](const kernel::ListedPosition& at) {
            return contract::made_of_inputs(*at.position, at.operands, inputs) && is_fixed(program, at);
        });
        if (known) all.push_back(&array);
    }
    return all;
}

ListedPlanes::ListedPlanes(const Program& program, const HostPlan& plan, const Numbers& numbers,
                           const runtime::EntryArguments& arguments, RankOrder& order) {
    const auto each = [&](const auto& act) {
        for (const kernel::Lowered& lowered : plan.kernels) {
            const kernel::Kernel& kernel = chosen(lowered, numbers);
            for (const kernel::ListedArray* array : followed_lists(program, kernel)) act(kernel, *array);
        }
    };
    std::vector<std::int64_t> told;
    if (order.is_here(0)) {
        Lists lists(program, numbers, arguments);
        each([&](const kernel::Kernel& kernel, const kernel::ListedArray& array) {
            write(lists.of(kernel, array, array.axis), told);
        });
    }
    order.tell(told);
    auto at = told.begin();
    each([&](const kernel::Kernel& kernel, const kernel::ListedArray& array) {
        if (*at++ == 0) return;
        ByBlock& planes = known_[{&kernel, array.value}];
        planes.resize(static_cast<std::size_t>(grid_of(kernel, numbers)[kernel.span->along]));
        for (ranks::PlanesOfBlock& block : planes) {
            for (std::int64_t ranges = *at++; ranges > 0; --ranges, at += 2) block.push_back({at[0], at[1]});
        }
    });
}

const ListedPlanes::ByBlock* ListedPlanes::of(const kernel::Kernel& kernel, ValueId value) const {
    const auto known = known_.find({&kernel, value});
    return known == known_.end() ? nullptr : &known->second;
}

}  // namespace kasc::execute
