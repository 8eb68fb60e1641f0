// Every thread may fill any word of a tile, and read the box of words around its cells: which of them depends on
// boundaries and on what is computed, and a barrier that stands for all of them is the same.
#include "schedule/field/barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "frontend/reduction.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

namespace {

constexpr int halves = 2;  // of a column's tiles: one is filled while the other is read

class TileSteps {
public:
    TileSteps(const FieldSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule), program_(program), graph_(graph) {}

    FieldBarriers run() {
        for (const SharedTile& tile : schedule_.tiles) boxes_.push_back(box(tile));
        if (schedule_.choice.walk != Walk::column) {
            add_plane(0);
        } else {
            mark(block::StepMark::loop_begin);
            for (int half = 0; half < halves; ++half) add_plane(half);
            mark(block::StepMark::loop_end);
        }
        const auto filling = [this](std::size_t k) { return made_.steps[k] == SharedStepKind::fill; };
        const block::StepTexts texts{[&](std::size_t k) { return filling(k) ? "fill" : "cells"; },
                                     [&](std::size_t k) { return filling(k) ? "the fill" : "each cell"; },
                                     [&](std::size_t k) { return filling(k) ? "filled" : "computed"; },
                                     [&](std::size_t, std::size_t touch) {
                                         const VariableId variable =
                                             graph_.values[schedule_.tiles[touch].value].variable;
                                         return program_.variables[variable].name + "_tile";
                                     }};
        made_.decisions = block::decide_barriers(steps_, false, texts);
        return std::move(made_);
    }

private:
    const FieldSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    std::deque<AddressSet> boxes_;  ///< by tile, of each thread
    std::vector<block::SharedStep> steps_;
    FieldBarriers made_;

    void add(SharedStepKind kind, block::SharedStep step) {
        made_.steps.push_back(kind);
        steps_.push_back(std::move(step));
    }
    void mark(block::StepMark mark) { add(SharedStepKind::loop, {mark, true, {}}); }

    void add_plane(int half) {
        block::SharedStep fill, cells;
        int begin = 0;
        for (std::size_t k = 0; k < schedule_.tiles.size(); ++k) {
            const SharedTile& tile = schedule_.tiles[k];
            const int first = begin + half * tile.words;
            const int row = tile.low.front() + schedule_.choice.tile(0) + tile.high.front();
            const TilePitch pitch{row, tile.cells.front() - row};
            const int copied = tile.words / tile.cells.front() * row;
            fill.touches.push_back({first, first + tile.words, nullptr, nullptr, copied, pitch, true});
            if (is_one_thread()) fill.touches.back() = {first, first + tile.words, &boxes_[k], nullptr, 0, {}, true};
            cells.touches.push_back({first, first + tile.words, &boxes_[k], nullptr, 0, {}, false});
            begin += halves * tile.words;
        }
        add(SharedStepKind::fill, std::move(fill));
        add(SharedStepKind::cells, std::move(cells));
    }

    /// It fills the words that it reads.
    [[nodiscard]] bool is_one_thread() const {
        return schedule_.choice.threads_x * schedule_.choice.threads_y * schedule_.choice.threads_z == 1;
    }

