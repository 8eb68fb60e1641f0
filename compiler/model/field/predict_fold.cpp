// A kernel that folds its cells reads them once, at the rate of memory, and stores a word a part and result. Its blocks
// are alive together: the loads that they have under way decide, as everywhere; the tree over lanes ends each block.

#include <algorithm>
#include <cmath>
#include <set>

#include "frontend/reduction.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Of a cell: its number, the loop of which four are unrolled, a conversion and a sum of doubles, which issue at half
/// the rate.
constexpr double fold_instructions = 8;
/// Of each folded axis beyond the first, where coordinates are carried along: sum, comparison, choice.
constexpr double carry_instructions = 4;
/// Loads of a thread that are under way (lower/walk/fold.cpp).
constexpr double fold_loads_ahead = 4;

class FoldDemand {
public:
    FoldDemand(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
               const Problem& problem)
        : schedule_(schedule),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem),
          statement_(field_update(graph, schedule.fusion().calls.front()).statement),
          fold_(*statement_.fold) {}

    Demand run() {
        for (const AxisId axis : schedule_.axes()) {
            if (axis != fold_.parts) cells_ *= extent(axis);
        }
        count_blocks();
        count_bytes();
        const bool row = schedule_.choice.walk == Walk::row;
        demand_.threads = row ? 1 : fold_threads;
        demand_.registers = base_registers + 12;
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        demand_.access_efficiency = author_access_efficiency;
        const NodeId call = schedule_.fusion().calls.front();
        const double before = LibraryCalls(program_, graph_).done_before(call, {});
        const double carries = fold_.axes.size() > 1 ? carry_instructions * static_cast<double>(fold_.axes.size()) : 0;
        demand_.instructions =
            cells_ * (instruction_count(*statement_.value) - before + fold_instructions + (row ? 0 : carries));
        demand_.flops = cells_ * (operation_count(*statement_.value) - before + 1);
        demand_.in_flight_bytes = loads_under_way * fold_loads_ahead * cell_bytes_ * demand_.threads;
        demand_.barriers = barriers_met(*schedule_.block);
        demand_.block_latency_ns = 2 * device_.memory_latency_ns + demand_.barriers * device_.barrier_ns;
        return demand_;
    }

private:
    const FieldSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
    const FieldStatement& statement_;
    const Fold& fold_;
    double cells_ = 1, cell_bytes_ = 0;
    Demand demand_;

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }

    void count_blocks() {
        bool first = true;
        for (const AxisId axis : schedule_.axes()) {
            if (std::find(fold_.axes.begin(), fold_.axes.end(), axis) != fold_.axes.end()) continue;
            const bool results = axis != fold_.parts && std::exchange(first, false);
            demand_.blocks *= results ? std::ceil(extent(axis) * fold_.lanes / fold_threads) : extent(axis);
        }
    }

    [[nodiscard]] double words_stored(ValueId value) const {
        double words = 1;
        for (const AxisId axis : field_shape(program_, graph_.values[value].variable).axes) {
            const bool walked =
                std::find(schedule_.axes().begin(), schedule_.axes().end(), axis) != schedule_.axes().end();
            if (walked) words *= extent(axis);
        }
        return words;
    }
    [[nodiscard]] double bytes_of_cell(ValueId value) const {
        return static_cast<double>(cell_bytes(field_shape(program_, graph_.values[value].variable).type));
    }

    void count_bytes() {
        std::set<ValueId> read;
        for (const ValueAt& load : schedule_.work->loads) read.insert(load.value);
        double read_bytes = 0;
        std::vector<AxisId> cells = schedule_.axes();
        std::erase_if(cells, [&](AxisId axis) { return axis == fold_.parts; });
        for (const ValueId value : read) {
            read_bytes +=
                bytes_of_cell(value) * words_read(value, schedule_.fusion().calls, cells, program_, graph_, problem_);
            cell_bytes_ += bytes_of_cell(value);
        }
        demand_.global_bytes = read_bytes;
        for (const FieldStore& store : schedule_.work->stores)
            demand_.global_bytes += bytes_of_cell(store.value) * words_stored(store.value);
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes / demand_.global_bytes : 1;
    }
};

}  // namespace

Prediction predict_fold(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                        const Problem& problem) {
    return predict(FoldDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
