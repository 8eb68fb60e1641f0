#pragma once
// Stream tasks made by hand: patterns, calls and chains of calls without a library.

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "schedule/stream/task.hpp"

namespace kasc::test {

inline AddressSet words(std::vector<std::int32_t> start, std::vector<std::int32_t> offsets, bool noreg = false) {
    return {std::move(start), std::move(offsets), noreg};
}

/// Thread t takes words t, t + threads, …: `per_thread` of them.
inline AddressSet interleaved(int threads, int per_thread) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t);
    for (int k = 0; k < per_thread; ++k) set.offsets.push_back(k * threads);
    return set;
}
/// Thread t takes words t·per_thread … on.
inline AddressSet blocked(int threads, int per_thread) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t * per_thread);
    for (int k = 0; k < per_thread; ++k) set.offsets.push_back(k);
    return set;
}
/// As blocked, the last thread first.
inline AddressSet reversed(int threads, int per_thread) {
    AddressSet set = blocked(threads, per_thread);
    std::reverse(set.start.begin(), set.start.end());
    return set;
}
/// Every thread takes all words.
inline AddressSet everything(int threads, int per_thread) {
    AddressSet set;
    set.start.assign(static_cast<std::size_t>(threads), 0);
    set.offsets.resize(static_cast<std::size_t>(threads * per_thread));
    std::iota(set.offsets.begin(), set.offsets.end(), 0);
    return set;
}

/// A call whose load of every argument is like its input pattern and whose save is like its output pattern.
inline TaskCall call(int node, std::string name, BlockShape block, std::vector<ValueId> reads,
                     std::vector<AddressSet> inputs, ValueId writes, AddressSet output) {
    EnumeratedImplementation sets;
    sets.block = block;
    sets.loads = inputs;
    sets.inputs = std::move(inputs);
    sets.save = output;
    sets.output = std::move(output);
    return {NodeId{static_cast<std::uint32_t>(node)}, std::move(name), std::move(reads), writes,
            std::make_shared<const EnumeratedImplementation>(std::move(sets))};
}

/// The call with its patterns changed.
template <class Change>
void change_patterns(TaskCall& call, Change change) {
    EnumeratedImplementation changed = *call.enumerated;
    change(changed);
    call.enumerated = std::make_shared<const EnumeratedImplementation>(std::move(changed));
}

/// Fills in what follows from the calls: values named a, b, … of `words` an element, inputs, and the outputs given.
inline StreamTask task_of(std::vector<TaskCall> calls, std::vector<ValueId> outputs, int elements, int words_an_element,
                          TileTransfer transfer = TileTransfer::author, int batch = 1) {
    StreamTask task;
    task.choice = {std::vector<int>(calls.size(), 0), elements, batch, transfer};
    std::vector<ValueId> made;
    for (TaskCall& made_call : calls) {
        change_patterns(made_call, [&](EnumeratedImplementation& how) { how.elements = elements; });
        task.fusion.calls.push_back(made_call.node);
        for (const ValueId value : made_call.reads) {
            task.values.emplace(value,
                                TaskValue{std::string(1, static_cast<char>('a' + value.index)), words_an_element});
            const bool inner = std::find(made.begin(), made.end(), value) != made.end();
            auto& inputs = task.fusion.inputs;
            if (!inner && std::find(inputs.begin(), inputs.end(), value) == inputs.end()) inputs.push_back(value);
        }
        const ValueId value = made_call.writes;
        task.values.emplace(value, TaskValue{std::string(1, static_cast<char>('a' + value.index)), words_an_element});
        made.push_back(value);
    }
    task.fusion.outputs = std::move(outputs);
    task.calls = std::move(calls);
    return task;
}

/// Random chains: each call reads one or two earlier values; patterns, thread counts and noreg are drawn.
class Chains {
public:
    explicit Chains(unsigned seed) : random_(seed) {}

    StreamTask next() {
        const int count = draw(1, 5);
        std::vector<TaskCall> calls;
        std::vector<ValueId> outputs;
        std::uint32_t values = static_cast<std::uint32_t>(draw(1, 2));
        for (int k = 0; k < count; ++k) {
            const int threads = draw(0, 2) == 0 ? 4 : 8;
            std::vector<ValueId> reads;
            std::vector<AddressSet> inputs;
            for (int r = draw(1, 2); r > 0; --r) {
                reads.push_back(ValueId{static_cast<std::uint32_t>(draw(0, static_cast<int>(values) - 1))});
                inputs.push_back(pattern(threads, true));
            }
            const ValueId result{values++};
            TaskCall made =
                call(k, "f" + std::to_string(k), {threads, 1, 1}, reads, inputs, result, pattern(threads, false));
            change_patterns(made, [&](EnumeratedImplementation& how) {
                for (AddressSet& load : how.loads) load = pattern(threads, false);
                if (draw(0, 2) == 0) how.save = pattern(threads, true);
            });
            calls.push_back(std::move(made));
            if (k + 1 == count || draw(0, 3) == 0) outputs.push_back(result);
        }
        return task_of(std::move(calls), std::move(outputs), 4, tile / 4,
                       draw(0, 1) == 0 ? TileTransfer::author : TileTransfer::staged, draw(1, 3));
    }

private:
    static constexpr int tile = 16;
    std::mt19937 random_;

    int draw(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }

    /// Covers the tile; `any_reader` may also let every thread take every word.
    AddressSet pattern(int threads, bool any_reader) {
        const int per_thread = tile / threads;
        AddressSet set = blocked(threads, per_thread);
        const int kind = draw(0, any_reader ? 6 : 5);
        if (kind == 4) set = interleaved(threads, per_thread);
        if (kind == 5) set = reversed(threads, per_thread);
        if (kind == 6) set = everything(threads, per_thread);
        set.noreg = draw(0, 5) == 0;
        return set;
    }
};

}  // namespace kasc::test
