// A block loads each plane of its tile with the halo, computes each stage at the cells that later ones want, and meets
// at one barrier a plane. Memory sees every input once, as far as the halos of blocks that run together are found in
// L2; L2 sees the tiles with their halos. What is loaded was asked for in the iteration before: an iteration takes a
// wait for memory at least.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "frontend/expression_parts.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/pipeline/schedule.hpp"

namespace kasc {
namespace model {

namespace {

/// Instructions of an iteration and thread: the loop, slots, coordinates along the walk; of a row of a stage: tests,
/// coordinates.
constexpr double iteration_instructions = 30, row_instructions = 4;
/// Instructions of a vector's load, its address and what sends for it before; of one's store; of a stage of a vector.
/// They were fitted where one plane was fetched ahead: the machine code of several has fewer, in all plans alike.
constexpr double vector_load_instructions = 18, vector_store_instructions = 10, vector_instructions = 4;
/// Instructions of a row's load or store, which has an address of 64 bits, and of a word's access in a ring.
constexpr double access_instructions = 5, ring_instructions = 1.3;
/// Instructions of a read that may cross a face: the place that it sees; a choice between two planes.
constexpr double mapped_instructions = 3, chosen_instructions = 1;
/// The share of the halo in L2 that comes from memory again: blocks drift apart.
constexpr double halo_missed = 0.35;
/// The share of a wait for memory that an iteration of a block cannot hide behind its own work.
constexpr double wait_of_iteration = 0.5;
/// The same of a wait for L2, where a block sends for planes before it loads them.
constexpr double wait_for_l2 = 0.15;
/// What a thread needs of each of its rows besides planes. Where a thread may have fewer registers than it would take,
/// the first of them are made anew; of the others so many bytes an iteration are memory's.
constexpr double registers_of_row = 4, made_anew = 12, spilled_bytes = 2.5;
/// Bytes that L1 has at least: of a multiprocessor's 192 or 256 KB (sm_80, sm_90) blocks may have 164 or 228.
constexpr double l1_besides_shared = 28672;
/// Registers of a thread with vectors from rings: where they are, rows that are read together.
constexpr int registers_of_rings = 48;
/// Registers of each array that is read or stored: where it is in memory.
constexpr double registers_of_array = 2;

/// Schedulers of a multiprocessor, by the CUDA C++ Programming Guide. What they issue of their rate, by the warps that
/// each has: stages are chains, and a barrier a plane holds warps together. Blocks of eight warps alone take 1.2 to 1.4
/// times as long as what they issue.
constexpr double schedulers = 4, issued_by_none = 0.4, issued_by_warp = 0.15;

/// An access of a warp, in lines of L1 or shared memory, for each of its cells.
constexpr double lines_of(double bytes) { return bytes / 4 / line_words; }

}  // namespace

/// A row that a stage reads of a value, so many rows beside the cell's own, of one plane.
struct RowRead {
    double bytes = 4;
    int row = 0;
    int low = 0, high = 0;  ///< cells beside the cell that are read of it
};
/// What a cell of a stage takes.
struct StageCost {
    double instructions = 0, flops = 0;
    double lines = 0;  ///< of L1 or shared memory, where a warp has neighbouring cells
    double l2_bytes = 0;
    /// Where threads have vectors, in place of what is read beside the cell: by value, row and plane.
    double instructions_of_vectors = 0;
    std::map<std::tuple<ValueId, int, int>, RowRead> rows{};
};

/// What no choice of block or chunk changes.
class PipelineCost {
public:
    PipelineCost(const PipelineWork& work, const Program& program, const Graph& graph, const Problem& problem)
        : work_(work), program_(program), graph_(graph) {
        for (const PipelineStage& stage : work.stages) stages.push_back(cost_of(stage));
        for (const KeptPlanes& kept : work.kept) bytes_of_kept.push_back(bytes_of_cell(kept.value, program, graph));
        for (const ValueId value : work.fusion.outputs) bytes_of_stores.push_back(bytes_of_cell(value, program, graph));
        for (const ValueId value : work.fusion.inputs) {
            if (work.find(value) != nullptr && work.find(value)->value == value) continue;
            other_bytes += bytes_of_cell(value, program, graph) *
                           words_read(value, work.fusion.calls, work.axes, program, graph, problem);
        }
    }

