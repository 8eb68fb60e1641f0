#include "basis/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

bool is_smooth(long long n) {
    for (const long long factor : {2, 3, 5, 7}) {
        while (n % factor == 0) n /= factor;
    }
    return n == 1;
}

CutAxis cut_axis(AxisId axis, long long cells, int blocks, long long overlap) {
    CutAxis cut{axis, cells, blocks, overlap, (cells + blocks - 1) / blocks + 2 * overlap};
    while (!is_smooth(cut.extended)) ++cut.extended;
    return cut;
}

/// A block with its overlaps is less than the grid, and each block has cells.
bool fits(const CutAxis& cut) { return cut.cells >= cut.blocks && cut.extended <= cut.cells; }

struct Choice {
    std::vector<int> blocks;
    double cells = 0;  ///< of a block with its overlaps; 0: it does not fit
};

Choice choice_of(const std::vector<AxisId>& axes, const std::vector<long long>& extents, const std::vector<int>& blocks,
                 long long overlap) {
    Choice choice{blocks, 1};
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const long long cells = extents.at(axes[k].index);
        if (blocks[k] == 1) {
            choice.cells *= static_cast<double>(cells);
            continue;
        }
        const CutAxis cut = cut_axis(axes[k], cells, blocks[k], overlap);
        choice.cells *= fits(cut) ? static_cast<double>(cut.extended) : 0;
    }
    return choice;
}

/// The best; where several are, the one with more blocks along the last axis, whose overlaps lie beside each other.
std::vector<int> chosen_blocks(const std::vector<AxisId>& axes, const std::vector<long long>& extents,
                               const BasisRequest& request) {
    Choice best;
    std::vector<int> blocks;
    const std::function<void(int)> add = [&](int left) {
        if (blocks.size() + 1 == axes.size()) {
            blocks.push_back(left);
            Choice choice = choice_of(axes, extents, blocks, request.overlap);
            blocks.pop_back();
            if (choice.cells > 0 && (best.cells == 0 || choice.cells < best.cells)) best = std::move(choice);
            return;
        }
        for (int n = 1; n <= left; ++n) {
            if (left % n != 0) continue;
            blocks.push_back(n);
            add(left / n);
            blocks.pop_back();
        }
    };
    add(request.processes);
    return best.blocks;
}

std::string size_text(const std::vector<long long>& lengths) { return fmt::format("{}", fmt::join(lengths, " x ")); }

Outcome<Blocks> cut(const Program& program, const std::vector<AxisId>& axes, const std::vector<long long>& extents,
                    const std::vector<int>& blocks, int overlap) {
    Blocks all;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (blocks[k] == 1) continue;
        const CutAxis cut = cut_axis(axes[k], extents.at(axes[k].index), blocks[k], overlap);
        if (!fits(cut))
            return failure<Blocks>(
                flag_fault("K0928",
                           fmt::format("a block of axis '{}' with its overlaps would have {} of its {} cells",
                                       program.axes[axes[k]].name, cut.extended, cut.cells),
                           {{{"--basis"}, "ask {} for a shorter overlap"},
                            {{"--blocks"}, "or {} for fewer blocks of that axis"}}));
        all.axes.push_back(cut);
    }
    return success(std::move(all));
}

}  // namespace

BlockPart part_of(const CutAxis& axis, int block) {
    BlockPart part;
    part.first = axis.cells * block / axis.blocks;
    part.own = axis.cells * (block + 1) / axis.blocks - part.first;
    part.low = (axis.extended - part.own) / 2;
    part.high = axis.extended - part.own - part.low;
    return part;
}

std::vector<Segment> segments_of(const CutAxis& axis, int block) {
    const BlockPart own = part_of(axis, block);
    std::vector<Segment> all;
    for (long long here = 0; here < axis.extended;) {
        const long long cell = (own.first - own.low + here + axis.cells) % axis.cells;
        int holder = 0;
        while (part_of(axis, holder).first + part_of(axis, holder).own <= cell) ++holder;
        const BlockPart of = part_of(axis, holder);
        const long long cells = std::min(axis.extended - here, of.first + of.own - cell);
        all.push_back({holder, here, cell - of.first + of.low, cells});
        here += cells;
    }
    return all;
}

int Blocks::count() const {
    return std::accumulate(axes.begin(), axes.end(), 1, [](int all, const CutAxis& cut) { return all * cut.blocks; });
}

