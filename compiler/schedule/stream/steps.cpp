// The order of loads, calls and saves.
//
// Author's transfer: a value is loaded right before the first call that reads it and saved right after the call that
// makes it, so that it occupies memory for the shortest time:
//     load A, load B, M = mmul33(A, B), load c, v = mvmul33(M, c), save v
// Staged transfer: all loads stand at the start of the round, the copies first, so that their latencies overlap and one
// barrier awaits all of them; staged saves stand at the end of the round and share one barrier.
//
// What a loop carries is moved: the initial value to the place of the loop's result before the loop, what leaves an
// iteration to the same place at its end. In registers that costs nothing, a compiler renames them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "schedule/stream/task.hpp"

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
        for (const ValueId value : task_.fusion.inputs) inputs_.emplace_back(loader_of(task_, value), value);
        std::sort(inputs_.begin(), inputs_.end(), [](const auto& a, const auto& b) {
            return std::tie(a.first.first_use, a.first.argument, a.second) <
                   std::tie(b.first.first_use, b.first.argument, b.second);
        });
        if (task_.choice.transfer == TileTransfer::staged) {
            for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::author})
                load_inputs(0, task_.calls.size() + 1, transfer);
            inputs_.clear();
        }
        sequence(0, task_.calls.size(), true);
        for (const ValueId value : made_) save(value, TileTransfer::staged);
        return std::move(steps_);
    }

private:
    const StreamTask& task_;
    const std::map<ValueId, ValueResidence>& residence_;
    BlockShape block_;
    std::vector<Step> steps_;
    std::vector<std::pair<Loader, ValueId>> inputs_;  ///< in the order of their first use
    std::vector<ValueId> made_;                       ///< outside of loops, in order
    std::size_t next_loop_ = 0;

    /// The calls first … end - 1 with the loops among them; loads and saves stand outside of all loops.
    void sequence(std::size_t first, std::size_t end, bool outside) {
        for (std::size_t i = first; i < end;) {
            const bool begins = next_loop_ < task_.loops.size() && task_.loops[next_loop_].first == i;
            const std::size_t next = begins ? task_.loops[next_loop_].end : i + 1;
            if (outside) load_inputs(i, next, TileTransfer::author);
            const std::size_t before = made_.size();
            if (begins)
                add_loop(task_.loops[next_loop_++], outside);
            else
                add_call(task_.calls[i], outside);
            for (std::size_t k = before; k < made_.size(); ++k) save(made_[k], TileTransfer::author);
            i = next;
        }
    }

    void add_loop(const TaskLoop& loop, bool outside) {
        for (const LoopMove& move : loop.what.enter) add_move(move);
        add_mark(StepKind::loop_begin, loop);
        sequence(loop.first, loop.end, false);
        for (const LoopMove& move : loop.what.repeat) add_move(move);
        add_mark(StepKind::loop_end, loop);
        if (outside)
            for (const LoopMove& move : loop.what.repeat) made_.push_back(move.to);
    }

    void add_mark(StepKind kind, const TaskLoop& loop) {
        Step step;
        step.kind = kind;
        step.call = loop.node;
        step.block = block_;
        steps_.push_back(std::move(step));
    }

    void add_move(const LoopMove& move) {
        const TaskCall& maker = *maker_of(task_, move.to);
        Step step = step_of(StepKind::move, maker, TileTransfer::author);
        step.reads = {move.from};
        step.read_sets = {maker.enumerated.output};
        step.writes = move.to;
        step.write_set = maker.enumerated.output;
        steps_.push_back(std::move(step));
    }

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

    /// Loads the inputs that are first used by the calls first … end - 1 and come by `transfer`.
    void load_inputs(std::size_t first, std::size_t end, TileTransfer transfer) {
        for (const auto& [loader, value] : inputs_) {
            if (loader.first_use < first || loader.first_use >= end) continue;
            if (residence_.at(value).transfer != transfer) continue;
            Step step = step_of(StepKind::load, *loader.call, transfer);
            step.argument = loader.argument;
            step.writes = value;
            step.write_set = transfer_set(step, value, loader.call->enumerated.loads[loader.argument]);
            steps_.push_back(std::move(step));
        }
    }

    void add_call(const TaskCall& call, bool outside) {
        Step step = step_of(StepKind::call, call, TileTransfer::author);
        step.reads = call.reads;
        step.read_sets = call.enumerated.inputs;
        step.writes = call.writes;
        step.write_set = call.enumerated.output;
        steps_.push_back(std::move(step));
        if (outside) made_.push_back(call.writes);
    }

    /// Saves a value where it is an output that leaves by `transfer`.
    void save(ValueId value, TileTransfer transfer) {
        const auto& outputs = task_.fusion.outputs;
        if (std::find(outputs.begin(), outputs.end(), value) == outputs.end()) return;
        if (residence_.at(value).transfer != transfer) return;
        const TaskCall& maker = *maker_of(task_, value);
        Step step = step_of(StepKind::save, maker, transfer);
        step.reads = {value};
        step.read_sets = {transfer_set(step, value, maker.enumerated.save)};
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

std::vector<ScheduledLoop> loops_in(const StreamTask& task, const std::vector<Step>& steps) {
    std::vector<ScheduledLoop> loops;
    for (const TaskLoop& loop : task.loops) {
        ScheduledLoop scheduled{loop.node, loop.what, 0, 0};
        for (std::size_t k = 0; k < steps.size(); ++k) {
            if (steps[k].call != loop.node) continue;
            if (steps[k].kind == StepKind::loop_begin) scheduled.begin = static_cast<int>(k);
            if (steps[k].kind == StepKind::loop_end) scheduled.end = static_cast<int>(k);
        }
        loops.push_back(std::move(scheduled));
    }
    return loops;
}

std::string step_label(const StreamTask& task, const Step& step) {
    if (step.kind == StepKind::load) return "load " + task.values.at(*step.writes).name;
    if (step.kind == StepKind::save) return "save " + task.values.at(step.reads.front()).name;
    if (step.kind == StepKind::move) return "carry " + task.values.at(*step.writes).name;
    for (const TaskCall& call : task.calls)
        if (call.node == step.call) return call.implementation;
    return {};
}

}  // namespace kasc
