#include "execute/state_parts.hpp"

#include <algorithm>

namespace kasc::execute {

namespace {

constexpr std::int64_t most_at_once = std::int64_t{32} << 20U;

}  // namespace

void StateParts::give_inputs(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (slots_.input(i) != nullptr) order_.give(slots_.input_parts(i));
    }
}

ranks::Touch StateParts::bring_own(SlotId slot) {
    const std::vector<ranks::Touch> parts = slots_.slot_parts(slot);
    order_.each(parts);
    return parts.at(static_cast<std::size_t>(order_.here()));
}

void StateParts::look_through(SlotId slot, const ranks::Touch& part,
                              const std::function<bool(const std::byte*, std::uint64_t, std::size_t)>& look) {
    if (part.low >= part.high) return;
    if (slots_.is_padded(slot)) {
        std::vector<std::byte> all(slots_.packed_bytes(slot));
        slots_.download(all.data(), slot);
        static_cast<void>(look(all.data(), 0, all.size()));
        return;
    }
    std::vector<std::byte> some(static_cast<std::size_t>(std::min(most_at_once, part.high - part.low)));
    for (std::int64_t at = part.low; at < part.high; at += most_at_once) {
        const auto count = static_cast<std::size_t>(std::min(most_at_once, part.high - at));
        device_.download(some.data(), slots_.at(slot) + at, count);
        if (!device_.fault().empty() || !look(some.data(), static_cast<std::uint64_t>(at), count)) return;
    }
}

runtime::Digest StateParts::digest(SlotId slot) {
    const ranks::Touch own = bring_own(slot);
    return order_.digest([&](runtime::Digest& digest) {
        look_through(slot, own, [&](const std::byte* bytes, std::uint64_t, std::size_t count) {
            digest.add(bytes, count);
            return true;
        });
    });
}

Diagnostics StateParts::store(SlotId slot, runtime::ArrayFile& file, std::size_t array) {
    const ranks::Touch own = bring_own(slot);
    Diagnostics bad;
    look_through(slot, own, [&](const std::byte* bytes, std::uint64_t at, std::size_t count) {
        bad = file.write(array, at, bytes, count);
        return bad.empty();
    });
    return bad;
}

void StateParts::take(SlotId slot, const void* values) {
    if (!slots_.has_parts(slot)) {
        slots_.upload(slot, values);
        order_.give(
            std::vector<ranks::Touch>(static_cast<std::size_t>(order_.ranks()), slots_.known_as(slot).whole(true)));
        return;
    }
    const std::vector<ranks::Touch> parts = slots_.slot_parts(slot);
    const ranks::Touch& own = parts.at(static_cast<std::size_t>(order_.here()));
    if (own.low < own.high)
        device_.upload(slots_.at(slot) + own.low, static_cast<const std::byte*>(values) + own.low,
                       static_cast<std::uint64_t>(own.high - own.low));
    order_.give(parts);
}

}  // namespace kasc::execute
