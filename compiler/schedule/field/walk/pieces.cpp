// Each thread has a word of every cell to itself, in its warp's part of shared memory, adds every 32nd entry of the
// warp's piece to these words, and then joins the 32 words of some cells:
//
//   region  centre_pieces_lanes  8 warps × 16 cells × 32 words, shared
//   step 0  compute  the thread's words are set to zero, and entries added to them
//        1  store    words of a cell are joined by halves, and stored             barrier before
//
// Word (warp * cells + cell) * 32 + lane: threads of a warp never meet in a bank, whatever the labels are, and nothing
// is atomic.
#include "schedule/field/walk/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/list_entries.hpp"
#include "graph/field_target.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

/// Two such blocks are less than a multiprocessor has; devices of compute capability 7 and later give a block as much.
constexpr int most_bytes_of_lanes = 64 * 1024;
/// A thread adds one entry after the other, and has the loads of so many under way. Where lanes have words of many
/// cells few warps have room, which must ask for more.
constexpr std::array entries_under_way{8, 16};

class Pieces : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t axes) const override {
        if (axes == 0) return "there are no entries to go through";
        if (c.threads_y != 1 || c.threads_z != 1 || c.rows != 1 || c.vector != 1 ||
            c.neighbours != Neighbours::registers || c.borders != Borders::cell)
            return "entries of a piece are added one by one, each by the thread of its lane";
        if (c.walk == Walk::row) return c.threads_x == 1 ? "" : "a CPU's core adds the entries of a piece by itself";
        if (c.walk != Walk::histogram || c.threads_x % piece_lanes != 0 || c.chunk != piece_entries / piece_lanes)
            return "what adds entries in pieces has a warp for each";
        const bool may = c.unroll >= 1 && c.unroll <= entries_under_way.back();
        return may ? std::string() : fmt::format("a loop is unrolled 1 to {} times", entries_under_way.back());
    }
    int most_shared_bytes() const override { return most_bytes_of_lanes; }
    int threads(const FieldChoice& choice) const override { return choice.threads_x; }
    BlockCells cells(const FieldSchedule& schedule) const override {
        const std::size_t axes = schedule.axes().size();
        BlockCells cells{std::vector<int>(axes, 1), axes, 0};
        cells.along.front() = warps_of_pieces(schedule.choice) * piece_entries;
        return cells;
    }
    block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                              const Graph& graph) const override {
        using namespace block;
        BlockProgram made;
        Step add{StepKind::compute, "add", "each entry", "added to"}, store{StepKind::store, "store", "the store"};
        for (const LaneSums& sums : lane_sums_of(schedule.plan(), program)) {
            const std::string name = program.variables[graph.values[sums.call->value].variable].name;
            const int words = warps_of_pieces(schedule.choice) * sums.cells * piece_lanes;
            const auto all = [&](bool writes) { return Touch{made.regions.size(), 0, writes, {}, {}, words}; };
            // A thread by itself waits for no other.
            if (schedule.choice.walk != Walk::row)
                add.touches.push_back(all(true)), store.touches.push_back(all(false));
            made.regions.push_back({name + "_lanes", Residence::shared, words, 1,
                                    static_cast<int>(cell_bytes(sums.type)), "words of " + name + ", one a lane"});
        }
        made.steps = {std::move(add), std::move(store)};
        return with_barriers(std::move(made));
    }
};

}  // namespace

bool adds_in_pieces(const FieldPlan& plan) {
    return std::any_of(plan.calls.begin(), plan.calls.end(),
                       [](const FieldCall& call) { return makes_pieces(*call.statement); });
}

std::vector<LaneSums> lane_sums_of(const FieldPlan& plan, const Program& program) {
    std::vector<LaneSums> all;
    for (const FieldCall& call : plan.calls) {
        if (!call.statement->adding) continue;
        const FieldShape& shape = field_shape(program, call.statement->target);
        LaneSums sums{&call, shape.type, {}, 1};
        // The last axis of pieces is theirs.
        const std::size_t axes = shape.axes.size() - (makes_pieces(*call.statement) ? 1 : 0);
        for (std::size_t k = 0; k < axes; ++k) {
            if (!std::holds_alternative<Computed>(call.target[k])) continue;
            sums.labels.push_back(k);
            sums.cells *= static_cast<int>(declared_length(program.axes[shape.axes[k]]).value());
        }
        all.push_back(std::move(sums));
    }
    return all;
}

int warps_of_pieces(const FieldChoice& choice) { return choice.walk == Walk::row ? 1 : choice.threads_x / piece_lanes; }

std::vector<FieldChoice> choices_of_pieces(const FieldPlan& plan, const Program& program, bool cpu) {
    if (cpu) return {{Walk::row, 1, 1, 1, 1}};
    int bytes = 0;  // of a warp
    for (const LaneSums& sums : lane_sums_of(plan, program))
        bytes += sums.cells * piece_lanes * static_cast<int>(cell_bytes(sums.type));
    std::vector<FieldChoice> all;
    for (int warps = 8; warps > 0; warps /= 2) {
        if (warps > 1 && warps * bytes > most_bytes_of_lanes) continue;
        FieldChoice choice{Walk::histogram, warps * piece_lanes, 1, 1, piece_entries / piece_lanes};
        for (const int entries : entries_under_way) {
            choice.unroll = entries;
            all.push_back(choice);
        }
    }
    return all;
}

PieceAxes axes_of_pieces(const FieldPlan& plan) {
    const auto adds = std::find_if(plan.calls.begin(), plan.calls.end(),
                                   [](const FieldCall& call) { return makes_pieces(*call.statement); });
    PieceAxes axes;
    for (const AxisId axis : adds->statement->listed)
        axes.entries.push_back(
            static_cast<std::size_t>(std::find(plan.axes.begin(), plan.axes.end(), axis) - plan.axes.begin()));
    for (std::size_t k = 0; k < plan.axes.size(); ++k)
        if (std::find(axes.entries.begin(), axes.entries.end(), k) == axes.entries.end()) axes.others.push_back(k);
    return axes;
}

const FieldWalk& pieces_walk() {
    static const Pieces walk;
    return walk;
}

}  // namespace kasc
