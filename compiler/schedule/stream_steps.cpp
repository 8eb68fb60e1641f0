// The order of loads, calls and saves.
//
// Author's transfer: a value is loaded right before the first call that reads it and saved right after the call that
// makes it, so that it occupies memory for the shortest time:
//     load A, load B, M = mmul33(A, B), load c, v = mvmul33(M, c), save v
// Staged transfer: all loads stand at the start of the round, the copies first, so that their latencies overlap and one
// barrier awaits all of them; staged saves stand at the end of the round and share one barrier.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "schedule/stream_task.hpp"

namespace kasc {

namespace {

constexpr int stage_words = 4;  // of one access of a thread: 16 bytes, the widest that the hardware has

AddressSet stage_set(int threads, int words) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(stage_words * t);
    for (int first = 0; first < words; first += stage_words * threads)
        for (int k = 0; k < stage_words; ++k) set.offsets.push_back(first + k);
    return set;
}

class Orderer {
public:
    Orderer(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence, const BlockShape& block)
        : task_(task), residence_(residence), block_(block) {}

    std::vector<Step> run() {
        if (task_.choice.transfer == TileTransfer::staged) {
            for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::author})
                for (const TaskCall& call : task_.calls) load_inputs(call, transfer);
        }
        for (const TaskCall& call : task_.calls) {
            load_inputs(call, TileTransfer::author);
            add_call(call);
            save(call, TileTransfer::author);
        }
        for (const TaskCall& call : task_.calls) save(call, TileTransfer::staged);
        return std::move(steps_);
    }

private:
    const StreamTask& task_;
    const std::map<ValueId, ValueResidence>& residence_;
    BlockShape block_;
    std::vector<Step> steps_;
    std::vector<ValueId> loaded_;

    Step step_of(StepKind kind, const TaskCall& call, TileTransfer transfer) {
        Step step;
        step.kind = kind;
        step.transfer = transfer;
        step.call = call.node;
        step.block = transfer == TileTransfer::staged ? block_ : call.enumerated.block;
        step.guard_threads = thread_count(step.block) < thread_count(block_);
        const std::array<bool, 3> differ = coordinates_differ(step.block, block_);
        step.recompute_coordinates = differ[0] || differ[1] || differ[2];
        return step;
    }

    AddressSet transfer_set(Step& step, ValueId value, const AddressSet& author) {
        if (step.transfer == TileTransfer::author) return author;
        step.staged_words = task_.choice.elements * task_.values.at(value).words;
        return stage_set(thread_count(block_), step.staged_words);
    }

    /// Loads what `call` reads, is not loaded yet and comes by `transfer`.
    void load_inputs(const TaskCall& call, TileTransfer transfer) {
        for (std::size_t k = 0; k < call.reads.size(); ++k) {
            const ValueId value = call.reads[k];
            const auto& inputs = task_.fusion.inputs;
            if (std::find(inputs.begin(), inputs.end(), value) == inputs.end()) continue;
            if (residence_.at(value).transfer != transfer) continue;
            if (std::find(loaded_.begin(), loaded_.end(), value) != loaded_.end()) continue;
            loaded_.push_back(value);
            Step step = step_of(StepKind::load, call, transfer);
            step.argument = k;
            step.writes = value;
            step.write_set = transfer_set(step, value, call.enumerated.loads[k]);
            steps_.push_back(std::move(step));
        }
    }

    void add_call(const TaskCall& call) {
        Step step = step_of(StepKind::call, call, TileTransfer::author);
        step.reads = call.reads;
        step.read_sets = call.enumerated.inputs;
        step.writes = call.writes;
        step.write_set = call.enumerated.output;
        steps_.push_back(std::move(step));
    }

    /// Saves the result of `call` where it is an output that leaves by `transfer`.
    void save(const TaskCall& call, TileTransfer transfer) {
        const auto& outputs = task_.fusion.outputs;
        if (std::find(outputs.begin(), outputs.end(), call.writes) == outputs.end()) return;
        if (residence_.at(call.writes).transfer != transfer) return;
        Step step = step_of(StepKind::save, call, transfer);
        step.reads = {call.writes};
        step.read_sets = {transfer_set(step, call.writes, call.enumerated.save)};
        steps_.push_back(std::move(step));
    }
};

std::array<int, 3> coordinates(const BlockShape& block, int thread) {
    return {thread % block[0], thread / block[0] % block[1], thread / (block[0] * block[1])};
}

}  // namespace

std::vector<Step> order_steps(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence,
                              const BlockShape& block) {
    return Orderer(task, residence, block).run();
}

std::array<bool, 3> coordinates_differ(const BlockShape& of, const BlockShape& in) {
    std::array<bool, 3> differ{false, false, false};
    if (of == in) return differ;
    for (int t = 0; t < thread_count(of); ++t) {
        const std::array<int, 3> a = coordinates(of, t), b = coordinates(in, t);
        for (std::size_t d = 0; d < 3; ++d) differ[d] = differ[d] || a[d] != b[d];
    }
    return differ;
}

std::string step_label(const StreamTask& task, const Step& step) {
    if (step.kind == StepKind::load) return "load " + task.values.at(*step.writes).name;
    if (step.kind == StepKind::save) return "save " + task.values.at(step.reads.front()).name;
    for (const TaskCall& call : task.calls)
        if (call.node == step.call) return call.implementation;
    return {};
}

}  // namespace kasc