    [[nodiscard]] AddressSet box(const SharedTile& tile) const {
        const FieldChoice& choice = schedule_.choice;
        const std::array<int, 3> own{choice.vector, choice.rows, 1};
        const std::array<int, 3> threads{choice.threads_x, choice.threads_y, choice.threads_z};
        const auto axes = static_cast<int>(tile.cells.size());
        const auto cells = [&](int k) { return k < axes ? tile.cells[static_cast<std::size_t>(k)] : 1; };
        const auto around = [&](int k) {
            const auto axis = static_cast<std::size_t>(k);
            return k < axes ? own[axis] + tile.low[axis] + tile.high[axis] : 1;
        };
        const auto word = [&](int x, int y, int z) { return (z * cells(1) + y) * cells(0) + x; };
        AddressSet set;
        for (int z = 0; z < threads[2]; ++z)
            for (int y = 0; y < threads[1]; ++y)
                for (int x = 0; x < threads[0]; ++x) set.start.push_back(word(x * own[0], y * own[1], z));
        for (int z = 0; z < around(2); ++z)
            for (int y = 0; y < around(1); ++y)
                for (int x = 0; x < around(0); ++x) set.offsets.push_back(word(x, y, z));
        return set;
    }
};

/// Each lane has a word; in each step of the tree the lower half of them reads the upper half's. Where the last steps
/// are exchanges, every thread takes its own word to them; where all are, none has a word here.
FieldBarriers fold_steps(const Fold& fold, const FieldChoice& choice) {
    if (joins_in_warps(fold, choice, fold.lanes / 2)) return {};
    const int results = fold_threads / fold.lanes;
    const bool lanes_first = fold.lanes != column_lanes;
    std::deque<AddressSet> sets;
    std::deque<std::vector<int>> threads;
    std::vector<block::SharedStep> steps;
    FieldBarriers made;
    const auto words = [&](std::vector<int> offsets, int lanes) {
        AddressSet set;
        set.offsets = std::move(offsets);
        std::vector<int> own;
        for (int t = 0; t < fold_threads; ++t)
            if ((lanes_first ? t % fold.lanes : t / results) < lanes) own.push_back(t);
        set.start = own;
        sets.push_back(std::move(set));
        threads.push_back(std::move(own));
        return block::SharedTouch{0, fold_threads, &sets.back(), &threads.back(), 0, {}, false};
    };
    const auto add = [&](SharedStepKind kind, std::vector<block::SharedTouch> touches, bool writes) {
        if (writes) touches.back().writes = true;
        made.steps.push_back(kind);
        steps.push_back({block::StepMark::none, false, std::move(touches)});
    };
    add(SharedStepKind::fold, {words({0}, fold.lanes)}, true);
    for (int half = fold.lanes / 2; half > 0 && !joins_in_warps(fold, choice, half); half /= 2)
        add(SharedStepKind::join, {words({0, half * (lanes_first ? 1 : results)}, half), words({0}, half)}, true);
    add(SharedStepKind::store, {words({0}, joins_in_warps(fold, choice, 1) ? fold.lanes : 1)}, false);
    const auto text = [&](const char* fold_text, const char* join, const char* store) {
        return [=, &made](std::size_t k) {
            const SharedStepKind kind = made.steps[k];
            return std::string(kind == SharedStepKind::fold ? fold_text : kind == SharedStepKind::join ? join : store);
        };
    };
    const block::StepTexts texts{text("fold", "join", "store"), text("the fold", "the join", "the store"),
                                 text("folded", "joined", ""),
                                 [](std::size_t, std::size_t) { return std::string("lanes"); }};
    made.decisions = block::decide_barriers(steps, false, texts);
    return made;
}

}  // namespace

const BarrierDecision* FieldBarriers::before(SharedStepKind kind, std::size_t number) const {
    for (const BarrierDecision& d : decisions) {
        const auto step = static_cast<std::size_t>(d.before);
        if (!d.needed || step >= steps.size() || steps[step] != kind) continue;
        const bool in_loop = steps.front() == SharedStepKind::loop;
        const auto earlier = std::count(steps.begin(), steps.begin() + d.before, kind);
        if (in_loop || static_cast<std::size_t>(earlier) == number) return &d;
    }
    return nullptr;
}

int FieldBarriers::kept() const {
    return static_cast<int>(
        std::count_if(decisions.begin(), decisions.end(), [](const BarrierDecision& d) { return d.needed; }));
}

FieldBarriers field_barriers(const FieldSchedule& schedule, const Program& program, const Graph& graph) {
    if (const Fold* fold = fold_of(schedule, graph)) return fold_steps(*fold, schedule.choice);
    if (schedule.tiles.empty()) return {};
    return TileSteps(schedule, program, graph).run();
}

bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half) {
    return choice.walk != Walk::row && fold.lanes != column_lanes && half < warp_threads;
}

int barriers_of_a_block(const FieldSchedule& schedule) {
    const int kept = schedule.barriers.kept();
    return schedule.choice.walk == Walk::column ? kept * schedule.choice.chunk / halves : kept;
}

}  // namespace kasc
