// A group loads its own words at once, and what lies beside them on either side; words in a queue were loaded in the
// planes before, but for the last. Four cells that read u at -1, 0 and +1: three loads.
#include "model/field/loads.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "model/field/warp.hpp"

namespace kasc::model {

std::vector<double> positions_of(const FieldRead& read) {
    std::vector<double> positions;
    for (const FieldIndex& index : read.indices) {
        const auto* absolute = std::get_if<Absolute>(&index);
        const auto* number = absolute ? std::get_if<Literal>(&absolute->position->node) : nullptr;
        if (number) positions.push_back(number->value);
    }
    return positions;
}

namespace {

bool in_queue(const ColumnParts* column, const FieldRead& read, const CellPlace& at) {
    if (column == nullptr) return false;
    return std::any_of(column->queues.begin(), column->queues.end(), [&](const ColumnQueue& q) {
        const int row = at.size() > 2 ? sum(at[1]) : 0;
        return q.row == row && at.front().empty() && reads_alike(*q.read, read);
    });
}

/// Where a thread loads.
struct Place {
    std::array<int, most_axes> at{};  ///< and beside a group which side
    std::vector<double> word{};       ///< of a cell: positions of the text
    [[nodiscard]] bool operator<(const Place& other) const {
        return std::tie(at, word) < std::tie(other.at, other.word);
    }
    bool operator==(const Place&) const = default;
};

/// Words of all cells of a thread, of those beside a group no more than are read.
double words_of_thread(const FieldSchedule& schedule) {
    const CellProgram& cells = *schedule.paths.cells;
    std::map<std::pair<ValueId, Place>, double> words;
    for (const CellValue& value : cells.values) {
        if (value.read == nullptr || same_for_all(value.read->indices)) continue;
        Place at{{}, positions_of(*value.read)};
        const CellPlace& place = cells.at(value);
        for (std::size_t k = 0; k < place.size(); ++k) at.at.at(k) = sum(place[k]);
        const int beside = cells.view.group ? std::max(0, -value.low) + std::max(0, value.high) : 0;
        double& most = words[{value.value, at}];
        most = std::max<double>(most, schedule.choice.vector + beside);
    }
    double all = 0;
    for (const auto& [of, count] : words) all += count;
    return all;
}

/// Words that all cells read, beyond one of each field. They lie in the cache of each multiprocessor, a pass each.
double words_of_all_cells(const CellProgram& cells) {
    std::set<std::pair<ValueId, std::vector<double>>> words;
    std::set<ValueId> fields;
    for (const CellValue& value : cells.values) {
        if (value.read == nullptr || value.read->indices.empty() || !same_for_all(value.read->indices)) continue;
        words.emplace(value.value, positions_of(*value.read));
        fields.insert(value.value);
    }
    return static_cast<double>(words.size() - fields.size());
}

}  // namespace

Loads count_loads(const FieldSchedule& schedule, const FieldFacts& facts) {
    const CellProgram& cells = *schedule.paths.cells;
    const int vector = schedule.choice.vector;
    const auto* column = schedule.kept<ColumnParts>();
    const auto* warp = schedule.kept<WarpParts>();
    std::vector<std::pair<ValueId, Place>> loads;
    for (const CellValue& value : cells.values) {
        if (value.read == nullptr) continue;
        const CellPlace& place = cells.at(value);
        if (value.whole && warp != nullptr && holds(*warp, *value.read, sums(place))) continue;
        Place at;
        if (!same_for_all(value.read->indices)) at.word = positions_of(*value.read);
        for (std::size_t k = 0; k < place.size(); ++k) at.at.at(k) = sum(place[k]);
        const bool queued = in_queue(column, *value.read, place);
        Place own = at;
        if (queued) own.at.at(place.size() - 1) = 0;
        if (!cells.view.group) {
            loads.emplace_back(value.value, own);
            continue;
        }
        // Whole groups on either side, or words.
        const int before = vector > 1 ? (std::max(0, -value.low) + vector - 1) / vector : -value.low;
        const int behind = vector > 1 ? (std::max(0, value.high) + vector - 1) / vector : value.high;
        for (int piece = -before; piece <= behind; ++piece) {
            Place beside = at;
            beside.at.front() = piece;
            if (piece != 0) loads.emplace_back(value.value, beside);
        }
        if (value.own) loads.emplace_back(value.value, own);
    }
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    Loads counts;
    for (const ReadValue& read : facts.reads) {
        const auto [first, last] = std::equal_range(loads.begin(), loads.end(), std::pair{read.value, Place{}},
                                                    [](const auto& a, const auto& b) { return a.first < b.first; });
        counts.push_back(static_cast<double>(last - first));
    }
    return counts;
}

namespace {

/// What a thread computes of each call: for several of its cells once, what a call makes at others' cells.
std::vector<double> made_by_thread(const FieldSchedule& schedule, const FieldFacts& facts) {
    const CellProgram& cells = *schedule.paths.cells;
    const int vector = schedule.choice.vector;
    std::vector<double> made(facts.of_call.size(), 0);
    for (const std::uint32_t k : cells.computed) {
        const CellValue& value = cells.values[k];
        made[value.call] += cells.view.group ? vector + value.high - value.low : vector;
    }
    return made;
}

}  // namespace

ThreadCounts count_thread(const FieldSchedule& schedule, const FieldFacts& facts) {
    const FieldChoice& choice = schedule.choice;
    ThreadCounts counts{count_loads(schedule, facts), 0, 0, words_of_thread(schedule),
                        words_of_all_cells(*schedule.paths.cells)};
    const std::vector<double> made = made_by_thread(schedule, facts);
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (facts.evaluations[k] > 0)
            counts.computing += facts.of_call[k] / facts.evaluations[k] * made[k] / (choice.vector * choice.rows);
        counts.slow_ns += made[k] * facts.slow_ns[k];
    }
    return counts;
}

}  // namespace kasc::model
