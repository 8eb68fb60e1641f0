#include "model/field/prologue.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "frontend/reduction.hpp"
#include "model/constants.hpp"
#include "model/field/words_read.hpp"

namespace kasc::model {

namespace {

/// Instructions of a part: comparison, address, load, conversion, a sum of doubles, which issue at half the rate.
constexpr double joined_part_instructions = 6;
/// Instructions of a thread beside: its lanes and its words of other threads, a load and a sum each; five exchanges of
/// two registers and sums, the last one.
constexpr double folded_word_instructions = 2, join_instructions = 40;
/// A warp's chain behind the barrier, ns: words from shared memory, six exchanges and sums of doubles, each of some 50
/// clocks.
constexpr double join_latency_ns = 200;
/// Registers of a lane and of its part under way, in doubles; they are free before the cells begin.
constexpr int registers_of_lane = 4;

}  // namespace

PrologueWork prologue_work(const FieldWork& work, const Program& program, const Graph& graph, const Problem& problem) {
    PrologueWork made;
    std::set<ValueId> read;  // by the cells, and then by calls before
    for (const ValueAt& load : work.loads) read.insert(load.value);
    for (const PrologueCall& call : work.prologue) read.insert(call.call().value);
    for (const PrologueCall& call : work.prologue) {
        const FieldStatement& statement = *call.call().statement;
        if (call.stored) made.stored_bytes += bytes_of_cell(call.call().value, program, graph);
        if (!call.join) made.number_flops += operation_count(*statement.value);
        if (call.join) ++made.joins;
        for (const FieldRead& r : call.call().reads) {
            const double words = call.join ? static_cast<double>(extent_of(problem, statement.fold->axes.front())) : 1;
            const double bytes = words * bytes_of_cell(r.value, program, graph);
            if (read.insert(r.value).second) made.read_bytes += bytes;
            if (!call.join) continue;
            made.parts = std::max(made.parts, words);
            made.part_bytes += bytes;
        }
    }
    return made;
}

void add_prologue(Demand& demand, const PrologueWork& prologue, const FieldSchedule& schedule, const Device& device) {
    if (schedule.work->prologue.empty()) return;
    const double read_before = demand.read_share * demand.global_bytes;
    if (demand.l2_bytes == 0) demand.l2_bytes = demand.global_bytes;
    demand.global_bytes += prologue.read_bytes + prologue.stored_bytes;
    demand.l2_bytes += prologue.stored_bytes + prologue.read_bytes - prologue.part_bytes;
    demand.read_share = (read_before + prologue.read_bytes) / demand.global_bytes;
    const double all_threads = demand.blocks * demand.threads;
    demand.flops += all_threads * prologue.number_flops;
    demand.instructions += all_threads * prologue.number_flops;
    if (schedule.prologue == nullptr) return;
    const double warps = static_cast<double>(demand.threads) / warp_threads;
    demand.l2_bytes += demand.blocks * prologue.part_bytes;
    const double lanes = std::max(1.0, static_cast<double>(whole_lanes) / demand.threads);
    const double words = prologue.joins * (lanes + warps);  // of a thread, that it joins
    demand.flops += demand.blocks * prologue.part_bytes / 4 + all_threads * words;
    demand.shared_bytes_per_block += shared_bytes(*schedule.prologue);
    demand.prologue_barriers = barriers_met(*schedule.prologue);
    // Words left and taken are doubles: two passes each.
    demand.shared_lines += demand.blocks * (prologue.part_bytes / 128 + prologue.joins * warps * 2 * (1 + warps));
    demand.instructions += demand.blocks * prologue.part_bytes / 8 * joined_part_instructions +
                           all_threads * (prologue.joins * join_instructions + words * folded_word_instructions);
    demand.registers =
        std::max(demand.registers, base_registers + registers_of_lane * static_cast<int>(std::min(lanes, 8.0)));
    // Lanes of a thread are under way together; who has more than one part of a lane waits again.
    const double turns = std::max(1.0, std::ceil(prologue.parts / whole_lanes));
    demand.block_latency_ns += turns * device.memory_latency_ns + device.barrier_ns + join_latency_ns;
}

}  // namespace kasc::model