    std::vector<StageCost> stages;
    std::vector<double> bytes_of_kept, bytes_of_stores;  ///< of a cell
    double other_bytes = 0;                              ///< that are read of what is not kept

private:
    const PipelineWork& work_;
    const Program& program_;
    const Graph& graph_;

    [[nodiscard]] StageCost cost_of(const PipelineStage& stage) const {
        StageCost cost;
        LibraryCalls calls(program_, graph_);
        for (const Evaluation& e : stage.cells.work->evaluations) {
            const FieldStatement& statement = field_update(graph_, e.call).statement;
            const Expression& value = *statement.value;
            const double before = calls.done_before(e.call, e.offset);
            cost.instructions +=
                instruction_count(value, statement.precision) - before + slow_path_instructions * slow_paths(value);
            cost.flops += operation_count(value) - before;
        }
        cost.instructions_of_vectors = cost.instructions;
        cost.instructions += row_instructions;
        for (const ValueAt& load : stage.cells.work->loads) count(stage, load, cost);
        return cost;
    }

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
                if (may_cross_face(work_, stage, load.value, axis, load.offset[axis]))
                    cost.instructions += mapped_instructions;
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

namespace {

class PipelineDemand {
public:
    PipelineDemand(const PipelineSchedule& schedule, const PipelineCost& cost, const Device& device,
                   const Problem& problem)
        : schedule_(schedule), work_(*schedule.work), cost_(cost), device_(device), problem_(problem) {}