std::vector<int> Blocks::of_rank(int rank) const {
    std::vector<int> blocks;
    for (const CutAxis& cut : axes) {
        blocks.push_back(rank % cut.blocks);
        rank /= cut.blocks;
    }
    return blocks;
}

int Blocks::rank_of(const std::vector<int>& blocks) const {
    int rank = 0;
    for (std::size_t k = axes.size(); k-- > 0;) rank = rank * axes[k].blocks + blocks.at(k);
    return rank;
}

const CutAxis* Blocks::find(AxisId axis) const {
    const auto at = std::find_if(axes.begin(), axes.end(), [&](const CutAxis& cut) { return cut.axis == axis; });
    return at == axes.end() ? nullptr : &*at;
}

std::vector<AxisId> transformed_axes(const Program& program) {
    std::set<AxisId> axes;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* transform = std::get_if<TransformStatement>(&statement);
        if (transform == nullptr || !transforms(transform->direction)) return;
        const bool forward = transform->direction == Direction::forward;
        const FieldShape& cells = field_shape(program, forward ? transform->source : transform->target);
        for (const std::size_t k : transform->axes) {
            if (!program.axes[cells.axes.at(k)].own) axes.insert(cells.axes[k]);
        }
    });
    return {axes.begin(), axes.end()};
}

Outcome<Blocks> blocks_of(const Program& program, const std::vector<long long>& extents, const BasisRequest& request) {
    const std::vector<AxisId> axes = transformed_axes(program);
    if (axes.empty())
        return failure<Blocks>(flag_fault("K0928", "the program has no transform, whose axes would be cut in blocks",
                                          {{{"--basis"}, "leave {} out: its arrays are cut where it has none"}}));
    std::vector<int> blocks = request.blocks;
    if (blocks.empty()) {
        blocks = chosen_blocks(axes, extents, request);
        if (!blocks.empty()) return cut(program, axes, extents, blocks, request.overlap);
        return failure<Blocks>(flag_fault(
            "K0928",
            fmt::format("the grid cannot be cut in {} blocks with overlaps of {}", request.processes, request.overlap),
            {{{"--basis"}, "ask {} for a shorter overlap, or start fewer processes"}}));
    }
    if (blocks.size() > axes.size())
        return failure<Blocks>(
            flag_fault("K0927",
                       fmt::format("--blocks are along {} axes, and the program has transforms along {}", blocks.size(),
                                   axes.size()),
                       {{{"--blocks"}, "name as many in {}"}}));
    blocks.resize(axes.size(), 1);
    const int count = std::accumulate(blocks.begin(), blocks.end(), 1, std::multiplies<>());
    if (count != request.processes)
        return failure<Blocks>(
            flag_fault("K0927", fmt::format("--blocks are {}, and {} processes were started", count, request.processes),
                       {{{"--blocks"}, "leave {} out, or start as many"}}));
    return cut(program, axes, extents, blocks, request.overlap);
}

std::vector<long long> block_extents(const Program& program, const std::vector<long long>& extents,
                                     const Blocks& blocks) {
    std::vector<long long> own = extents;
    for (const AxisId axis : program.axes.ids()) {
        if (const CutAxis* cut = blocks.find(axis)) own.at(axis.index) = cut->extended;
        const auto& whole = program.axes[axis].half_of;
        if (const CutAxis* cut = whole ? blocks.find(*whole) : nullptr) own.at(axis.index) = cut->extended / 2 + 1;
    }
    return own;
}

std::string blocks_text(const Program& program, const std::vector<long long>& extents, const Blocks& blocks) {
    std::vector<std::string> names;
    std::vector<int> counts;
    std::vector<long long> own, extended;
    for (const AxisId axis : transformed_axes(program)) {
        const CutAxis* cut = blocks.find(axis);
        names.push_back(program.axes[axis].name);
        counts.push_back(cut != nullptr ? cut->blocks : 1);
        own.push_back(cut != nullptr ? part_of(*cut, cut->blocks - 1).own : extents.at(axis.index));
        extended.push_back(cut != nullptr ? cut->extended : extents.at(axis.index));
    }
    return fmt::format("{} blocks of {}: {} cells, with their overlaps {}", fmt::join(counts, "x"),
                       fmt::join(names, ", "), size_text(own), size_text(extended));
}

}  // namespace kasc::basis
