// Neighbours come from the threads beside, so that threads at a warp's ends hold cells for the others alone, which the
// warps beside it compute:
//
//   reach -1 … +1, one cell a thread     thread 0   1 … 30   31        before 1, after 1, cells 30
//                                        holds  29  30 … 59  60        of the warp that computes 30 … 59
#include "schedule/field/walk/warp.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/field/walk/walk.hpp"

namespace kasc {

WarpPiece warp_piece(const FieldWork& work, const FieldChoice& choice) {
    const auto threads = [&](int reach) { return (reach + choice.vector - 1) / choice.vector; };
    WarpPiece piece{threads(work.reach_low[0]), threads(work.reach_high[0]), 0};
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

bool has_words_to_exchange(const FieldWork& work, const Program& program, const Graph& graph) {
    return std::any_of(work.loads.begin(), work.loads.end(), [&](const ValueAt& load) {
        const FieldShape& shape = field_shape(program, graph.values[load.value].variable);
        return !load.offset.empty() && load.offset[0] != 0 && shape.axes == work.plan.axes;
    });
}

namespace {

/// Rows come in one by one; a thread takes words of the rows from the threads beside it, computes, and the rows move
/// on.
class Warp : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t axes) const override {
        if (axes < 2 || axes > 3) return "a warp walks along rows of planes: two or three axes";
        if (c.threads_x % warp_threads != 0)
            return fmt::format("a block of warps has multiples of {} threads", warp_threads);
        if (c.threads_y != 1 || c.threads_z != 1) return "warps that walk along rows stand side by side on one";
        if (c.rows != 1) return "a warp walks along the rows";
        if (c.neighbours != Neighbours::registers) return "a warp has neighbours in the registers of its threads";
        if (c.borders != Borders::cell) return "threads of a warp exchange words before each tests its own cells";
        return unroll_fault(c);
    }
    std::string fault(const FieldChoice& choice, const FieldWork& work, const FusionFaults& faults) const override {
        for (const std::string* fault : {&faults.groups, &faults.side_by_side, &faults.warps}) {
            if (!fault->empty()) return *fault;
        }
        if (!faults.exchanges) return "no cell beside is read: a warp has nothing to exchange";
        return warp_piece(work, choice).cells == 0 ? "more than half of a warp would compute nothing" : "";
    }
    bool groups(const FieldChoice&) const override { return true; }

    WalkParts parts(const FieldSchedule& schedule, const Program& program, const Graph& graph) const override {
        return WarpParts{warp_piece(*schedule.work, schedule.choice),
                         warp_rows(*schedule.paths.cells, schedule.axes(), program, graph)};
    }

    BlockCells cells(const FieldSchedule& schedule) const override {
        BlockCells cells = FieldWalk::cells(schedule);
        cells.along[0] = schedule.kept<WarpParts>()->piece.cells * (schedule.choice.threads_x / warp_threads);
        cells.along[1] = schedule.choice.chunk;
        return cells;
    }

    block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                              const Graph& graph) const override {
        using block::StepKind;
        block::BlockProgram made;
        bool queued = false;
        for (const WarpRows& field : schedule.kept<WarpParts>()->fields) {
            made.regions.push_back(region_of(field, schedule, program, graph));
            queued = queued || field.rows.size() > 1;
        }
        if (queued) made.steps.push_back({StepKind::copy, "rows", "the rows", "filled"});
        made.steps.push_back({StepKind::loop_begin, "", "", "", {}, true, schedule.choice.chunk});
        if (!made.regions.empty()) {
            made.steps.push_back({StepKind::copy, "row", "the row", "filled"});
            made.steps.push_back({StepKind::exchange, "beside", "the exchange", "exchanged"});
        }
        made.steps.push_back(cells_step());
        made.steps.push_back({StepKind::loop_end});
        return made;
    }

private:
    /// All rows of a field at one z, with the words beside them.
    static block::Region region_of(const WarpRows& field, const FieldSchedule& schedule, const Program& program,
                                   const Graph& graph) {
        const Variable& variable = program.variables[graph.values[field.read->value].variable];
        int words = 0;
        for (const WarpRow& row : field.rows) words += row.low + schedule.choice.vector + row.high;
        return {variable.name + "_rows", block::Residence::registers, words, 1,
                static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type))};
    }
};

}  // namespace

const FieldWalk& warp_walk() {
    static const Warp walk;
    return walk;
}

}  // namespace kasc
