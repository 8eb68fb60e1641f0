// Along each axis of the array a block's cells are segments, each in one block's own (basis::segments_of); a box of
// segments is what one block has of another's overlaps. Both enumerate the boxes of the one who needs them, in one
// order.
#include "execute/overlaps.hpp"

#include <algorithm>
#include <functional>

namespace kasc::execute {

namespace {

/// An axis of the array.
struct Length {
    long long cells = 1;
    std::optional<std::size_t> cut{};  ///< by Blocks::axes
    bool renewed = false;              ///< else a cut one has its own cells alone
};

std::vector<Length> lengths_of(const Program& program, VariableId field, const std::vector<std::size_t>& places,
                               const std::vector<long long>& extents, const basis::Blocks& blocks) {
    std::vector<Length> lengths;
    const auto& axes = field_shape(program, field).axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        Length length{extents.at(axes[k].index)};
        if (const basis::CutAxis* cut = blocks.find(axes[k])) length.cut = cut - blocks.axes.data();
        length.renewed = std::find(places.begin(), places.end(), k) != places.end();
        lengths.push_back(length);
    }
    return lengths;
}

/// Along each axis, of the block that a rank has.
std::vector<std::vector<basis::Segment>> segments(const std::vector<Length>& lengths, const basis::Blocks& blocks,
                                                  const std::vector<int>& own) {
    std::vector<std::vector<basis::Segment>> all;
    for (const Length& length : lengths) {
        if (!length.cut) {
            all.push_back({{0, 0, 0, length.cells}});
            continue;
        }
        const basis::CutAxis& cut = blocks.axes[*length.cut];
        const int block = own.at(*length.cut);
        all.push_back(basis::segments_of(cut, block));
        if (length.renewed) continue;
        const basis::BlockPart part = basis::part_of(cut, block);
        all.back() = {{block, part.low, part.low, part.own}};
    }
    return all;
}

/// Calls `visit` with every box but the block's own: a segment an axis, and the rank that has it.
void each_box(const std::vector<Length>& lengths, const basis::Blocks& blocks, int rank,
              const std::function<void(const std::vector<basis::Segment>&, int)>& visit) {
    const std::vector<int> own = blocks.of_rank(rank);
    const auto all = segments(lengths, blocks, own);
    std::vector<basis::Segment> box(all.size());
    std::vector<int> holder = own;
    const std::function<void(std::size_t)> along = [&](std::size_t k) {
        if (k == all.size()) {
            if (const int other = blocks.rank_of(holder); other != rank) visit(box, other);
            return;
        }
        for (const basis::Segment& segment : all[k]) {
            box[k] = segment;
            if (lengths[k].cut) holder[*lengths[k].cut] = segment.block;
            along(k + 1);
        }
    };
    along(0);
}

/// The box in the array of who needs it, or of who has it: rows along the first two axes.
void add_pieces(const std::vector<Length>& lengths, const std::vector<basis::Segment>& box, bool there,
                std::uint64_t cell_bytes, BlockPiece piece, std::vector<BlockPiece>& all) {
    std::vector<std::uint64_t> strides;
    std::uint64_t stride = cell_bytes;
    for (const Length& length : lengths) {
        strides.push_back(stride);
        stride *= static_cast<std::uint64_t>(length.cells);
    }
    for (std::size_t k = 0; k < box.size(); ++k)
        piece.at += strides[k] * static_cast<std::uint64_t>(there ? box[k].there : box[k].here);
    piece.bytes = cell_bytes * static_cast<std::uint64_t>(box[0].cells);
    if (box.size() > 1) {
        piece.rows = box[1].cells;
        piece.apart = static_cast<std::int64_t>(strides[1]);
    }
    const std::function<void(std::size_t)> planes = [&](std::size_t k) {
        if (k < 2) return all.push_back(piece);
        const std::uint64_t first = piece.at;
        for (long long i = 0; i < box[k].cells; ++i) {
            piece.at = first + strides[k] * static_cast<std::uint64_t>(i);
            planes(k - 1);
        }
        piece.at = first;
    };
    planes(box.size() - 1);  // the last axis outermost
}

}  // namespace

std::vector<BlockPiece> block_pieces(const Program& program, VariableId field, const std::vector<std::size_t>& places,
                                     const std::vector<long long>& extents, const basis::Blocks& blocks, int rank) {
    const std::vector<Length> lengths = lengths_of(program, field, places, extents, blocks);
    const auto bytes = static_cast<std::uint64_t>(cell_bytes(field_shape(program, field).type));
    std::vector<BlockPiece> all;
    for (int needs = 0; needs < blocks.count(); ++needs) {
        each_box(lengths, blocks, needs, [&](const std::vector<basis::Segment>& box, int has) {
            if (needs == rank) add_pieces(lengths, box, false, bytes, {has, false}, all);
            if (has == rank) add_pieces(lengths, box, true, bytes, {needs, true}, all);
        });
    }
    return all;
}

void Overlaps::renew(const TransformStatement& statement, std::byte* array) {
    const auto [known, added] = known_.try_emplace({statement.source, statement.axes});
    if (added)
        known->second = block_pieces(program_, statement.source, statement.axes, numbers_.extents(), run_.blocks,
                                     run_.processes.rank());
    std::vector<runtime::Message> messages;
    for (const BlockPiece& piece : known->second)
        messages.push_back({piece.other, piece.sends, array + piece.at, piece.bytes, piece.rows, piece.apart});
    messages_.exchange(messages, runtime::Pieces::many);
}

}  // namespace kasc::execute
