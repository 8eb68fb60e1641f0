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

/// Visits the sets of all steps that touch the value by a function of the library.
template <class Visit>
void each_set(std::vector<Step>& steps, ValueId value, Visit visit) {
    for (Step& step : steps) {
        if (step.staged_words > 0) continue;
        for (std::size_t k = 0; k < step.reads.size(); ++k)
            if (step.reads[k] == value) visit(step.read_sets[k]);
        if (step.writes == value) visit(*step.write_set);
    }
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

std::string pad_tiles(const StreamTask& task, std::map<ValueId, ValueResidence>& residence, std::vector<Step>& steps) {
    const int padding = task.choice.padding;
    if (padding == 0) return {};
    bool any = false;
    for (auto& entry : residence) {
        const ValueId value = entry.first;
        ValueResidence& lies = entry.second;
        const int element_words = task.values.at(value).words;
        if (lies.where != Residence::shared || !padding_helps(element_words, padding)) continue;
        bool fits = true;
        each_set(steps, value, [&](AddressSet& set) { fits = fits && stays_in_an_element(set, element_words); });
        if (!fits) continue;
        any = true;
        lies.pitch = {element_words, padding};
        lies.words = task.choice.elements * (element_words + padding);
        each_set(steps, value, [&](AddressSet& set) {
            for (std::int32_t& start : set.start) start = lies.pitch.at(start);
        });
        for (Step& step : steps) {
            const bool touches = step.writes == value || (!step.reads.empty() && step.reads.front() == value);
            if (step.staged_words > 0 && touches) step.staged_pitch = lies.pitch;
        }
    }
    return any ? std::string() : "no tile takes padding";
}

}  // namespace kasc
