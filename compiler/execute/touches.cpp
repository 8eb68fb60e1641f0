// Blocks 4 … 7 of tiles of 4 planes, whose reach is 1, of T over 64 planes of 1 MB:
//
//   reads    planes 15 … 32      bytes 15 MB … 33 MB
//   stores   planes 16 … 31      bytes 16 MB … 32 MB
//
// In movie[x, y, z, t = n] the same within the bytes of row n.
#include "execute/touches.hpp"

#include <algorithm>
#include <stdexcept>

#include "execute/launch_values.hpp"
#include "execute/listed_planes.hpp"

namespace kasc::execute {

namespace {

using ranks::Touch;

/// An array's part that a kernel touches, before its blocks are looked at: all of it, or one place of its last axes.
struct Room {
    const void* array;
    std::int64_t first, bytes, held, plane;
};

class Touches {
public:
    Touches(const TouchedLaunch& launch, const ranks::GridShare* share)
        : launch_(launch), share_(share), span_(span_numbers(launch.kernel, launch.numbers)) {}

    std::vector<Touch> run() {
        for (const kernel::Parameter& p : launch_.kernel.parameters) {
            if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source)) touch(in->value, false);
            if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source)) touch(out->value, true);
        }
        return std::move(all_);
    }

private:
    const TouchedLaunch& launch_;
    const ranks::GridShare* share_;
    const std::optional<ranks::SpanNumbers> span_;
    std::vector<Touch> all_;

    [[nodiscard]] Room room_of(ValueId value) const {
        const SlotId slot = launch_.step.arrays.at(value);
        const VariableId variable = launch_.plan.slots[slot].variable;
        const SlotBytes of = launch_.bytes_of(slot);
        Room room{of.array, of.first, of.bytes, of.held, 0};
        std::size_t left = 0;
        if (const auto* field = std::get_if<FieldShape>(&launch_.program.variables[variable].shape)) {
            left = field->axes.size();
            const auto& placed = launch_.kernel.placed;
            const auto at = std::find_if(placed.begin(), placed.end(), [&](const auto& a) { return a.value == value; });
            if (at != placed.end()) {
                for (const ExpressionRef& position : at->at) {
                    room.bytes = left == 1 ? static_cast<std::int64_t>(cell_bytes(field->type))
                                           : room.bytes / launch_.numbers.extent(field->axes[left - 1]);
                    room.first += launch_.numbers.integer(*position) * room.bytes;
                    --left;
                }
            }
            // Rows of one axis may have room behind them.
            room.plane = left == 0   ? room.bytes
                         : left == 1 ? static_cast<std::int64_t>(cell_bytes(field->type))
                                     : room.bytes / launch_.numbers.extent(field->axes[left - 1]);
        } else {
            room.plane = room.bytes / launch_.numbers.elements();
        }
        return room;
    }

    void add(const Room& room, bool writes, std::int64_t low, std::int64_t high) {
        low = room.first + std::clamp(low, std::int64_t{0}, room.bytes);
        high = room.first + std::clamp(high, std::int64_t{0}, room.bytes);
        low = std::max(low, std::int64_t{0}), high = std::min(high, room.held);
        if (low < high) all_.push_back({room.array, writes, low, high});
    }

    void touch(ValueId value, bool writes) {
        const Room room = room_of(value);
        const auto& span = launch_.kernel.span;
        const bool near = span && span->is_near(value), around = span && span->is_around(value),
                   by_block = span && span->is_by_block(value), at_first = span && writes && span->is_at_first(value);
        if (share_ != nullptr && launch_.lists != nullptr) {
            if (const auto* planes = launch_.lists->of(launch_.kernel, value))
                return touch_listed(room, *planes, writes);
        }
        if (share_ == nullptr || (!near && !around && !by_block && !at_first)) return add(room, writes, 0, room.bytes);
        const long long first = share_->first[span_->along], blocks = share_->blocks[span_->along];
        if (blocks == 0) return;
        if (at_first) return first == 0 ? add(room, true, 0, room.bytes) : void();
        if (by_block) return add(room, writes, first * room.plane, (first + blocks) * room.plane);
        const ranks::CellRange own = ranks::cells_of(*span_, first, blocks);
        // What a kernel updates in place it may read beside its cells.
        near ? read_near(room, own, launch_.used ? span->used_reach(value) : span->reach) : read_around(room, own);
        if (!writes) return;
        if (!span_->numbered) return add(room, true, own.low * room.plane, own.high * room.plane);
        const std::int64_t cell = room.plane / span_->blocks;
        add(room, true, first * span_->cells * cell, (first + blocks) * span_->cells * cell);
    }

    void touch_listed(const Room& room, const ListedPlanes::ByBlock& planes, bool writes) {
        const long long first = share_->first[span_->along], blocks = share_->blocks[span_->along];
        for (const ranks::CellRange& range : ranks::planes_of(planes, first, blocks))
            add(room, writes, range.low * room.plane, range.high * room.plane);
    }
    void read_near(const Room& room, const ranks::CellRange& own, long long reach) {
        add(room, false, (own.low - reach) * room.plane, (own.high + reach) * room.plane);
    }
    /// Cells beyond an end may have looked in both directions before they came round.
    void read_around(const Room& room, const ranks::CellRange& own) {
        const long long low = own.low - 2 * span_->reach, high = own.high + 2 * span_->reach, all = span_->extent;
        if (high - low >= all) return add(room, false, 0, room.bytes);
        add(room, false, low * room.plane, high * room.plane);
        if (low < 0) add(room, false, (low + all) * room.plane, room.bytes);
        if (high > all) add(room, false, 0, (high - all) * room.plane);
    }
};

}  // namespace

std::optional<ranks::SpanNumbers> span_numbers(const kernel::Kernel& kernel, const Numbers& numbers) {
    if (!kernel.span) return std::nullopt;
    const kernel::BlockSpan& span = *kernel.span;
    const auto number = [&](const kernel::ExprRef& e) { return number_of(kernel, e, numbers); };
    return ranks::SpanNumbers{span.along, number(span.cells), number(span.blocks), numbers.extent(span.axis),
                              span.reach, span.numbered};
}

long long planes_of(const Program& program, const Numbers& numbers, VariableId variable) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    if (field == nullptr) return numbers.elements();
    return field->axes.empty() ? 1 : numbers.extent(field->axes.back());
}

std::int64_t bytes_of_plane(const Program& program, const Numbers& numbers, VariableId variable, std::int64_t bytes) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    // Rows of one axis may have room behind them.
    if (field != nullptr && field->axes.size() == 1) return static_cast<std::int64_t>(cell_bytes(field->type));
    return bytes / planes_of(program, numbers, variable);
}

std::vector<ranks::Touch> touches(const TouchedLaunch& launch, const ranks::GridShare* share) {
    return Touches(launch, share).run();
}

}  // namespace kasc::execute