    Demand run() {
        const std::size_t walk = work_.tiled();
        for (const AxisId axis : work_.axes) cells_ *= extent(axis);
        for (std::size_t axis = 0; axis < walk; ++axis)
            demand_.blocks *= std::ceil(extent(work_.axes[axis]) / schedule_.own(axis));
        const double planes = extent(work_.axes.back());
        const double chunks = std::ceil(planes / schedule_.choice.chunk);
        // The last chunk may have fewer.
        planes_ = std::min<double>(planes, schedule_.choice.chunk);
        demand_.blocks *= chunks;
        iterations_ = planes_ + work_.planes_before + work_.planes_behind;
        demand_.threads = schedule_.threads();
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        demand_.barriers = barriers_met(*schedule_.block, static_cast<int>(iterations_));
        count_loads();
        for (std::size_t k = 0; k < work_.stages.size(); ++k) count(work_.stages[k], cost_.stages[k]);
        count_stores();
        count_registers();
        demand_.instructions += demand_.blocks * iterations_ * schedule_.threads() * iteration_instructions;
        demand_.instructions /= std::min(1.0, issued_by_none + issued_by_warp * warps_of_scheduler());
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes_ / demand_.global_bytes : 1;
        // Where a multiprocessor has few blocks, which take as long as their planes do, those without one in the last
        // round ask for nothing.
        const double at_a_time = device_.multiprocessors * std::max(1, resident_blocks(demand_, device_));
        const double idle = std::ceil(demand_.blocks / at_a_time) * at_a_time / demand_.blocks;
        demand_.access_efficiency = author_access_efficiency / (schedule_.fetches() ? idle : 1);
        demand_.in_flight_bytes = loads_under_way * asked_for_ * (schedule_.choice.ahead + schedule_.planes_sent_for);
        // What is fetched comes while the plane before it is computed.
        demand_.parts = schedule_.fetches() ? 2 : 0;
        const double wait =
            schedule_.planes_sent_for > 0 || schedule_.choice.ahead > 1 ? wait_for_l2 : wait_of_iteration;
        demand_.block_latency_ns =
            iterations_ * wait * device_.memory_latency_ns + device_.barrier_ns * demand_.barriers;
        return demand_;
    }

private:
    const PipelineSchedule& schedule_;
    const PipelineWork& work_;
    const PipelineCost& cost_;
    const Device& device_;
    const Problem& problem_;
    Demand demand_;
    double cells_ = 1, planes_ = 1, iterations_ = 1;
    double read_bytes_ = 0;
    double asked_for_ = 0;  ///< bytes of a block and iteration

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    [[nodiscard]] double warps_of_scheduler() const {
        const double fit = std::max(1, resident_blocks(demand_, device_));
        const double blocks = std::min(fit, std::ceil(demand_.blocks / device_.multiprocessors));
        return blocks * schedule_.threads() / warp_threads / schedulers;
    }
    /// Cells of all blocks and planes, of a plane those of all rows: threads of other rows have nothing to do.
    [[nodiscard]] double cells_of(double planes, const PipelineExtent& e) const {
        double a_plane = schedule_.cells(0);
        for (std::size_t axis = 1; axis < work_.tiled(); ++axis)
            a_plane *= schedule_.cells(axis) - 2.0 * (work_.halo[axis] - e.halo[axis]);
        return demand_.blocks * planes * a_plane;
    }
    void count_loads() {
        const double again = 1 + halo_missed * (halo_of_blocks() - 1);
        const double all = demand_.blocks * iterations_ * schedule_.plane_cells();
        const double accesses = vector() > 1 ? vector_load_instructions / vector() : access_instructions;
        for (std::size_t k = 0; k < work_.kept.size(); ++k) {
            const KeptPlanes& kept = work_.kept[k];
            const double bytes = cost_.bytes_of_kept[k];
            // A plane is left in a ring by one access and, where it came there from memory, read once.
            if (schedule_.copies(kept) > 0) {
                demand_.shared_lines += all * lines_of(bytes);
                demand_.instructions += all * ring_instructions / vector();
            }
            demand_.instructions += schedule_.choice.unroll > 1 ? 0 : all * std::max(0, schedule_.queue(kept) - 1);
            if (!kept.loaded) continue;
            demand_.shared_lines += all * lines_of(bytes);
            demand_.instructions += all * accesses;
            demand_.l2_bytes += all * bytes;
            asked_for_ += schedule_.plane_cells() * bytes;
            demand_.extra_bytes += cells_ * bytes * (again - 1);
            read_bytes_ += cells_ * bytes;
        }
        read_bytes_ += cost_.other_bytes;
        demand_.global_bytes += read_bytes_;
    }
    /// Cells that blocks load against those of the grid.
    [[nodiscard]] double halo_of_blocks() const {
        double all = iterations_ / planes_;
        for (std::size_t axis = 0; axis < work_.tiled(); ++axis)
            all *= static_cast<double>(schedule_.cells(axis)) / schedule_.own(axis);
        return all;
    }

