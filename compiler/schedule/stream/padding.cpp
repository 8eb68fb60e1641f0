// Tiles with a few words of padding after each element.
//
//   matrix4x4, thread t takes words 16 t … 16 t + 15    all starts in banks 0 and 16: 16 passes a word
//   with one word of padding                            17 t: every bank once
//   with four                                           20 t: 16-byte accesses of 8 threads meet every bank once
//
// A function computes addresses from the start that the metadata give: moving the start moves all that a thread
// touches. So a tile can be spread where every thread stays within one element in every function that touches it.

#include <algorithm>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

/// Visits what functions of the library touch of the region.
template <class Visit>
void each_touch(block::BlockProgram& block, std::size_t region, Visit visit) {
    for (block::Step& step : block.steps)
        for (block::Touch& touch : step.touches)
            if (touch.region == region && touch.words != nullptr) visit(touch);
}

bool stays_in_an_element(const AddressSet& set, int element_words) {
    if (set.offsets.empty()) return true;
    return std::all_of(set.start.begin(), set.start.end(), [&](std::int32_t start) {
        const std::int32_t element = start / element_words;
        return (start + set.offsets.front()) / element_words == element &&
               (start + set.offsets.back()) / element_words == element;
    });
}

}  // namespace

std::string pad_tiles(const StreamTask& task, block::BlockProgram& block) {
    const int padding = task.choice.padding;
    if (padding == 0) return {};
    bool any = false;
    std::size_t number = 0;
    for (const auto& entry : task.values) {
        const std::size_t at = number++;
        block::Region& region = block.regions[at];
        const int element_words = entry.second.words;
        if (region.where != Residence::shared || !padding_helps(element_words, padding)) continue;
        bool fits = true;
        each_touch(block, at,
                   [&](const block::Touch& touch) { fits = fits && stays_in_an_element(*touch.words, element_words); });
        if (!fits) continue;
        any = true;
        region.pitch = {element_words, padding};
        region.words = task.choice.elements * (element_words + padding);
        each_touch(block, at, [&](block::Touch& touch) {
            AddressSet spread = *touch.words;
            for (std::int32_t& start : spread.start) start = region.pitch.at(start);
            touch.words = std::make_shared<const AddressSet>(std::move(spread));
        });
    }
    return any ? std::string() : "no tile takes padding";
}

}  // namespace kasc
