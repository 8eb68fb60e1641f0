// A kernel whose blocks have tiles of results is bound by what it computes of each cell and result, and by the words
// that threads take from shared memory for it. Bytes: each block copies what its tile is made of, which other blocks
// have copied before it: it comes from L2 but for the first time.

#include <algorithm>
#include <cmath>
#include <set>

#include "block/block_program.hpp"
#include "frontend/reduction.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/field/calls_functions.hpp"

namespace kasc::model {

namespace {

/// Instructions of a word that is copied: its address in memory and in the tile, the copy.
constexpr double copy_instructions = 6;
/// A word of one or two bytes comes through a register, in which it is converted.
constexpr double widening_instructions = 2;
/// Where cells are folded along several axes, a division that finds where it stands, by a number that is known; of a
/// position its sum and what keeps it on the grid. Of 3 × 3 weights over channels a copied word has 29 in all (nvcc
/// 13.0, sm_90a).
constexpr double known_division_instructions = 8, position_instructions = 4;
/// Instructions of a cell, each thread: the loop, which is unrolled as far as code allows; of a chunk: the barrier and
/// what begins it.
/// What a thread finds out before its first copy: which tile the block has, and where that lies. Counted in products of
/// matrices of 3 by 3 in tiles of 4 by 4 (sm_90): some 370 instructions where a sum has three cells.
constexpr double begun_block_instructions = 150;
constexpr double cell_instructions = 0.5, chunk_instructions = 40;
/// Instructions of a result and part: the sum, from shared memory and back; of a result: its place, its store.
constexpr double part_instructions = 4, result_instructions = 12;
/// What threads take from shared memory and what they compute of it hide little of each other (4096³, tiles of 2 × 2 to
/// 8 × 8 results a thread).
constexpr double not_hidden = 0.6;
/// Clocks of a warp by itself from one instruction to the next, where quotients and roots have a path for rare
/// arguments: what its thread computes of several results then stands one behind the other. (Sums of Gaussians, two
/// warps a multiprocessor's quarter: 12.2 ms where 3.8 of instructions are.)
constexpr double clocks_with_branches = 3.3;
/// And what more results of a thread then add to each other's instructions, a doubling (the same, 2 to 8 of
/// them: 3.62, 3.92 and 4.10 ms).
constexpr double branches_of_results = 0.06;
/// An access of shared memory of 16 bytes a thread passes the port in quarters of a warp, but where threads take the
/// same words.
constexpr double passes_of_vector = 2;

class ProductDemand {
public:
    ProductDemand(const ProductSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                  const Problem& problem)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem) {}

    Demand run() {
        double along = 1;
        for (const AxisId axis : work_.pass->line_axes()) along *= extent(axis);
        const double parts = extent(work_.pass->parts);
        double results = 1;
        for (const AxisId axis : work_.pass->kept) {
            results *= extent(axis);
            if (axis == work_.down) demand_.blocks *= std::ceil(extent(axis) / schedule_.height());
        }
        double across = extent(work_.across);
        for (const AxisId axis : work_.rows) across *= extent(axis);
        demand_.blocks *= std::ceil(across / schedule_.width());
        double beside = 1;
        for (const AxisId axis : work_.beside) beside *= extent(axis);
        demand_.blocks *= std::ceil(beside / schedule_.tiles());
        const double share =
            static_cast<double>(fold_share(static_cast<long long>(along), *program_.axes[work_.pass->parts].parts, 1));
        const double cells = work_.joins() ? along : std::min(along, share);  // of a block
        demand_.threads = schedule_.threads();
        demand_.registers = registers_of(schedule_);
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        count_computing(cells);
        count_bytes(cells, results, parts);
        const double chunks = std::ceil(cells / schedule_.choice.chunk);
        demand_.barriers = block::barriers_met(*schedule_.block, static_cast<int>(std::min(1e6, chunks)));
        // The first chunk, and the one behind it; of words that come through registers each.
        demand_.block_latency_ns +=
            (waits_for_copies() ? chunks + 1 : std::min(copies() ? 2.0 : 1.0, chunks)) * device_.memory_latency_ns +
            demand_.barriers * device_.barrier_ns;
        return demand_;
    }

private:
    const ProductSchedule& schedule_;
    const ProductWork& work_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
    Demand demand_;

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }

    [[nodiscard]] bool copies() const {
        return std::any_of(work_.reads.begin(), work_.reads.end(),
                           [](const ProductRead& read) { return read.is_staged(); });
    }
    [[nodiscard]] bool waits_for_copies() const {
        return std::any_of(work_.reads.begin(), work_.reads.end(),
                           [](const ProductRead& read) { return read.is_staged() && is_widened(read.type); });
    }

    /// nvcc computes what several folds have in common once a result.
    [[nodiscard]] double instructions_of_parts() const {
        double all = 0;
        for (const ProductWork::Part& part : work_.parts) all += own_instructions(*part.expression, part.precision);
        return all;
    }

