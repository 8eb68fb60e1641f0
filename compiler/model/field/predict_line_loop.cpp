// A block goes through the iterations of a loop on whole lines: what it is handed and what it leaves pass through
// memory once, an iteration takes its barriers, words of shared memory and operations. One block follows its own chain,
//
//   T = T + r*(T[x - 1] - 2*T + T[x + 1]), 1024 cells, a thread each      a barrier, three words, a chain of
//   operations,
//                                                                          and 32 warps that issue all instructions
//
// many blocks side by side keep the multiprocessors busy with the same instructions.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Instructions of an iteration of a thread: its number, the copies of words; of each phase and cell: its tests; of a
/// word in shared memory, and of one beside the cell, whose place is made of what the boundary has mapped; of a word of
/// memory. A rod of 1024 cells has 8.5 a cell and iteration in all, 3 of them of the statement, a reaction of two
/// fields on 64 x 64 cells 54 (nvcc 13.0, sm_90a).
constexpr double of_each_iteration = 1, of_each_phase = 1, of_each_cell = 1, of_own_word = 1, of_word_beside = 1.5,
                 of_memory_word = 4;
/// Clocks of a barrier: of few warps, and more of a thousand threads. A word of L1 until it is there. With a thread's
/// own instructions one behind the other (dependent_clocks) a rod of 1024 cells has 154, 159, 211 and 352 clocks an
/// iteration with 1, 2, 4 and 8 cells a thread; measured 162, 183, 237 and 368 (H200).
constexpr double least_barrier_clocks = 28, barrier_clocks_a_thread = 8.0 / 1024, l1_clocks = 35;
/// The share of memory's latency that an iteration waits for words of its own position, and what a multiprocessor alone
/// moves of them in a clock (L2 gives 64 bytes, both ways share them).
constexpr double waits_for_row = 0.8, row_bytes_a_clock = 32;
constexpr double registers_beside_words = 10;
constexpr double nothing_under_way_binds = 1e9;

class LineLoopDemand {
public:
    LineLoopDemand(const LoopSchedule& schedule, const Program& program, const Device& device, const Problem& problem)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          calls_(program, *work_.loop.body),
          device_(device),
          iterations_(estimated_iterations(work_.loop.from, work_.loop.to, problem)) {
        for (const AxisId axis : work_.axes()) extents_.push_back(static_cast<double>(extent_of(problem, axis)));
        for (const double extent : extents_) cells_ *= extent;
        for (const std::size_t axis : work_.lines.beside) lines_ *= extents_[axis];
    }

    Demand run() {
        const FieldChoice& choice = schedule_.choice;
        const double rows = schedule_.cells_of_thread();
        demand_.threads = schedule_.threads();
        demand_.blocks = std::ceil(lines_ / choice.threads_y);
        demand_.shared_bytes_per_block = block::shared_bytes(*schedule_.block);
        demand_.barriers = block::barriers_met(*schedule_.block, static_cast<int>(std::min(iterations_, 1e9)));
        for (std::size_t k = work_.begin; k < work_.end; ++k) count(k);
        for (const HandedWord& word : work_.words) {
            const double bytes = cells_ * bytes_of(word.leaving);
            if (word.initial) read_ += bytes;
            if (std::binary_search(work_.fusion.outputs.begin(), work_.fusion.outputs.end(), word.result))
                stored_ += bytes;
        }
        demand_.global_bytes = read_ + stored_;
        demand_.read_share = demand_.global_bytes > 0 ? read_ / demand_.global_bytes : 1;
        demand_.access_efficiency = author_access_efficiency;
        demand_.in_flight_bytes = nothing_under_way_binds;

        const double phases = work_.lines.phase_count();
        const double of_thread =
            rows * (instructions_ + of_each_cell * phases) + of_each_iteration + of_each_phase * phases;
        const double warps = std::ceil(static_cast<double>(schedule_.threads()) / warp_threads);
        demand_.instructions = demand_.blocks * warps * warp_threads * iterations_ * of_thread;
        demand_.shared_lines = cells_ * iterations_ * passes_ / warp_threads;
        demand_.registers = std::min<int>(most_registers, base_registers + static_cast<int>(registers()));

        const int barriers = block::barriers_met(*schedule_.block, 1) - block::barriers_met(*schedule_.block, 0);
        const double of_barrier = least_barrier_clocks + barrier_clocks_a_thread * schedule_.threads();
        const double chain = phases * shared_latency_clocks + (reads_l1_ ? l1_clocks : 0);
        const double of_rows = row_bytes_ / demand_.blocks / row_bytes_a_clock;
        const double clocks = barriers * of_barrier + chain +
                              together({warps / schedulers * of_thread, dependent_clocks * of_thread, of_rows});
        const double waits = reads_rows_ ? waits_for_row * device_.memory_latency_ns : 0;
        demand_.block_latency_ns = 2 * device_.memory_latency_ns + iterations_ * (clocks / device_.clock_ghz + waits);
        return demand_;
    }

private:
    const LoopSchedule& schedule_;
    const LoopWork& work_;
    const Program& program_;
    LibraryCalls calls_;
    const Device& device_;
    const double iterations_;
    std::vector<double> extents_;
    double cells_ = 1, lines_ = 1, read_ = 0, stored_ = 0;
    double instructions_ = 0, passes_ = 0;  ///< of a cell and iteration
    bool reads_rows_ = false, reads_l1_ = false;
    double row_bytes_ = 0;     ///< of all lines in an iteration, of words at positions
    std::set<ValueId> known_;  ///< of memory, the same in all iterations
    Demand demand_;

