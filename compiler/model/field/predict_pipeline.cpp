// A block loads each plane of its tile with the halo, computes each stage at the cells that later ones want, and meets
// at one barrier a plane. Memory sees every input once, as far as the halos of blocks that run together are found in
// L2; L2 sees the tiles with their halos. What is loaded was asked for in the iteration before: an iteration takes a
// wait for memory at least.

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/constants.hpp"
#include "model/field/pipeline_cost.hpp"
#include "model/parts.hpp"
#include "schedule/pipeline/schedule.hpp"

namespace kasc {
namespace model {

namespace {

/// Instructions of an iteration and thread: the loop, slots, coordinates along the walk.
constexpr double iteration_instructions = 30;
/// Instructions of a vector's load, its address and what sends for it before; of one's store; of a stage of a vector.
constexpr double vector_load_instructions = 6, vector_store_instructions = 4, vector_instructions = 1;
/// The share of the halo in L2 that comes from memory again: blocks drift apart.
constexpr double halo_missed = 0.35;
/// The share of a wait for memory that an iteration of a block cannot hide behind its own work.
constexpr double wait_of_iteration = 0.5;
/// The same of a wait for L2, where a block sends for planes before it loads them; where several planes are fetched
/// ahead.
constexpr double wait_for_l2 = 0.15, wait_of_fetched = 0.05;
/// Part of the time in which planes that are fetched are under way. One, two and three planes ahead 13 points take
/// 0.80, 0.74 and 0.62 ms (two steps, 512³, H100).
constexpr double fetches_under_way = 0.33;
/// What a thread needs of each of its rows besides planes. Where a thread may have fewer registers than it would take,
/// the first of them are made anew; the others are read and written so many times an iteration (of machine code: 2.7 to
/// 3.7), and so many bytes of each are memory's where L1 does not hold them.
constexpr double registers_of_row = 4, made_anew = 12, spilled_accesses = 2.5, spilled_bytes = 2.5;
/// Bytes that L1 has at least: of a multiprocessor's 192 or 256 KB (sm_80, sm_90) blocks may have 164 or 228.
constexpr double l1_besides_shared = 28672;
/// Registers of a thread with vectors from rings: where they are, rows that are read together. A third of them are
/// made anew where registers are few.
constexpr int registers_of_rings = 48;
/// Instructions of blocks at the rim: an end of a row, where the word beyond it is an image; the same for each word of
/// a vector, where any may be the grid's last; a cell that is left in a ring whose rows have images.
constexpr double end_instructions = 2, parted_end_instructions = 1, image_instructions = 1.5;
/// Registers of a stage of which some read is one of several planes beyond the grid. Of 13 points and three steps
/// between mirrors 19 are spilled, where none are if outer layers are kept, and it takes 1.35 ms (512³) in place of
/// 0.86: so many are counted that the time is nearer.
constexpr int chosen_planes = 2, registers_of_chosen = 16;
/// Registers of rows whose words threads exchange.
constexpr int registers_of_exchange = 10;
/// Registers of each array that is read or stored: where it is in memory.
constexpr double registers_of_array = 2;

/// Clocks from an instruction of a warp to its next, where it is alone: stages are chains, one for each cell of the
/// thread that stands beside the others. By counters of an H100: heat in two dimensions, four cells, 0.70 of the slots
/// with 3.75 warps; Horn and Schunck, two cells, 0.50 with 3.6. Quotients and roots have a branch each, which what
/// follows waits for.
constexpr double clocks_of_chains = 2.2, clocks_of_chain = 7.6, slow_path_clocks = 70;

/// What a word takes that is fetched by itself, where rows are no whole vectors, in instructions: of a plane; where its
/// rows go round; of a line. One that is loaded, or stored, by itself. Copies of single words are begun slowly: by
/// counters threads wait as long for their addresses as these take.
constexpr double word_of_plane = 22, word_of_round = 40, word_of_line = 14, word_instructions = 4;

/// A block with rings begins to compute when that many iterations could be over.
constexpr double iterations_of_start = 2;
/// The longest access of shared memory by a thread.
constexpr double bytes_of_access = 16;
/// Blocks of a multiprocessor, from which on they are small.
constexpr double small_blocks = 8;
/// Code of a loop that warps of their own are given at full rate, in bytes, and what more takes.
constexpr double loop_bytes = 27648, fetched_anew = 2.9;

/// Open: the steps of the block are not made yet. Then it is counted what is asked for at least: it may meet no
/// barriers, and code that is too large is not held against it.
enum class Steps { known, open };

class PipelineDemand {
public:
    PipelineDemand(const PipelineSchedule& schedule, const PipelineCost& cost, const Device& device,
                   const Problem& problem, Steps steps)
        : schedule_(schedule), work_(*schedule.work), cost_(cost), device_(device), problem_(problem), steps_(steps) {}

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
        for (const KeptPlanes& kept : work_.kept)
            if (!kept.loaded && schedule_.has_images(kept))
                at_the_rim_ += cells_of(iterations_, kept.extent) * image_instructions;
        count_stores();
        count_registers();
        demand_.instructions += demand_.blocks * iterations_ * schedule_.threads() * iteration_instructions;
        // Rings are cleared, and wait for their first planes.
        if (schedule_.fetches()) demand_.instructions *= 1 + iterations_of_start / iterations_;
        const double fits = std::max(1, resident_blocks(demand_, device_));
        // What a warp waits for, of its instructions in an iteration.
        const double of_thread = demand_.instructions / (demand_.blocks * iterations_ * schedule_.threads());
        chain_ = clocks_of_chains + clocks_of_chain / schedule_.cells_of_thread() +
                 slow_path_clocks * slow_paths() / of_thread;
        count_code(of_thread);
        const double issued = issued_by(warps_of_scheduler(fits));
        // Where a multiprocessor has few blocks, which take as long as their planes do, those without one in the last
        // round have nothing to do; a block by itself is not as slow as one among others.
        // Registers are known to some of them: of many small blocks one less may fit.
        const double sure = fits >= small_blocks ? fits - 1 : fits;
        const double rounds = demand_.blocks / (sure * device_.multiprocessors), whole = std::floor(rounds);
        const double alone =
            issued * warps_of_scheduler(1) / (issued_by(warps_of_scheduler(1)) * warps_of_scheduler(fits));
        const double taken = whole + (rounds > whole ? std::max(rounds - whole, alone) : 0);
        const double idle = taken / rounds;
        demand_.instructions *= with_rim(of_thread, fits >= small_blocks ? 0 : std::min(1.0, alone / rounds));
        // The model of all kernels knows of whole blocks of a multiprocessor.
        const double of_blocks = demand_.blocks / device_.multiprocessors;
        demand_.instructions *= std::max(1.0, idle * of_blocks / std::ceil(of_blocks)) / issued;
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes_ / demand_.global_bytes : 1;
        const bool fetches = schedule_.fetches();
        demand_.access_efficiency = (fetches ? 1 : author_access_efficiency) / idle;
        demand_.in_flight_bytes = (fetches ? fetches_under_way : loads_under_way) * asked_for_ *
                                  (schedule_.choice.ahead + schedule_.planes_sent_for);
        // What is fetched comes while the planes before it are computed.
        demand_.parts = fetches ? 1 + schedule_.choice.ahead : 0;
        const double wait = schedule_.choice.ahead > 1      ? wait_of_fetched
                            : schedule_.planes_sent_for > 0 ? wait_for_l2
                                                            : wait_of_iteration;
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
    const Steps steps_;
    Demand demand_;
    double cells_ = 1, planes_ = 1, iterations_ = 1;
    double read_bytes_ = 0;
    double asked_for_ = 0;   ///< bytes of a block and iteration
    double at_the_rim_ = 0;  ///< instructions, as if all blocks were there
    double chain_ = 1;       ///< clocks from one instruction of a warp to its next, where it is alone

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    /// Where a multiprocessor has up to so many blocks.
    [[nodiscard]] double warps_of_scheduler(double most) const {
        const double blocks = std::min(most, std::ceil(demand_.blocks / device_.multiprocessors));
        return blocks * schedule_.threads() / warp_threads / schedulers;
    }
    /// Those of a thread in an iteration.
    [[nodiscard]] double slow_paths() const {
        int of_cell = 0;
        for (const StageCost& stage : cost_.stages) of_cell += stage.slow_paths;
        return of_cell * schedule_.cells_of_thread();
    }
    [[nodiscard]] double issued_by(double warps) const { return 1 - std::exp(-warps / chain_); }
    /// Cells of all blocks and planes that threads compute, where some do not need all.
    [[nodiscard]] double cells_of(double planes, const PipelineExtent& e) const {
        return demand_.blocks * planes * schedule_.threads_of(e) * schedule_.cells_of_thread();
    }
    void count_loads() {
        const double again = 1 + halo_missed * (halo_of_blocks() - 1);
        const double together = schedule_.fetches() ? schedule_.fetched_together() : vector();
        const double of_word = !schedule_.fetches() ? word_instructions
                               : work_.tiled() == 1 ? word_of_line
                               : work_.around[0]    ? word_of_round
                                                    : word_of_plane;
        const double accesses = vector() == 1         ? access_instructions
                                : is_parted(together) ? of_word
                                                      : vector_load_instructions / together;
        for (std::size_t k = 0; k < work_.kept.size(); ++k) {
            const KeptPlanes& kept = work_.kept[k];
            const double bytes = cost_.bytes_of_kept[k], of_plane = schedule_.layout(kept).cells();
            const double all = demand_.blocks * iterations_ * of_plane;
            // A plane is left in a ring by one access and, where it came there from memory, read once.
            if (schedule_.copies(kept) > 0) {
                demand_.shared_lines += all * lines_of(bytes) * vector_accesses(bytes);
                demand_.instructions += all * ring_instructions / vector();
            }
            const QueuedPlanes queue = schedule_.queue(kept);
            demand_.instructions += all * moves_of(queue.count());
            demand_.shared_lines += all * queue.first * lines_of(bytes) * vector_accesses(bytes);
            demand_.instructions += all * queue.first * ring_instructions / vector();
            if (!kept.loaded) continue;
            demand_.shared_lines += all * lines_of(bytes);
            demand_.instructions += all * accesses;
            demand_.l2_bytes += all * bytes;
            asked_for_ += of_plane * bytes;
            demand_.extra_bytes += cells_ * bytes * (again - 1);
            read_bytes_ += cells_ * bytes;
        }
        read_bytes_ += cost_.other_bytes;
        demand_.global_bytes += read_bytes_;
    }
    /// How much longer blocks take with those at the rim, of which the last ones are the slowest. `last`: the part of
    /// the time in which one of these is alone.
    [[nodiscard]] double with_rim(double of_thread, double last) const {
        double inside = 1;
        for (std::size_t axis = 0; axis < work_.tiled(); ++axis)
            inside *= std::max(0.0, 1 - 2 / std::ceil(extent(work_.axes[axis]) / schedule_.own(axis)));
        const double at_rim = 1 + at_the_rim_ / (of_thread * demand_.blocks * iterations_ * schedule_.threads());
        const double mean = 1 + (1 - inside) * (at_rim - 1);
        return mean + (at_rim - mean) * last;
    }
    /// Words of a queue that move, an iteration: where the loop has not as many iterations in a row as it has planes.
    [[nodiscard]] double moves_of(int queue) const {
        const int unroll = schedule_.choice.unroll;
        return queue < 2 || unroll % queue == 0 ? 0 : (queue - 1.0) / unroll;
    }
    /// Warps that go their own ways fetch the code of the loop from caches of their own. Where the loop has 27 KB, 6 %
    /// of a warp's time are waits for instructions; 32 KB, 28 %; 41 KB, 60 % (13 points; Horn and Schunck; two layers
    /// of shallow water; H100).
    void count_code(double of_thread) {
        const double bytes = instruction_bytes * schedule_.choice.unroll * of_thread;
        if (demand_.barriers > 0 || bytes <= loop_bytes) return;
        demand_.code_bytes = bytes;
        if (steps_ == Steps::known) demand_.instructions *= 1 + fetched_anew * (bytes / loop_bytes - 1);
    }
    /// Cells that blocks load against those of the grid.
    [[nodiscard]] double halo_of_blocks() const {
        double all = iterations_ / planes_;
        for (std::size_t axis = 0; axis < work_.tiled(); ++axis)
            all *= (schedule_.cells(axis) + 2.0 * schedule_.beyond(axis)) / schedule_.own(axis);
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
        at_the_rim_ += cells * cost.at_the_rim;
        for (const auto& [key, row] : cost.rows) count(row, *work_.find(std::get<ValueId>(key)), cells);
    }
    /// A vector from the ring, but where the thread has the row itself; the words beside it by shuffles, or two by two,
    /// of which those of neighbouring threads lie in banks that are a vector apart.
    void count(const RowRead& row, const KeptPlanes& kept, double cells) {
        const double rows = schedule_.choice.rows, beside = row.low + row.high;
        const double pairs = std::ceil(row.low / 2.0) + std::ceil(row.high / 2.0);
        const double from_ring = std::min(1.0, std::abs(row.row) / rows);
        const bool shuffled = schedule_.by_shuffles(kept) && row.row == 0;
        const double lines = from_ring + (shuffled ? beside / vector() : pairs);
        demand_.shared_lines += cells * lines * lines_of(row.bytes) * vector_accesses(row.bytes);
        demand_.instructions += cells * (from_ring + (shuffled ? beside : pairs)) / vector();
        const int beyond = row.beyond.low + row.beyond.high;
        if (is_parted(vector()))
            // Any word of the vector may be the grid's last.
            demand_.instructions += cells * parted_end_instructions * beyond * (1 + 1 / vector());
        else
            at_the_rim_ += cells * end_instructions * beyond / vector();
    }
    [[nodiscard]] double vector() const { return schedule_.choice.vector; }
    /// Rows of the grid are no whole vectors of so many cells.
    [[nodiscard]] bool is_parted(double together) const { return std::fmod(extent(work_.axes.front()), together) != 0; }
    /// Longer vectors than an access are several, whose words lie apart: each meets as many banks.
    [[nodiscard]] double vector_accesses(double bytes) const {
        return std::max(1.0, vector() * bytes / bytes_of_access);
    }
    void count_stores() {
        for (const double bytes : cost_.bytes_of_stores) {
            demand_.global_bytes += cells_ * bytes;
            demand_.l2_bytes += cells_ * bytes;
            demand_.shared_lines += cells_ * lines_of(bytes);
            demand_.instructions += cells_ * (vector() == 1         ? access_instructions
                                              : is_parted(vector()) ? word_instructions
                                                                    : vector_store_instructions / vector());
        }
    }

