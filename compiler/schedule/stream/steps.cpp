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

class Orderer {
public:
    Orderer(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence, const BlockShape& shape)
        : task_(task), residence_(residence), shape_(shape) {
        auto& [block, calls] = made_;
        block.rounds = task.choice.batch > 1;
        for (const auto& [value, lies] : residence) {
            const std::string& name = task.values.at(value).name;
            region_.emplace(value, block.regions.size());
            block.regions.push_back({name, lies.where, lies.words, 1, 4, name});
        }
    }

    OrderedSteps run() {
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
        for (const ValueId value : results_) save(value, TileTransfer::staged);
        return std::move(made_);
    }

private:
    const StreamTask& task_;
    const std::map<ValueId, ValueResidence>& residence_;
    BlockShape shape_;
    OrderedSteps made_;
    std::map<ValueId, std::size_t> region_;
    std::vector<std::pair<Loader, ValueId>> inputs_;  ///< in the order of their first use
    std::vector<ValueId> results_;                    ///< of what stands outside of loops, in order
    std::size_t next_loop_ = 0;

    /// The calls first … end - 1 with the loops among them; loads and saves stand outside of all loops.
    void sequence(std::size_t first, std::size_t end, bool outside) {
        for (std::size_t i = first; i < end;) {
            const bool begins = next_loop_ < task_.loops.size() && task_.loops[next_loop_].first == i;
            const std::size_t next = begins ? task_.loops[next_loop_].end : i + 1;
            if (outside) load_inputs(i, next, TileTransfer::author);
            const std::size_t before = results_.size();
            if (begins)
                add_loop(task_.loops[next_loop_++], outside);
            else
                add_call(task_.calls[i], outside);
            for (std::size_t k = before; k < results_.size(); ++k) save(results_[k], TileTransfer::author);
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
            for (const LoopMove& move : loop.what.repeat) results_.push_back(move.to);
    }

    void add_mark(StepKind kind, const TaskLoop& loop) {
        block::Step mark{kind};
        mark.may_skip = loop.what.may_skip;
        made_.block.steps.push_back(std::move(mark));
        made_.calls.push_back({loop.node, 0, shape_});
    }

    void add_step(block::Step step, const TaskCall& call, std::size_t argument = 0) {
        const BlockShape& shape = copies_together(step) ? shape_ : call.enumerated->block;
        made_.block.steps.push_back(std::move(step));
        made_.calls.push_back({call.node, argument, shape, thread_count(shape) < thread_count(shape_)});
    }

    [[nodiscard]] block::Touch touch(ValueId value, const TaskCall& call, const AddressSet& set, bool writes) const {
        return {region_.at(value), 0, writes, shared_set(call, set)};
    }

    /// By the author's function with this set, or staged.
    [[nodiscard]] block::Touch transferred(ValueId value, const TaskCall& call, const AddressSet& author,
                                           bool writes) const {
        if (residence_.at(value).transfer == TileTransfer::author) return touch(value, call, author, writes);
        return {region_.at(value), 0, writes, nullptr, {}, task_.choice.elements * task_.values.at(value).words};
    }

    [[nodiscard]] const std::string& name(ValueId value) const { return task_.values.at(value).name; }

    void add_move(const LoopMove& move) {
        const TaskCall& maker = *maker_of(task_, move.to);
        const AddressSet& words = maker.enumerated->output;
        add_step({StepKind::move,
                  "carry " + name(move.to),
                  "the loop",
                  "computed",
                  {touch(move.from, maker, words, false), touch(move.to, maker, words, true)}},
                 maker);
    }

    /// Loads the inputs that are first used by the calls first … end - 1 and come by `transfer`.
    void load_inputs(std::size_t first, std::size_t end, TileTransfer transfer) {
        for (const auto& [loader, value] : inputs_) {
            if (loader.first_use < first || loader.first_use >= end) continue;
            if (residence_.at(value).transfer != transfer) continue;
            const AddressSet& words = loader.call->enumerated->loads[loader.argument];
            add_step({StepKind::copy,
                      "load " + name(value),
                      "the load",
                      "loaded",
                      {transferred(value, *loader.call, words, true)},
                      false,
                      1,
                      transfer == TileTransfer::staged},
                     *loader.call, loader.argument);
        }
    }

    void add_call(const TaskCall& call, bool outside) {
        block::Step step{StepKind::compute, call.implementation, call.implementation, "computed"};
        for (std::size_t k = 0; k < call.reads.size(); ++k)
            step.touches.push_back(touch(call.reads[k], call, call.enumerated->inputs[k], false));
        step.touches.push_back(touch(call.writes, call, call.enumerated->output, true));
        add_step(std::move(step), call);
        if (outside) results_.push_back(call.writes);
    }

    /// Saves a value where it is an output that leaves by `transfer`.
    void save(ValueId value, TileTransfer transfer) {
        const auto& outputs = task_.fusion.outputs;
        if (std::find(outputs.begin(), outputs.end(), value) == outputs.end()) return;
        if (residence_.at(value).transfer != transfer) return;
        const TaskCall& maker = *maker_of(task_, value);
        add_step({StepKind::store,
                  "save " + name(value),
                  "the save",
                  "computed",
                  {transferred(value, maker, maker.enumerated->save, false)}},
                 maker);
    }
};

std::array<int, 3> coordinates(const BlockShape& block, int thread) {
    return {thread % block[0], thread / block[0] % block[1], thread / (block[0] * block[1])};
}

}  // namespace

OrderedSteps order_steps(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence,
                         const BlockShape& shape) {
    return Orderer(task, residence, shape).run();
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

std::vector<ScheduledLoop> loops_in(const StreamTask& task, const OrderedSteps& steps) {
    std::vector<ScheduledLoop> loops;
    for (const TaskLoop& loop : task.loops) {
        ScheduledLoop scheduled{loop.node, loop.what, 0, 0};
        for (std::size_t k = 0; k < steps.calls.size(); ++k) {
            if (steps.calls[k].node != loop.node) continue;
            const StepKind kind = steps.block.steps[k].kind;
            if (kind == StepKind::loop_begin) scheduled.begin = static_cast<int>(k);
            if (kind == StepKind::loop_end) scheduled.end = static_cast<int>(k);
        }
        loops.push_back(std::move(scheduled));
    }
    return loops;
}

}  // namespace kasc