    [[nodiscard]] double bytes_of(ValueId value) const { return bytes_of_cell(value, program_, *work_.loop.body); }

    void count(std::size_t k) {
        const FieldCall& call = work_.call(k);
        const Expression& value = *call.statement->value;
        const double before = calls_.done_before(call.node, {});
        const double computed = instruction_count(*call.statement) - before;
        instructions_ += computed;
        demand_.flops += cells_ * iterations_ * (operation_count(value) - before);
        for (const FieldRead& read : call.reads) count(k, read);
        if (const auto place = place_of_made(work_, k); place && work_.lines.words[place->words].shared) {
            instructions_ += of_own_word;
            passes_ += bytes_of(call.value) / 4;
        }
        if (work_.walked_of(call.value) == nullptr) return;
        instructions_ += of_memory_word;
        stored_ += cells_ * iterations_ * bytes_of(call.value);
        row_bytes_ += cells_ * bytes_of(call.value);
    }

    void count(std::size_t k, const FieldRead& read) {
        const bool around = work_.lines.looks_around(read);
        if (const auto place = place_of_read(work_, k, read, program_)) {
            if (work_.lines.words[place->words].shared) {
                instructions_ += around ? of_word_beside : of_own_word;
                passes_ += bytes_of(read.value) / 4;
            } else if (!work_.is_in_register(read.value) && known_.insert(read.value).second) {
                read_ += cells_ * bytes_of(read.value);
            }
            return;
        }
        if (work_.walked_of(read.value) == nullptr && work_.is_in_register(read.value)) return;
        const bool goes_on = std::any_of(read.indices.begin(), read.indices.end(),
                                         [&](const FieldIndex& index) { return work_.goes_on(index); });
        instructions_ += of_memory_word + (around ? of_word_beside : 0);
        passes_ += 1;
        const double bytes = words_touched(read.indices, extents_) * bytes_of(read.value);
        if (goes_on) {
            reads_rows_ = true;
            read_ += iterations_ * bytes;
            row_bytes_ += bytes;
        } else {
            reads_l1_ = true;
            if (known_.insert(read.value).second) read_ += bytes;
        }
    }

    [[nodiscard]] double registers() const {
        double words = registers_beside_words;
        for (const LineWords& own : work_.lines.words)
            if (!own.shared)
                words +=
                    schedule_.cells_of_thread() *
                    std::max<double>(1, static_cast<double>(cell_bytes(field_shape(program_, own.variable).type)) / 4);
        return words;
    }
};

}  // namespace

LineLengths line_lengths(const std::vector<AxisId>& along, const Program& program, const Problem& problem) {
    std::vector<int> lengths;
    double cells = 1;
    for (const AxisId axis : along) {
        if (!problem.is_given(axis))
            return {std::nullopt, fmt::format("a block has lines of one length, and that of {} is not given (--set)",
                                              program.axes[axis].name)};
        const long long length = extent_of(problem, axis);
        cells *= static_cast<double>(length);
        lengths.push_back(static_cast<int>(std::min<long long>(length, most_cells_of_line)));
    }
    if (cells > most_cells_of_line)
        return {std::nullopt,
                fmt::format("a block has lines of {} cells at most, here {:.0f}", most_cells_of_line, cells)};
    return {std::move(lengths), ""};
}

Prediction predict_line_loop(const LoopSchedule& schedule, const Program& program, const Device& device,
                             const Problem& problem) {
    return predict(LineLoopDemand(schedule, program, device, problem).run(), device);
}

}  // namespace kasc::model