    void count_registers() {
        double words = 0;
        for (std::size_t k = 0; k < work_.kept.size(); ++k)
            words += (schedule_.queue(work_.kept[k]).count() +
                      (work_.kept[k].loaded && !schedule_.is_fetched(work_.kept[k]) ? 1 : 0)) *
                     std::ceil(cost_.bytes_of_kept[k] / 4);
        const double arrays = static_cast<double>(work_.fusion.inputs.size() + work_.fusion.outputs.size());
        demand_.registers =
            base_registers + static_cast<int>(words * schedule_.cells_of_thread() +
                                              registers_of_row * schedule_.choice.rows + registers_of_array * arrays);
        // Rows that are read from rings are of words that take so many.
        int longest = 1;
        for (const KeptPlanes& kept : work_.kept) longest = std::max(longest, kept.word_registers);
        if (schedule_.fetches())
            demand_.registers += longest * registers_of_rings;
        else if (schedule_.by_shuffles())
            demand_.registers += registers_of_exchange;
        for (const StageCost& stage : cost_.stages)
            if (schedule_.fetches() && stage.planes_chosen > chosen_planes) demand_.registers += registers_of_chosen;
        // Warps are given registers four at a time.
        const double warps =
            std::ceil(static_cast<double>(schedule_.threads()) / (schedulers * warp_threads)) * schedulers;
        const double of_all = device_.registers_per_multiprocessor / (warps * warp_threads);
        const double bound = schedule_.threads() < schedulers * warp_threads
                                 ? most_registers
                                 : std::floor(of_all / register_granularity) * register_granularity;
        const double anew = made_anew + (schedule_.fetches() ? longest * registers_of_rings / 3 : 0);
        const double spilled = std::max(0.0, demand_.registers - anew - std::min<double>(bound, most_registers));
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
        const double all = words * demand_.blocks * iterations_ * schedule_.threads();
        demand_.instructions += spilled_accesses * all;
        demand_.shared_lines += spilled_accesses * all * lines_of(4);
        demand_.l2_bytes += missed * 8 * all;
        demand_.extra_bytes += missed * spilled_bytes * all;
    }
};

}  // namespace

Prediction predict_pipeline(const PipelineSchedule& schedule, const Program& program, const Graph& graph,
                            const Device& device, const Problem& problem) {
    StatementCosts costs;
    return PipelinePredictor(*schedule.work, program, graph, device, problem, costs).of(schedule);
}

}  // namespace model

struct PipelinePredictor::Shared {
    model::PipelineCost cost;
};

PipelinePredictor::PipelinePredictor(const PipelineWork& work, const Program& program, const Graph& graph,
                                     const Device& device, const Problem& problem, model::StatementCosts& costs)
    : device_(device),
      problem_(problem),
      shared_(std::make_unique<const Shared>(Shared{model::PipelineCost(work, program, graph, problem, costs)})) {}
PipelinePredictor::~PipelinePredictor() = default;

Prediction PipelinePredictor::of(const PipelineSchedule& schedule) const {
    return model::predict(model::PipelineDemand(schedule, shared_->cost, device_, problem_, model::Steps::known).run(),
                          device_);
}

Prediction PipelinePredictor::at_least(const PipelineSchedule& open) const {
    constexpr double rounding = 1e-9;
    model::Demand demand = model::PipelineDemand(open, shared_->cost, device_, problem_, model::Steps::open).run();
    const double code_bytes = std::exchange(demand.code_bytes, 0);
    Prediction prediction = model::predict(demand, device_);
    prediction.code_bytes = code_bytes;
    prediction.time_ns *= 1 - rounding;
    return prediction;
}

}  // namespace kasc
