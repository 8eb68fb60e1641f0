#pragma once
// The parts of schedule_stream, each one function on plain values: what the arrangement of a fused kernel needs to know
// of a program, and no more. Internal to the stage.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "schedule/stream/schedule.hpp"

namespace kasc {

struct TaskCall {
    NodeId node;
    std::string implementation;  ///< mmul33_1
    std::vector<ValueId> reads;  ///< in the order of the arguments
    ValueId writes;
    std::shared_ptr<const EnumeratedImplementation> enumerated;
};
/// One of the call's sets, which keeps them all.
[[nodiscard]] inline std::shared_ptr<const AddressSet> shared_set(const TaskCall& call, const AddressSet& set) {
    return {call.enumerated, &set};
}

/// A loop of the kernel: the calls first … end - 1 repeat.
struct TaskLoop {
    NodeId node;
    std::size_t first = 0, end = 0;
    InnerLoop what;
};

struct TaskValue {
    std::string name;
    int words = 1;  ///< of one element
};

struct StreamTask {
    Fusion fusion;
    StreamChoice choice;
    std::vector<TaskCall> calls;  ///< in the order of execution
    std::vector<TaskLoop> loops;  ///< outer before inner, in the order of execution
    std::map<ValueId, TaskValue> values;
    int max_threads = 1024;
    int max_shared_bytes = 49152;
};

/// The call whose output pattern says which thread holds which words of a value made in the kernel: its producer; of a
/// loop's result, the producer of what leaves an iteration. Null: the value enters the kernel.
[[nodiscard]] const TaskCall* maker_of(const StreamTask& task, ValueId value);

/// Whose load function brings a value in: the first call that reads it as an argument, or else reads what a loop
/// makes of it. `first_use`: the first call before which it must be there.
struct Loader {
    const TaskCall* call = nullptr;  ///< null: no call has a load function for it
    std::size_t argument = 0;
    std::size_t first_use = 0;
};
[[nodiscard]] Loader loader_of(const StreamTask& task, ValueId value);

/// One function that reads or writes a value where it lies in the block.
struct ValueUse {
    std::string who;  ///< "load for mmul33_1", "mmul33_1", "save of mmul33_1"
    std::shared_ptr<const AddressSet> words;
    BlockShape shape{1, 1, 1};
    bool writes = false;
};
/// A writer first (the load of an input, else the producer, else the loop's moves), then readers in the order of the
/// calls, then the save.
[[nodiscard]] std::vector<ValueUse> uses_of(const StreamTask& task, ValueId value);

/// Where a value lies and how it comes and goes.
struct ValueResidence {
    Residence where = Residence::shared;
    TileTransfer transfer = TileTransfer::author;
    std::string reason;
    int words = 0;  ///< registers: a thread; shared: the tile
};
/// For every value of the task. Rules: see residence.cpp.
[[nodiscard]] std::map<ValueId, ValueResidence> decide_residence(const StreamTask& task);

/// Empty, or which words a function reads that no function writes: the two keep the tile in different layouts.
[[nodiscard]] std::string layout_fault(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence);

/// Loads, calls, saves and loops in order, as steps of a block without places or barriers. Rules: see steps.cpp.
struct OrderedSteps {
    block::BlockProgram block;  ///< a region a value
    std::vector<StepCall> calls;
};
[[nodiscard]] OrderedSteps order_steps(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence,
                                       const BlockShape& shape);

/// Spreads the tiles that the choice's padding helps, in the regions and in the steps' sets. A tile stays as it is
/// where a thread's words are not all of one element. Empty, or that no tile is spread though the choice wants it.
[[nodiscard]] std::string pad_tiles(const StreamTask& task, block::BlockProgram& block);

/// Gives the shared regions, which live so long, places.
void lay_out_shared(std::vector<block::Region>& regions, const std::vector<block::Lifetime>& lives);

/// The loops with the steps that enclose them.
[[nodiscard]] std::vector<ScheduledLoop> loops_in(const StreamTask& task, const OrderedSteps& steps);

/// The block with places and barriers: of two layouts the one with fewer barriers where its size does no harm. Rules:
/// see space.cpp.
[[nodiscard]] block::BlockProgram share_space(const StreamTask& task, block::BlockProgram block, int threads);

/// All of the above; the reason where threads or shared memory do not suffice.
[[nodiscard]] StreamScheduleResult arrange_stream(const StreamTask& task);

}  // namespace kasc
