#include "model/field/words_of_cells.hpp"

#include <algorithm>
#include <cmath>

#include "model/constants.hpp"

namespace kasc::model {

namespace {

/// Cells of a block beside each other in memory: rows that it has whole go on in the next.
double cells_beside_each_other(const std::vector<double>& tile, const std::vector<double>& extents) {
    double cells = 1;
    for (std::size_t k = 0; k < tile.size(); ++k) {
        cells *= std::min(tile[k], extents[k]);
        if (tile[k] < extents[k]) break;
    }
    return cells;
}

}  // namespace

double torn_bytes(const FieldFacts& facts, const std::vector<double>& tile, int rows) {
    if (facts.extents.size() < 2) return 0;
    double bytes = 0;
    for (const FieldFacts::Stored& store : facts.stores) {
        const double cell = 4 * store.words;
        if (std::fmod(facts.extents[0] * cell, l2_sector_bytes) == 0) continue;
        const double piece = cells_beside_each_other(tile, facts.extents) * cell;
        bytes += store.bytes * std::min(1.0, 2 * l2_sector_bytes / piece);
    }
    return torn_sectors * static_cast<double>(facts.stores.size()) * (1 + std::log2(rows)) * bytes;
}

StagedCost staged_cost(const StagedParts& staged, const block::BlockProgram& block) {
    StagedCost all;
    for (std::size_t k = 0; k < staged.fields.size(); ++k) {
        const block::Region& region = block.regions[k];
        const double place = region.pitch.padding > 0 ? staged_place_instructions : 0;
        all.instructions += staged.fields[k].words * (staged_instructions + place);
        all.words += staged.fields[k].words * region.word_bytes / 4.0;
    }
    return all;
}

double held_by_all_results(const FieldFacts& facts, const ThreadCounts& thread, double cells) {
    constexpr double many = 8;
    double held = 0;
    if (facts.calls_of_all_words >= many)
        held = thread.words + cells * std::min(facts.calls_of_all_words, static_cast<double>(facts.stores.size()));
    if (facts.taken_by_call >= many) held = std::max(held, 2 * facts.taken_by_call * cells);
    return held;
}

}  // namespace kasc::model
