#include "model/field/pipeline_cost.hpp"

#include <algorithm>

#include "model/field/code_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Instructions of a row of a stage: tests, coordinates.
constexpr double row_instructions = 4;
/// Instructions of a read that may cross a face: the place that it sees; a choice between two planes.
constexpr double mapped_instructions = 3, chosen_instructions = 1;
/// Where threads have vectors: a number behind an odd mirror of the second axis, which is turned as it is read.
constexpr double turned_instructions = 3;

class StageCosts {
public:
    StageCosts(const PipelineWork& work, const Program& program, const Graph& graph, StatementCosts& costs)
        : work_(work), program_(program), graph_(graph), costs_(costs) {}

    [[nodiscard]] StageCost of(const PipelineStage& stage) const {
        StageCost cost;
        LibraryCalls calls(program_, graph_);
        for (const Evaluation& e : stage.cells.work->evaluations) {
            const FieldStatement& statement = field_update(graph_, e.call).statement;
            cost.slow_paths += costs_.of(statement).slow_paths;
            cost.flops += operation_count(*statement.value) - calls.done_before(e.call, e.offset);
        }
        cost.instructions += code_count(*stage.cells.work, costs_) + slow_path_instructions * cost.slow_paths;
        cost.instructions_of_vectors = cost.instructions;
        cost.instructions += row_instructions;
        for (const ValueAt& load : stage.cells.work->loads) count(stage, load, cost);
        return cost;
    }

private:
    const PipelineWork& work_;
    const Program& program_;
    const Graph& graph_;
    StatementCosts& costs_;

    [[nodiscard]] const Face& face(ValueId value, std::size_t axis, int step) const {
        return field_shape(program_, graph_.values[value].variable).faces[axis].crossed_by(step);
    }
    /// Along the walk. Beyond a face with a value whatever is read is not looked at.
    [[nodiscard]] PlanesRead planes_seen(ValueId value, int step) const {
        const BoundaryKind kind = face(value, work_.tiled(), step).kind;
        return kind == BoundaryKind::value ? PlanesRead{step, step} : planes_read(kind, step, false);
    }

    void count(const PipelineStage& stage, const ValueAt& load, StageCost& cost) const {
        const double bytes = bytes_of_cell(load.value, program_, graph_);
        const KeptPlanes* kept = work_.find(load.value);
        const bool beside = std::any_of(load.offset.begin(), load.offset.end() - 1, [](int step) { return step != 0; });
        const int age = kept != nullptr ? stage.extent.lag - kept->extent.lag - load.offset.back() : 0;
        const auto crosses = [&](std::size_t axis) {
            return may_cross_face(work_, stage, load.value, axis, load.offset[axis]);
        };
        if (kept != nullptr) {
            // Beyond a face it is one of several words: of a place that is made each time, or of each plane that it may
            // lie in.
            const std::size_t walk = work_.tiled();
            double words = 1;
            for (std::size_t axis = 0; axis < walk; ++axis)
                if (crosses(axis)) {
                    cost.instructions += mapped_instructions;
                    if (axis == 1 && face(load.value, axis, load.offset[axis]).odd)
                        cost.at_the_rim += turned_instructions;
                }
            if (crosses(walk)) {
                const PlanesRead planes = planes_seen(load.value, load.offset[walk]);
                const int chosen = planes.high - planes.low + 1;
                cost.planes_chosen = std::max(cost.planes_chosen, chosen);
                words = chosen;
            }
            cost.instructions += (words - 1) * chosen_instructions + (beside ? words * ring_instructions : 0);
            if (beside) cost.lines += words * lines_of(bytes);
            if (beside) {
                const int row = walk > 1 ? load.offset[1] : 0, step = load.offset[0];
                RowRead& read = cost.rows[{kept->value, row, age}];
                read.bytes = bytes, read.row = row;
                read.low = std::max(read.low, -step), read.high = std::max(read.high, step);
                if (crosses(0)) read.beyond = {std::max(read.beyond.low, -step), std::max(read.beyond.high, step)};
            }
            if (beside || age < kept->queue) return;
        }
        cost.lines += lines_of(bytes);
        cost.instructions += access_instructions;
        cost.instructions_of_vectors += kept != nullptr && kept->loaded ? 0 : access_instructions;
        cost.l2_bytes += bytes;
    }
};

}  // namespace

PipelineCost::PipelineCost(const PipelineWork& work, const Program& program, const Graph& graph, const Problem& problem,
                           StatementCosts& costs) {
    const StageCosts of_stages(work, program, graph, costs);
    for (const PipelineStage& stage : work.stages) stages.push_back(of_stages.of(stage));
    for (const KeptPlanes& kept : work.kept) bytes_of_kept.push_back(bytes_of_cell(kept.value, program, graph));
    for (const ValueId value : work.fusion.outputs) bytes_of_stores.push_back(bytes_of_cell(value, program, graph));
    for (const ValueId value : work.fusion.inputs) {
        if (work.find(value) != nullptr && work.find(value)->value == value) continue;
        other_bytes += bytes_of_cell(value, program, graph) *
                       words_read(value, work.fusion.calls, work.axes, program, graph, problem);
    }
}

}  // namespace kasc::model
