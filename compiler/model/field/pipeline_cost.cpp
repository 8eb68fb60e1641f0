#include "model/field/pipeline_cost.hpp"

#include <algorithm>
#include <cmath>

#include "model/field/code_count.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Instructions of a row of a stage: tests, coordinates.
constexpr double row_instructions = 4;
/// Instructions of a read that may cross a face: the place that it sees; a choice between two planes.
constexpr double mapped_instructions = 3, chosen_instructions = 1;
/// The same where threads have vectors: the place along a row, beside choices between words at hand, each of which it
/// may be, and that in another row. The farther a read steps, the more there are, and of each row that is read as many:
/// 13 points between mirrors take 1.2 ms (two steps, 512³) in place of 0.7, 7 points 0.61 (three steps of doubles,
/// 384³), as without mirrors. One block a multiprocessor, and all wait for those at the rim.
constexpr double image_instructions = 2, image_row_instructions = 4;

class StageCosts {
public:
    StageCosts(const PipelineWork& work, const Program& program, const Graph& graph)
        : work_(work), program_(program), graph_(graph) {}

    [[nodiscard]] StageCost of(const PipelineStage& stage) const {
        StageCost cost;
        LibraryCalls calls(program_, graph_);
        for (const Evaluation& e : stage.cells.work->evaluations) {
            const FieldStatement& statement = field_update(graph_, e.call).statement;
            const Expression& value = *statement.value;
            cost.slow_paths += slow_paths(value);
            cost.flops += operation_count(value) - calls.done_before(e.call, e.offset);
        }
        cost.instructions += code_count(*stage.cells.work) + slow_path_instructions * cost.slow_paths;
        cost.instructions_of_vectors = cost.instructions;
        cost.instructions += row_instructions;
        for (const ValueAt& load : stage.cells.work->loads) count(stage, load, cost);
        return cost;
    }

private:
    const PipelineWork& work_;
    const Program& program_;
    const Graph& graph_;

    void count(const PipelineStage& stage, const ValueAt& load, StageCost& cost) const {
        const double bytes = bytes_of_cell(load.value, program_, graph_);
        const KeptPlanes* kept = work_.find(load.value);
        const bool beside = std::any_of(load.offset.begin(), load.offset.end() - 1, [](int step) { return step != 0; });
        const int age = kept != nullptr ? stage.extent.lag - kept->extent.lag - load.offset.back() : 0;
        if (kept != nullptr) {
            // Beyond a face it is one of several words: of a place that is made each time, or of each plane that it may
            // lie in.
            const std::size_t walk = work_.tiled();
            double words = 1;
            for (std::size_t axis = 0; axis < walk; ++axis)
                if (may_cross_face(work_, stage, load.value, axis, load.offset[axis])) {
                    cost.instructions += mapped_instructions;
                    const double farther = 2.0 * std::abs(load.offset[axis]) - 1;
                    cost.at_the_rim +=
                        axis == 0 ? image_instructions + farther * farther : image_row_instructions * farther;
                }
            if (may_cross_face(work_, stage, load.value, walk, load.offset[walk]))
                words = std::abs(load.offset[walk]) + 1;
            cost.instructions += (words - 1) * chosen_instructions + (beside ? words * ring_instructions : 0);
            if (beside) cost.lines += words * lines_of(bytes);
            if (beside) {
                const int row = walk > 1 ? load.offset[1] : 0, step = load.offset[0];
                RowRead& read = cost.rows[{kept->value, row, age}];
                read = {bytes, row, std::max(read.low, -step), std::max(read.high, step)};
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

PipelineCost::PipelineCost(const PipelineWork& work, const Program& program, const Graph& graph,
                           const Problem& problem) {
    const StageCosts costs(work, program, graph);
    for (const PipelineStage& stage : work.stages) stages.push_back(costs.of(stage));
    for (const KeptPlanes& kept : work.kept) bytes_of_kept.push_back(bytes_of_cell(kept.value, program, graph));
    for (const ValueId value : work.fusion.outputs) bytes_of_stores.push_back(bytes_of_cell(value, program, graph));
    for (const ValueId value : work.fusion.inputs) {
        if (work.find(value) != nullptr && work.find(value)->value == value) continue;
        other_bytes += bytes_of_cell(value, program, graph) *
                       words_read(value, work.fusion.calls, work.axes, program, graph, problem);
    }
}

}  // namespace kasc::model
