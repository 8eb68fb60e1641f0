#include "schedule/field/warp.hpp"

#include <algorithm>

namespace kasc {

WarpPiece warp_piece(const FieldSchedule& schedule, const FieldChoice& choice) {
    const auto threads = [&](int reach) { return (reach + choice.vector - 1) / choice.vector; };
    WarpPiece piece{threads(schedule.reach_low[0]), threads(schedule.reach_high[0]), 0};
    const int computing = warp_threads - piece.before - piece.after;
    // With half of its threads it moves less than a grid whose threads read each neighbour.
    if (computing >= warp_threads / 2) piece.cells = computing * choice.vector;
    return piece;
}

std::vector<WarpRow> passing_rows(std::vector<WarpRow> read) {
    std::sort(read.begin(), read.end(), [](const WarpRow& a, const WarpRow& b) { return a.y < b.y; });
    std::vector<WarpRow> all;
    for (const WarpRow& row : read) {
        while (!all.empty() && all.back().y + 1 < row.y) all.push_back({all.back().y + 1});
        all.push_back(row);
    }
    const auto takes = [](int words, int next) { return words > next; };
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool last = k + 1 == all.size();
        all[k].takes_low = takes(all[k].low, last ? 0 : all[k + 1].low);
        all[k].takes_high = takes(all[k].high, last ? 0 : all[k + 1].high);
    }
    return all;
}

std::vector<WarpRows> warp_rows(const CellProgram& cells, const std::vector<AxisId>& axes, const Program& program,
                                const Graph& graph) {
    const auto of_grid = [&](const FieldRead& read) {
        return field_shape(program, graph.values[read.value].variable).axes == axes && moves_everywhere(read.indices);
    };
    std::vector<WarpRows> all;
    for (const CellValue& v : cells.values) {
        if (v.read == nullptr || !v.whole || !of_grid(*v.read)) continue;
        const std::vector<int> at = sums(cells.at(v));
        const int z = at.size() > 2 ? at[2] : 0;
        auto rows = std::find_if(all.begin(), all.end(),
                                 [&](const WarpRows& r) { return r.read->value == v.read->value && r.z == z; });
        if (rows == all.end()) rows = all.insert(all.end(), WarpRows{v.read, z, {}});
        rows->rows.push_back({at[1], std::max(-v.low, 0), std::max(v.high, 0)});
    }
    std::erase_if(all, [](const WarpRows& r) {
        return r.rows.size() < 2 && r.rows.front().low == 0 && r.rows.front().high == 0;
    });
    for (WarpRows& r : all) r.rows = passing_rows(std::move(r.rows));
    return all;
}

bool has_words_to_exchange(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    return std::any_of(schedule.loads.begin(), schedule.loads.end(), [&](const ValueAt& load) {
        const FieldShape& shape = field_shape(program, graph.values[load.value].variable);
        return !load.offset.empty() && load.offset[0] != 0 && shape.axes == schedule.axes;
    });
}

}  // namespace kasc
