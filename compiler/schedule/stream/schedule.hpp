#pragma once
// One fused kernel over streams: the order of loads, calls and saves, where every value lies, one layout of shared
// memory, and the barriers.

#include <array>
#include <optional>
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

/// Where a value lies from its first to its last use. A value that enters or leaves through a staged copy while its
/// calls keep it in registers has a shared region for the copy as well; it is then `shared` here.
struct Placement {
    ValueId value;
    Residence where = Residence::shared;
    std::string reason;  ///< "compatible patterns: …", or which pair of calls forbids registers
    int words = 0;       ///< registers: a thread; shared: the tile
    int offset = 0;      ///< shared: first word in the kernel's block
    int first_step = 0, last_step = 0;
    TilePitch pitch;  ///< shared
};

/// A move copies what a loop carries, each thread the words that it wrote; loop_begin and loop_end enclose the steps
/// of an iteration and touch nothing.
enum class StepKind { load, call, save, move, loop_begin, loop_end };
/// One action of all threads of the block.
struct Step {
    StepKind kind = StepKind::call;
    TileTransfer transfer = TileTransfer::author;  ///< of load and save
    /// The call; of a load: the first call that reads the value; of a save and a move: the call whose output pattern
    /// says which thread holds which words; of loop_begin and loop_end: the loop.
    NodeId call;
    std::size_t argument = 0;    ///< of a load: which argument of `call` it is, which names the load function
    std::vector<ValueId> reads;  ///< values in registers or shared memory, in the order of the arguments
    std::optional<ValueId> writes;
    BlockShape block{1, 1, 1};  ///< of the step's implementation
    bool recompute_coordinates = false;
    bool guard_threads = false;  ///< the step uses fewer threads than the kernel has
    /// Of a staged transfer: the words of the tile. Its sets are the usual ones (thread t takes 4 words at 4·t, then on
    /// by 4·threads) and end here, but no other step may rely on who takes which word: that depends on the alignment
    /// of the tile in global memory.
    int staged_words = 0;
    TilePitch staged_pitch;             ///< where word k of the tile lies
    std::vector<AddressSet> read_sets;  ///< one a read, by the step's own linear thread
    std::optional<AddressSet> write_set;
};

/// A loop that the kernel runs: the steps between its two.
struct ScheduledLoop {
    NodeId node;
    InnerLoop what;
    int begin = 0, end = 0;  ///< its loop_begin and loop_end
};

struct StreamSchedule {
    Fusion fusion;
    StreamChoice choice;
    BlockShape block{1, 1, 1};  ///< of the kernel
    int elements = 0;           ///< a block and round
    int threads = 0;
    std::vector<NodeId> functions;  ///< the elementary calls in the order of execution, those inside of loops included
    std::vector<EnumeratedImplementation> implementations;  ///< one a function
    std::vector<Placement> placements;                      ///< by value id
    std::vector<Step> steps;
    std::vector<ScheduledLoop> loops;       ///< outer before inner, in the order of execution
    std::vector<BarrierDecision> barriers;  ///< one a place where a conservative schedule has one, kept or elided
    int shared_words = 0;
};

/// Requires: the value is one of the schedule's.
[[nodiscard]] const Placement& placement_of(const StreamSchedule& schedule, ValueId value);
/// Which implementation the choice gives a call of the schedule.
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