    void count_computing(double cells) {
        double a_pair = instructions_of_parts(), operations = 0;
        bool branches = false;
        const std::vector<const FieldCall*> folds = folds_of(work_.of().cells.plan());
        for (const FieldCall* call : folds) {
            const FieldStatement& statement = *call->statement;
            const bool sums = statement.fold->op == FoldOperator::sum && statement.value->kind == ScalarKind::real;
            // A product that is added is one instruction with the sum.
            const auto* last = std::get_if<BinaryOperation>(&statement.value->node);
            const bool contracted = sums && last != nullptr && last->op == BinaryOperator::multiply;
            a_pair += (contracted ? 0 : sums ? 1 : 2) * (statement.precision == Precision::dual ? 2 : 1);
            operations += operation_count(*statement.value) + 1;
            branches = branches || has_slow_path(*statement.value);
        }
        if (branches) a_pair *= 1 + branches_of_results * std::log2(schedule_.results());
        const FieldChoice& choice = schedule_.choice;
        double place = 0;  // of a cell along the folded axes
        for (const AxisId axis : work_.pass->line_axes())
            if (axis != work_.pass->line_axes().back())
                place += declared_length(program_.axes[axis]) ? known_division_instructions : division_instructions;
        double taken = 0, passes = 0, copied = 0, copying = 0;
        for (const ProductRead& read : work_.reads) {
            if (!read.is_staged()) continue;
            const int results = schedule_.results_along(read);
            const int together = words_of_access(results, tile_word_bytes(read.type));
            const double accesses = static_cast<double>(results) / together;
            taken += accesses;
            passes += together > 1 && read.across ? accesses * passes_of_vector : accesses;
            copied += schedule_.words(read) * schedule_.copies(read);
            const auto positions = std::count_if(read.indices.begin(), read.indices.end(), [](const FieldIndex& index) {
                return std::holds_alternative<Computed>(index);
            });
            copying += schedule_.words(read) * schedule_.copies(read) *
                       (copy_instructions + place + position_instructions * static_cast<double>(positions) +
                        (is_widened(read.type) ? widening_instructions : 0));
        }
        const double placed_result =
            result_instructions + division_instructions * static_cast<double>(work_.rows.size()) / 4;
        const double threads = schedule_.threads(), results = schedule_.results();
        const double chunks = std::ceil(cells / choice.chunk);
        const double begun = work_.joins() ? extent(work_.pass->parts) : 1;
        const double of_thread =
            begun_block_instructions + cells * (results * a_pair + taken + cell_instructions) +
            chunks * (chunk_instructions + choice.chunk * copying / threads) +
            results * static_cast<double>(folds.size()) * (begun * part_instructions + placed_result);
        demand_.instructions = demand_.blocks * threads * of_thread;
        demand_.flops = demand_.blocks * threads * results * cells * operations;
        demand_.shared_lines = demand_.blocks * (cells * passes * threads + 2 * cells * copied) / warp_threads;
        demand_.extra_compute_ns = not_hidden * demand_.shared_lines / (device_.multiprocessors * device_.clock_ghz);
        demand_.block_latency_ns += of_thread * (branches ? clocks_with_branches : 1) / device_.clock_ghz;
    }

    void count_bytes(double cells, double results, double parts) {
        std::set<ValueId> values;
        double first = 0, copied = 0;
        std::vector<AxisId> axes = work_.pass->kept;
        for (const AxisId axis : work_.pass->line_axes()) axes.push_back(axis);
        for (const ProductRead& read : work_.reads) {
            const double bytes = bytes_of_cell(read.value, program_, graph_);
            if (values.insert(read.value).second)
                first +=
                    bytes * words_read(read.value, work_.of().cells.fusion().calls, axes, program_, graph_, problem_);
            copied +=
                bytes * schedule_.words(read) * (read.is_staged() ? cells * schedule_.copies(read) : schedule_.tiles());
        }
        if (work_.of().words) {
            for (const ValueAt& load : work_.of().words->work->loads)
                if (std::binary_search(schedule_.fusion().inputs.begin(), schedule_.fusion().inputs.end(),
                                       load.value) &&
                    values.insert(load.value).second)
                    first += bytes_of_cell(load.value, program_, graph_) *
                             words_read(load.value, work_.of().words->fusion().calls, work_.pass->kept, program_,
                                        graph_, problem_);
        }
        // Numbers lie in no tile.
        for (const ValueId value : schedule_.fusion().inputs)
            if (field_shape(program_, graph_.values[value].variable).axes.empty() && values.insert(value).second)
                first += bytes_of_cell(value, program_, graph_);
        double stored = 0;
        for (const ValueId value : schedule_.fusion().outputs)
            stored += bytes_of_cell(value, program_, graph_) * results * (work_.joins() ? 1 : parts);
        demand_.global_bytes = first + stored;
        demand_.read_share = demand_.global_bytes > 0 ? first / demand_.global_bytes : 1;
        demand_.l2_bytes = demand_.blocks * copied + stored;
        demand_.access_efficiency = author_access_efficiency;
        double chunk = 0;
        for (const ProductRead& read : work_.reads)
            if (read.is_staged())
                chunk += bytes_of_cell(read.value, program_, graph_) * schedule_.words(read) * schedule_.copies(read) *
                         std::min<double>(cells, schedule_.choice.chunk);
        demand_.in_flight_bytes = chunk;
    }
};

}  // namespace

Prediction predict_product(const ProductSchedule& schedule, const Program& program, const Graph& graph,
                           const Device& device, const Problem& problem) {
    return predict(ProductDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
