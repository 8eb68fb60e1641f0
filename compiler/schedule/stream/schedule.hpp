#pragma once
// One fused kernel over streams: its block program, whose regions are values and whose steps are loads, calls and
// saves, and how each step calls a function of the library.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "foundation/outcome.hpp"
#include "graph/graph.hpp"
#include "patterns/enumerations.hpp"
#include "patterns/pattern.hpp"
#include "search/choice.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

using block::Residence;
using block::StepKind;

/// What streams know of a region: its value.
struct StreamValue {
    ValueId value;
    std::string reason;  ///< "compatible patterns: …", or which pair of calls forbids registers
};

/// How a step calls its library function; of a copy by all threads together, for which value's sake it stands.
struct StepCall {
    /// The call; of a load: the first call that reads the value; of a save and of what a loop carries: the call whose
    /// output pattern says which thread holds which words; of loop_begin and loop_end: the loop.
    NodeId node;
    std::size_t argument = 0;    ///< of a load: which argument of the call it is, which names the load function
    BlockShape shape{1, 1, 1};   ///< of the threads of its implementation
    bool guard_threads = false;  ///< the step uses fewer threads than the kernel has
};

/// A loop that the kernel runs: the steps between its two.
struct ScheduledLoop {
    NodeId node;
    InnerLoop what;
    int begin = 0, end = 0;  ///< its loop_begin and loop_end
};

/// Its block program has a region a value, in the order of the values, and these steps: copy loads a value, by its load
/// function, thread by thread, or staged, by all threads together; compute is a call; store saves a value as copy loads
/// it; move brings what a loop carries from region to region. A step touches what it reads, in the order of the
/// arguments, then the value that it writes; a load reads, and a save writes, no region.
struct StreamSchedule {
    Fusion fusion;
    StreamChoice choice;
    BlockShape shape{1, 1, 1};  ///< of the kernel's threads
    int elements = 0;           ///< a block and round
    int threads = 0;
    std::vector<NodeId> functions;  ///< the elementary calls in the order of execution, those inside of loops included
    block::BlockProgram block;
    std::vector<StreamValue> values;   ///< by region
    std::vector<StepCall> calls;       ///< by step
    std::vector<ScheduledLoop> loops;  ///< outer before inner, in the order of execution
};

/// What a step reads, in the order of the arguments.
[[nodiscard]] std::span<const block::Touch> reads_of(const block::Step& step);
/// What it writes; null: nothing.
[[nodiscard]] const block::Touch* write_of(const block::Step& step);
/// Neither a mark of a loop nor a copy by all threads together.
[[nodiscard]] bool calls_a_function(const block::Step& step);
/// Words of four bytes in a stream kernel's one block of shared memory.
[[nodiscard]] inline int shared_words(const block::BlockProgram& block) { return shared_bytes(block) / 4; }
/// The implementation that the choice gives a call of the schedule.
[[nodiscard]] const Implementation& implementation_of(const StreamSchedule& schedule, const Graph& graph,
                                                      const Library& library, NodeId call);

/// By dimension: whether some thread t < thread_count(of) has another coordinate in a block `of` than in a block `in`.
[[nodiscard]] std::array<bool, 3> coordinates_differ(const BlockShape& of, const BlockShape& in);

/// `graph` is expanded (graph/expand.hpp) where the fusion holds a loop, here and wherever the schedule's calls and
/// values are looked up. None where the choice is infeasible, with the reason (no common number of elements, too much
/// shared memory …).
struct StreamScheduleResult {
    std::optional<StreamSchedule> value;
    std::string reason;
};
[[nodiscard]] StreamScheduleResult schedule_stream(const Program& program, const Graph& graph,
                                                   Enumerations& enumerations, const Fusion& fusion,
                                                   const StreamChoice& choice, int max_threads, int max_shared_bytes);

[[nodiscard]] std::string print(const StreamSchedule& schedule, const Program& program, const Graph& graph,
                                const Library& library);

}  // namespace kasc
