// A stream kernel step by step. What each step asks of one block:
//
//   load  author   a pass of L1 for every line its threads touch, a pass of the banks where the value lies in shared
//   memory
//         staged   16 bytes an access straight into shared memory
//   call           a pass of the banks for each operand in shared memory; flops; operands held in registers
//   save           as load, the other way
//
// Loads with no call and no barrier between them are one group: their latencies overlap, and all their bytes are under
// way together (as far as a thread's loads go above its first use). Registers: the most words that live at a step, and
// the operands that the widest call holds besides.
//
// On a CPU a phase is a loop over a block's threads in one core. What counts there is which operations are vectorised
// (functions that work word by word), what is slow (conditions, divisions, calls), and that every word which comes and
// goes is moved by an instruction.
//
// Where the device's table has the call's implementation (kasc bench), it knows two things better than the metadata:
// how many registers hold the operands that are read from shared memory as they are needed, and what the operations
// cost beyond one clock each (divisions, roots, a thread's idle neighbours).

#include <algorithm>

#include "model/constants.hpp"
#include "model/device/measured_table.hpp"
#include "model/parts.hpp"
#include "model/stream/slow_operations.hpp"

namespace kasc::model {

namespace {

class StreamDemand {
public:
    StreamDemand(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library,
                 const Device& device, const Problem& problem)
        : schedule_(schedule), program_(program), graph_(graph), library_(library), device_(device), problem_(problem) {
        elements_ = static_cast<double>(problem.elements);
        rounds_ = elements_ / std::max(1, schedule.elements);
    }

    Demand run() {
        demand_.threads = schedule_.threads;
        demand_.blocks = std::max(1.0, rounds_ / std::max(1, schedule_.choice.batch));
        demand_.shared_bytes_per_block = shared_bytes(block_);
        count_traffic();
        demand_.barriers = barriers_met(block_);
        for (std::size_t i = 0; i < block_.steps.size(); ++i) {
            count_barrier(i);
            count_step(i);
        }
        count_barrier(block_.steps.size());
        count_registers();
        demand_.shared_lines *= rounds_;
        demand_.instructions *= rounds_;
        demand_.core_clocks *= rounds_;
        if (device_.kind == DeviceKind::cpu) demand_.instructions = 0;
        demand_.block_latency_ns *= std::max(1, schedule_.choice.batch);
        return demand_;
    }

private:
    /// Words of an element of the region's value.
    [[nodiscard]] int words(std::size_t region) const { return words(schedule_.values[region].value); }
    [[nodiscard]] int words(ValueId value) const {
        return library_.types[std::get<StreamShape>(program_.variables[graph_.values[value].variable].shape).type]
            .words;
    }
    [[nodiscard]] bool in_shared(const block::Touch& touch) const {
        return block_.regions[touch.region].where == Residence::shared;
    }
    [[nodiscard]] const Function& callee(std::size_t at) const {
        return library_.functions[std::get<StreamCall>(graph_.nodes[schedule_.calls[at].node].what).callee];
    }
    [[nodiscard]] int threads_of(std::size_t at) const { return thread_count(schedule_.calls[at].shape); }

    void count_traffic() {
        double read = 0, written = 0;
        for (ValueId v : schedule_.fusion.inputs) read += words(v) * 4.0 * elements_;
        for (ValueId v : schedule_.fusion.outputs) written += words(v) * 4.0 * elements_;
        demand_.global_bytes = read + written;
        demand_.read_share = demand_.global_bytes > 0 ? read / demand_.global_bytes : 1;
        if (schedule_.choice.transfer == TileTransfer::author) demand_.access_efficiency = author_access_efficiency;
    }

    /// What was measured of the call by itself; none where it was not measured.
    [[nodiscard]] std::optional<MeasuredTimes> measured(std::size_t at) const {
        if (device_.measured == nullptr) return std::nullopt;
        const Function& function = callee(at);
        int own_bytes = 4 * library_.types[function.result].words;
        for (const TypeId argument : function.arguments) own_bytes += 4 * library_.types[argument].words;
        const int extra = std::max(0, demand_.shared_bytes_per_block - own_bytes * schedule_.elements);
        return device_.measured->find(implementation_of(schedule_, graph_, library_, schedule_.calls[at].node).name,
                                      schedule_.elements, extra);
    }

    void count_barrier(std::size_t before) {
        if (barrier_before(block_, before) == nullptr) return;
        demand_.block_latency_ns += device_.barrier_ns * repeats_;
        group_bytes_ = 0;
        in_group_ = false;
    }

    /// Steps in a loop count as often as it runs.
    void enter_or_leave(std::size_t at) {
        for (const ScheduledLoop& loop : schedule_.loops) {
            const double iterations = estimated_iterations(loop.what.from, loop.what.to, problem_);
            if (loop.begin == static_cast<int>(at)) repeats_ *= iterations;
            if (loop.end == static_cast<int>(at)) repeats_ /= iterations;
        }
    }

