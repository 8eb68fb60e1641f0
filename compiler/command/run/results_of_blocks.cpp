// Each entry of a result is one block's own: what others send of it is zero, and who holds it joins the bits.
#include "command/run/results_of_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace kasc::command {

namespace {

/// Cells of the grid along one axis, and where they begin in the block that has them.
struct BlockRange {
    long long low = 0, high = 0, in_block = 0;
};
using Box = std::vector<BlockRange>;

std::vector<long long> lengths_of(const Box& box) {
    std::vector<long long> lengths;
    for (const BlockRange& range : box) lengths.push_back(range.high - range.low);
    return lengths;
}

struct BlockRows {
    long long low = 0, high = 0;
};
BlockRows rows_held(const BlockResult& result, int rank) {
    const long long all = result.lengths.empty() ? 1 : result.lengths.back();
    if (result.ends.empty()) return {0, rank == 0 ? all : 0};
    const auto r = static_cast<std::size_t>(rank);
    return {r == 0 ? 0 : result.ends.at(r - 1), result.ends.at(r)};
}

/// What a rank has of these rows; empty: nothing, or what others have as well.
Box own_box(const BlockResult& result, const basis::Blocks& blocks, int rank, const BlockRows& rows) {
    const std::vector<int> own = blocks.of_rank(rank);
    if (result.own == nullptr) {
        for (std::size_t c = 0; c < blocks.axes.size(); ++c) {
            const bool along = std::find(result.cut.begin(), result.cut.end(), c) != result.cut.end();
            if (!along && own[c] != 0) return {};
        }
    }
    Box box;
    for (std::size_t k = 0; k < result.lengths.size(); ++k) {
        BlockRange range{0, result.lengths[k], 0};
        if (result.cut[k]) {
            const basis::BlockPart part = basis::part_of(blocks.axes[*result.cut[k]], own[*result.cut[k]]);
            range = {part.first, part.first + part.own, part.low};
        }
        if (k + 1 == result.lengths.size()) {
            const long long low = std::max(range.low, rows.low), high = std::min(range.high, rows.high);
            range = {low, high, range.in_block + low - range.low};
        }
        if (range.low >= range.high) return {};
        box.push_back(range);
    }
    // A number, which stands alone.
    if (box.empty() && rows.low < rows.high) box.push_back({0, 1, 0});
    return box;
}

std::vector<std::byte> packed(const BlockResult& result, const Box& box) {
    BoxRuns runs;
    for (const BlockRange& range : box) runs.push_back({{range.in_block, 0, range.high - range.low}});
    const std::vector<long long> lengths = lengths_of(box);
    std::vector<std::byte> cells(static_cast<std::size_t>(cells_of(lengths)) * result.cell_bytes);
    const std::vector<long long> from = result.block_lengths.empty() ? std::vector<long long>{1} : result.block_lengths;
    copy_box(runs, result.cell_bytes, result.values, from, cells.data(), lengths);
    if (result.own == nullptr) return cells;
    // Entries that are others' become zero.
    std::vector<long long> own_strides(box.size(), 0);
    long long stride = 1;
    for (const std::size_t axis : result.own_axes) {
        own_strides.at(axis) = stride;
        stride *= result.block_lengths.at(axis);
    }
    runs.front() = {{0, 0, lengths.front()}};
    each_row(runs, own_strides, strides_of(lengths), [&](long long from_cell, long long to_cell, long long row) {
        for (long long i = 0; i < row; ++i) {
            const long long at = from_cell + (box.front().in_block + i) * own_strides.front();
            if (result.own[at] != 0) continue;
            std::memset(cells.data() + static_cast<std::uint64_t>(to_cell + i) * result.cell_bytes, 0,
                        result.cell_bytes);
        }
    });
    return cells;
}

void join(const BlockResult& result, const Box& box, const std::vector<std::byte>& cells, std::byte* to) {
    BoxRuns runs;
    for (const BlockRange& range : box) runs.push_back({{0, range.low, range.high - range.low}});
    const std::vector<long long> whole = result.lengths.empty() ? std::vector<long long>{1} : result.lengths;
    each_row(runs, strides_of(lengths_of(box)), strides_of(whole), [&](long long from, long long at, long long row) {
        const std::byte* source = cells.data() + static_cast<std::uint64_t>(from) * result.cell_bytes;
        std::byte* target = to + static_cast<std::uint64_t>(at) * result.cell_bytes;
        const std::uint64_t bytes = static_cast<std::uint64_t>(row) * result.cell_bytes;
        std::transform(source, source + bytes, target, target, std::bit_or<>());
    });
}

}  // namespace

long long cells_of(const std::vector<long long>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 1LL, std::multiplies<>());
}

BoxRuns with_overlaps(const std::vector<AxisId>& axes, const std::vector<long long>& extents,
                      const basis::Blocks& blocks, int rank) {
    const std::vector<int> own = blocks.of_rank(rank);
    BoxRuns runs;
    for (const AxisId axis : axes) {
        runs.emplace_back();
        const basis::CutAxis* cut = blocks.find(axis);
        if (cut == nullptr) {
            runs.back().push_back({0, 0, extents.at(axis.index)});
            continue;
        }
        const int block = own.at(static_cast<std::size_t>(cut - blocks.axes.data()));
        for (const basis::Segment& segment : basis::segments_of(*cut, block)) {
            const basis::BlockPart part = basis::part_of(*cut, segment.block);
            runs.back().push_back({part.first + segment.there - part.low, segment.here, segment.cells});
        }
    }
    return runs;
}

void copy_box(const BoxRuns& runs, std::uint64_t cell_bytes, const std::byte* from,
              const std::vector<long long>& from_lengths, std::byte* to, const std::vector<long long>& to_lengths) {
    each_row(runs, strides_of(from_lengths), strides_of(to_lengths),
             [&](long long source, long long at, long long row) {
                 std::memcpy(to + static_cast<std::uint64_t>(at) * cell_bytes,
                             from + static_cast<std::uint64_t>(source) * cell_bytes,
                             static_cast<std::uint64_t>(row) * cell_bytes);
             });
}

void bring_result(const BlockResult& result, const execute::BlockRun& run, std::byte* to) {
    const int here = run.processes.rank(), ranks = run.processes.ranks();
    std::vector<std::vector<std::byte>> sent(static_cast<std::size_t>(ranks)), received(sent.size());
    std::vector<Box> boxes(sent.size());
    std::vector<runtime::Message> messages;
    for (int other = 0; other < ranks; ++other) {
        const auto r = static_cast<std::size_t>(other);
        if (const Box box = own_box(result, run.blocks, here, rows_held(result, other)); !box.empty())
            sent[r] = packed(result, box);
        boxes[r] = own_box(result, run.blocks, other, rows_held(result, here));
        if (other == here) continue;
        if (!sent[r].empty()) messages.push_back({other, true, sent[r].data(), sent[r].size()});
        if (boxes[r].empty()) continue;
        received[r].resize(static_cast<std::size_t>(cells_of(lengths_of(boxes[r]))) * result.cell_bytes);
        messages.push_back({other, false, received[r].data(), received[r].size()});
    }
    run.processes.exchange(messages);
    for (std::size_t r = 0; r < boxes.size(); ++r) {
        if (!boxes[r].empty()) join(result, boxes[r], static_cast<int>(r) == here ? sent[r] : received[r], to);
    }
}

}  // namespace kasc::command
