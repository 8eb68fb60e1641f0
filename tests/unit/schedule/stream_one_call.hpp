#pragma once

#include "schedule/stream/task.hpp"

namespace kasc::test {

inline AddressSet own_elements(int threads, int words) {
    AddressSet set;
    for (int t = 0; t < threads; ++t) set.start.push_back(t * words);
    for (int w = 0; w < words; ++w) set.offsets.push_back(w);
    return set;
}

/// r = f(a), elements of `words` words, a thread an element, both values in shared memory by noreg.
inline StreamTask one_call(int words, int padding, TileTransfer transfer) {
    constexpr int threads = 32;
    StreamTask task;
    const ValueId a{0}, r{1};
    task.fusion.calls = {NodeId{0}};
    task.fusion.inputs = {a};
    task.fusion.outputs = {r};
    task.choice = {{0}, threads, 1, transfer, padding};
    task.values = {{a, {"a", words}}, {r, {"r", words}}};
    TaskCall call;
    call.node = NodeId{0};
    call.implementation = "f_1";
    call.reads = {a};
    call.writes = r;
    EnumeratedImplementation how;
    how.block = {threads, 1, 1};
    how.elements = threads;
    AddressSet set = own_elements(threads, words);
    set.noreg = true;
    how.loads = {set};
    how.save = set;
    how.inputs = {set};
    how.output = set;
    call.enumerated = std::make_shared<const EnumeratedImplementation>(std::move(how));
    task.calls = {call};
    return task;
}

}  // namespace kasc::test