    void count_step(std::size_t at) {
        const block::Step& step = block_.steps[at];
        if (step.kind == StepKind::loop_begin || step.kind == StepKind::loop_end) return enter_or_leave(at);
        const int threads = threads_of(at);
        double instructions = step_overhead_instructions, operations = 0;
        if (step.kind == StepKind::move) {
            // In registers a compiler renames: no instruction at all.
            instructions = access(step.touches.front(), threads) + access(step.touches.back(), threads);
            if (instructions > 0) demand_.block_latency_ns += shared_latency_clocks / device_.clock_ghz * repeats_;
        } else if (step.kind == StepKind::compute) {
            for (const block::Touch& touch : step.touches) instructions += access(touch, threads);
            const double flops = static_cast<double>(callee(at).flops) * schedule_.elements;
            demand_.flops += flops * rounds_ * repeats_;
            operations = flops / threads;
            demand_.core_clocks += core_clocks(at) * repeats_;
            demand_.extra_compute_ns += beyond_operations(at, flops) * elements_ * repeats_;
            demand_.block_latency_ns +=
                (shared_latency_clocks + instructions + dependent_clocks * operations) / device_.clock_ghz * repeats_;
            in_group_ = false;
            group_bytes_ = 0;
        } else {
            instructions += transfer(step, threads);
        }
        // A warp issues for its idle threads too.
        const int warps = (threads + warp_threads - 1) / warp_threads;
        demand_.instructions += (instructions + operations) * warps * warp_threads * repeats_;
    }

    [[nodiscard]] bool is_word_by_word(std::size_t at) const {
        return callee(at).flops <= word_by_word_flops * words(write_of(block_.steps[at])->region);
    }

    /// Each thread touches one word, beside that of the thread before it: a compiler vectorises the loop over threads.
    [[nodiscard]] static bool is_word_a_thread(const block::Touch& touch) {
        const AddressSet& set = *touch.words;
        if (set.offsets.size() != 1) return false;
        for (std::size_t t = 1; t < set.start.size(); ++t)
            if (set.start[t] != set.start[t - 1] + 1) return false;
        return true;
    }

    /// Clocks of a CPU's core for a block's elements.
    [[nodiscard]] double core_clocks(std::size_t at) const {
        if (device_.kind != DeviceKind::cpu) return 0;
        const block::Step& step = block_.steps[at];
        const int threads = threads_of(at);
        const double flops = callee(at).flops, lanes = device_.fp32_per_clock / 2;
        const SlowOperations slow =
            slow_operations(implementation_of(schedule_, graph_, library_, schedule_.calls[at].node));
        double clocks = schedule_.elements * cpu_call_clocks * slow.calls;
        const bool words = is_word_by_word(at);
        if (words && std::all_of(step.touches.begin(), step.touches.end(), is_word_a_thread))
            return clocks + schedule_.elements * flops / lanes;
        clocks += threads * cpu_turn_clocks;
        for (const block::Touch& read : reads_of(step)) {
            if (in_shared(read))
                clocks += cpu_operand_clocks * threads * static_cast<double>(read.words->offsets.size());
        }
        if (words) return clocks + schedule_.elements * flops / lanes;
        return clocks +
               schedule_.elements * (flops / std::min(cpu_operations_per_clock, lanes) +
                                     cpu_condition_clocks * slow.conditions + cpu_division_clocks * slow.divisions);
    }

    /// What the measured call takes an element beyond what its operations and its tiles in shared memory explain.
    [[nodiscard]] double beyond_operations(std::size_t at, double flops) const {
        const auto found = measured(at);
        if (!found) return 0;
        const block::Step& step = block_.steps[at];
        double lines = shared_passes(*write_of(step)->words, threads_of(at));
        for (const block::Touch& read : reads_of(step)) lines += shared_passes(*read.words, threads_of(at));
        if (device_.kind == DeviceKind::cpu) {
            const double explained =
                core_clocks(at) / (device_.clock_ghz * device_.multiprocessors * schedule_.elements);
            return std::max(0.0, found->compute_ns - explained);
        }
        const double clocks =
            std::max(lines * line_words * 4 / device_.shared_bytes_per_clock, flops / (device_.fp32_per_clock / 2));
        const double explained = clocks / (device_.clock_ghz * device_.multiprocessors * schedule_.elements);
        return std::max(0.0, found->compute_ns - explained);
    }

    /// Instructions a thread for the words of an operand: none where they are in its registers.
    double access(const block::Touch& touch, int threads) {
        if (!in_shared(touch)) return 0;
        demand_.shared_lines += shared_passes(*touch.words, threads) * repeats_;
        return static_cast<double>(touch.words->offsets.size());
    }