    void count(const PipelineStage& stage, const StageCost& cost) {
        const double planes = planes_ + stage.extent.planes_before + stage.extent.planes_behind;
        const double cells = cells_of(planes, stage.extent);
        demand_.flops += cells * cost.flops;
        demand_.l2_bytes += cells * cost.l2_bytes;
        if (schedule_.choice.vector == 1) {
            demand_.instructions += cells * cost.instructions;
            demand_.shared_lines += cells * cost.lines;
            return;
        }
        demand_.instructions += cells * (cost.instructions_of_vectors + vector_instructions / vector());
        for (const auto& [key, row] : cost.rows) count(row, cells);
    }
    /// A vector from the ring, but where the thread has the row itself; the words beside it by shuffles, or one by one,
    /// of which those of neighbouring threads lie in banks that are a vector apart.
    void count(const RowRead& row, double cells) {
        const double rows = schedule_.choice.rows, beside = row.low + row.high;
        const double from_ring = std::min(1.0, std::abs(row.row) / rows);
        const bool shuffled = schedule_.by_shuffles() && row.row == 0;
        const double lines = from_ring + beside * (shuffled ? 1 / vector() : 1);
        demand_.shared_lines += cells * lines * lines_of(row.bytes);
        demand_.instructions += cells * (from_ring + beside) / vector();
    }
    [[nodiscard]] double vector() const { return schedule_.choice.vector; }
    void count_stores() {
        for (const double bytes : cost_.bytes_of_stores) {
            demand_.global_bytes += cells_ * bytes;
            demand_.l2_bytes += cells_ * bytes;
            demand_.shared_lines += cells_ * lines_of(bytes);
            demand_.instructions +=
                cells_ * (vector() > 1 ? vector_store_instructions / vector() : access_instructions);
        }
    }

    void count_registers() {
        double words = 0;
        for (std::size_t k = 0; k < work_.kept.size(); ++k)
            words += (schedule_.queue(work_.kept[k]) +
                      (work_.kept[k].loaded && !schedule_.is_fetched(work_.kept[k]) ? 1 : 0)) *
                     std::ceil(cost_.bytes_of_kept[k] / 4);
        const double arrays = static_cast<double>(work_.fusion.inputs.size() + work_.fusion.outputs.size());
        demand_.registers =
            base_registers + static_cast<int>(words * schedule_.cells_of_thread() +
                                              registers_of_row * schedule_.choice.rows + registers_of_array * arrays);
        if (schedule_.fetches()) demand_.registers += registers_of_rings;
        // Warps are given registers four at a time.
        const double warps =
            std::ceil(static_cast<double>(schedule_.threads()) / (schedulers * warp_threads)) * schedulers;
        const double bound = schedule_.threads() < schedulers * warp_threads
                                 ? most_registers
                                 : device_.registers_per_multiprocessor / (warps * warp_threads);
        const double anew = made_anew + (schedule_.fetches() ? registers_of_rings : 0);
        const double spilled = std::max(0.0, demand_.registers - anew - std::min<double>(bound, most_registers));
        demand_.extra_bytes += spilled_bytes * spilled * demand_.blocks * iterations_ * schedule_.threads();
        demand_.registers = static_cast<int>(std::min<double>(demand_.registers, bound));
        count_spilled(spilled);
    }
    /// Words of a thread that lie in L1 beside the rings; those for which it has no room go to L2 and back.
    void count_spilled(double words) {
        if (words <= 0) return;
        const double resident = std::max(1, resident_blocks(demand_, device_));
        const double l1 =
            device_.shared_bytes_per_multiprocessor + l1_besides_shared - resident * demand_.shared_bytes_per_block;
        const double missed = std::max(0.0, 1 - l1 / (resident * words * 4 * schedule_.threads()));
        demand_.l2_bytes += missed * words * 8 * demand_.blocks * iterations_ * schedule_.threads();
    }
};

}  // namespace

Prediction predict_pipeline(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                            const Device& device, const Problem& problem) {
    return PipelinePredictor(*schedule.work, program, graph, device, problem).of(schedule);
}

}  // namespace model

struct PipelinePredictor::Shared {
    model::PipelineCost cost;
};

PipelinePredictor::PipelinePredictor(const PipelineWork& work, const Program& program, const Graph& graph,
                                     const Device& device, const Problem& problem)
    : device_(device),
      problem_(problem),
      shared_(std::make_unique<const Shared>(Shared{model::PipelineCost(work, program, graph, problem)})) {}
PipelinePredictor::~PipelinePredictor() = default;

Prediction PipelinePredictor::of(const PipelineSchedule& schedule) const {
    return model::predict(model::PipelineDemand(schedule, shared_->cost, device_, problem_).run(), device_);
}

}  // namespace kasc