    double transfer(const block::Step& step, int threads) {
        const bool load = step.kind == StepKind::copy, staged = copies_together(step);
        const block::Touch& touch = step.touches.front();
        const double tile_bytes = 4.0 * words(touch.region) * schedule_.elements;
        double in_flight = tile_bytes, instructions = 0;
        if (device_.kind == DeviceKind::cpu) {
            const double a_word = staged                    ? cpu_staged_clocks
                                  : is_word_a_thread(touch) ? 2 / device_.fp32_per_clock
                                                            : cpu_author_clocks;
            demand_.core_clocks += a_word * tile_bytes / 4;
        }
        if (staged) {
            const auto [element_words, padding] = block_.regions[touch.region].pitch;
            const bool wide = padding == 0 || (padding % 4 == 0 && element_words % 4 == 0);
            demand_.shared_lines += tile_bytes / (4 * line_words);
            instructions = tile_bytes / (wide ? 16 : 4) / threads;
        } else {
            const auto a_thread = static_cast<double>(touch.words->offsets.size());
            demand_.shared_lines += line_passes(*touch.words, threads);
            instructions = a_thread + access(touch, threads);
            in_flight = std::min(tile_bytes, 4.0 * threads * std::min<double>(a_thread, most_loads_in_flight));
        }
        if (!load) return instructions;
        if (!in_group_) demand_.block_latency_ns += device_.memory_latency_ns;
        in_group_ = true;
        group_bytes_ += in_flight;
        demand_.in_flight_bytes = std::max(demand_.in_flight_bytes, group_bytes_);
        return instructions;
    }

    /// Regions that a call computes from no data: in registers they are constants of the code.
    [[nodiscard]] std::vector<bool> constants() const {
        std::vector<bool> constant(block_.regions.size(), false);
        for (const block::Step& step : block_.steps)
            if (step.kind == StepKind::compute && reads_of(step).empty()) constant[write_of(step)->region] = true;
        return constant;
    }

    /// Words that a call holds besides those alive around it: operands that it takes from shared memory, each once, and
    /// a result that goes there.
    [[nodiscard]] int operand_words(std::size_t at) const {
        const block::Step& step = block_.steps[at];
        int words = 0;
        for (std::size_t k = 0; k < step.touches.size(); ++k) {
            const block::Touch& touch = step.touches[k];
            const auto same = [&](const block::Touch& other) { return !touch.writes && other.region == touch.region; };
            const auto here = step.touches.begin() + static_cast<std::ptrdiff_t>(k);
            if (std::none_of(step.touches.begin(), here, same) && in_shared(touch))
                words += static_cast<int>(touch.words->offsets.size());
        }
        const auto found = measured(at);
        return found ? std::min(words, std::max(0, found->registers - base_registers)) : words;
    }

    /// Words of the regions in registers that hold data and of which `holds` is true.
    template <class Holds>
    [[nodiscard]] int register_words(Holds holds) const {
        int words = 0;
        for (std::size_t k = 0; k < block_.regions.size(); ++k) {
            const block::Region& region = block_.regions[k];
            if (region.where == Residence::registers && !constants_[k] && holds(k)) words += region.words;
        }
        return words;
    }

    /// A call that works word by word writes each result over an operand that dies.
    [[nodiscard]] int overlapped_words(std::size_t at) const {
        const block::Step& step = block_.steps[at];
        const block::Touch& written = *write_of(step);
        if (in_shared(written) || !is_word_by_word(at)) return 0;
        const int dying = register_words([&](std::size_t region) {
            const auto reads = reads_of(step);
            const bool read =
                std::any_of(reads.begin(), reads.end(), [&](const auto& r) { return r.region == region; });
            return read && lives_[region].last == static_cast<int>(at);
        });
        return std::min(block_.regions[written.region].words, dying);
    }

    void count_registers() {
        int most = 0;
        for (std::size_t i = 0; i < block_.steps.size(); ++i) {
            const int at = static_cast<int>(i);
            int live = register_words(
                [&](std::size_t region) { return lives_[region].first <= at && at <= lives_[region].last; });
            if (block_.steps[i].kind == StepKind::compute) live += operand_words(i) - overlapped_words(i);
            most = std::max(most, live);
        }
        demand_.registers = base_registers + most;
        const int spilled = std::max(0, demand_.registers - most_registers);
        demand_.extra_bytes = 2.0 * 4 * spilled * demand_.threads * rounds_;
    }

    const StreamSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Library& library_;
    const Device& device_;
    const Problem& problem_;
    const block::BlockProgram& block_ = schedule_.block;
    const std::vector<block::Lifetime> lives_ = lifetimes(block_);
    const std::vector<bool> constants_ = constants();  ///< by region
    double elements_ = 0, rounds_ = 1;
    double repeats_ = 1;  ///< of the loops around the step at hand
    bool in_group_ = false;
    double group_bytes_ = 0;
    Demand demand_;
};

}  // namespace

Prediction predict_stream(const StreamSchedule& schedule, const Program& program, const Graph& graph,
                          const Library& library, const Device& device, const Problem& problem) {
    return predict(StreamDemand(schedule, program, graph, library, device, problem).run(), device);
}

}  // namespace kasc::model
