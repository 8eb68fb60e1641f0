#pragma once
// What the host does: which arrays exist, which kernel is launched on which, loops, copies. One straight list.
//
// A slot is a pointer variable of the host code. Loop-carried values that cannot be updated in place have two slots,
// which change places at the end of an iteration. Versions of a variable with boundary keep hold the same rim for
// ever: every slot of such a variable receives a copy of the input once, before anything is launched.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foundation/verdict.hpp"
#include "kernel/kernel.hpp"
#include "plan/planned_graph.hpp"

namespace kasc {

using SlotId = Id<struct SlotTag>;

struct InputStorage {
    std::size_t position = 0;
};  ///< the caller's array, read only
struct OutputStorage {
    std::size_t position = 0;
};  ///< the caller's array
struct TemporaryStorage {};
struct Slot {
    std::string name;  ///< a C identifier, distinct
    VariableId variable;
    std::variant<InputStorage, OutputStorage, TemporaryStorage> storage;
    int row_multiple = 1;  ///< its rows are a multiple of so many cells apart (plan/padded_rows.hpp)
};

struct HostStep;
/// A small kernel that a launch carries (plan/riders.hpp).
struct RiderOfLaunch {
    std::string kernel;                 ///< its name when it is launched by itself
    std::map<ValueId, ValueId> arrays;  ///< by its values, what the launch calls their arrays
    bool of_former_iteration = false;   ///< which the first iteration of a piece has none of
};
struct LaunchStep {
    std::size_t kernel = 0;            ///< index into HostPlan::kernels
    std::map<ValueId, SlotId> arrays;  ///< of the values that the kernel's parameters name
    std::vector<RiderOfLaunch> riders{};
    /// Kernels that its last block to finish goes on with, by their names when they are launched (plan/last_block.hpp).
    std::vector<std::string> completed{};
};
/// A transform by the target's library. What `from` holds is lost where the transform goes from complex to real.
struct TransformStep {
    TransformStatement statement;
    SlotId from, to;
    /// A kernel with a cell at_store: the library computes it in place of storing the result, and uses `to` for what it
    /// likes; or it runs behind.
    std::optional<LaunchStep> stores{};
};
/// An array that must be as it is for the run to go on from the start of an iteration.
struct StateArray {
    std::string name;  ///< of the value: the same in every plan of the program
    SlotId slot;
};
/// Steps first … end - 1 of a loop's body, which are one CUDA graph for each set of arrays (plan/capture).
struct CapturedSteps {
    std::size_t first = 0, end = 0;
    std::vector<SlotId> arrays;  ///< that they work on
};
/// A loop that the host runs. Behind an outermost one of several iterations at a time (Loop::by) stands the loop of
/// those that are left (Loop::rest), in the same arrays: an iteration is done by either. Together they are one loop,
/// over the variable of the rest: a piece of a run takes the first where it has room for so many iterations, else the
/// second.
struct LoopStep {
    /// When the host asks `going`. each: before each iteration. ahead: before some that it launches one after the
    /// other, whose kernels ask themselves (plan/run_ahead.hpp). never: there is one iteration at most, whose kernels
    /// ask.
    enum class Looking { each, ahead, never };

    LoopId loop;
    ExpressionRef from, to;
    std::vector<HostStep> body;
    std::vector<std::pair<SlotId, SlotId>> swaps;
    /// What the last iteration has left, launched with its number wherever a piece of the loop ends.
    std::vector<HostStep> after;
    /// Filled for an outermost loop: what its iterations and the steps after it need, beyond the inputs and what the
    /// steps before the first launch make of them. A second buffer is not among it.
    std::vector<StateArray> state;
    std::vector<CapturedSteps> graphs;  ///< in order, apart
    /// A number of int32: an iteration runs where it is more than 0 before it.
    std::optional<SlotId> going;
    Looking looking = Looking::each;
};
struct CopyStep {
    SlotId from, to;
};
struct ZeroStep {
    SlotId slot;
};
/// The slot's array goes to the caller's output, unless it lies there already.
struct DeliverStep {
    SlotId slot;
    std::size_t position = 0;
};
struct HostStep {
    std::variant<LaunchStep, TransformStep, LoopStep, CopyStep, ZeroStep, DeliverStep> what;
};

/// What became of a small kernel in a loop.
struct Ride {
    std::string kernel;
    Verdict verdict;      ///< yes: on which launch it rides
    double saved_ns = 0;  ///< by the model, over all iterations
};

/// What became of a kernel of one block that was to be run by the last block of another.
struct Completion {
    std::string kernel;
    Verdict verdict;  ///< yes: of which
};

/// Whether small kernels ride on other launches. never: in the plans that others are measured by.
enum class Riding { where_possible, never };

struct HostPlan {
    Table<SlotId, Slot> slots;
    std::vector<kernel::Lowered> kernels;
    std::vector<HostStep> steps;
    std::vector<Ride> rides;                ///< loop by loop
    std::vector<Completion> completions;    ///< in the order of launches
    std::vector<std::string> stream_types;  ///< names of the library's types, for its functions' signatures
    int minimum_elements = 0;  ///< streams: the largest number of elements that a block of any kernel serves
    /// Streams: 4 where a library function moves 16 bytes at a time, so that the last block, moved back to end with the
    /// stream, starts on 16 bytes; else 1.
    int element_multiple = 1;
};

/// Lengths of axes that kernels are made for, which serve no others.
[[nodiscard]] std::map<AxisId, long long> lengths_of(const HostPlan& plan);

/// Lowers every chosen candidate and lays out the host's work. `prefix` names the kernels: <prefix>_k0, _k1 …
/// With strategy none, a kernel a statement, nothing rides.
[[nodiscard]] HostPlan build_host_plan(const Program& program, const Library& library, const PlannedGraph& planned,
                                       const std::string& prefix, Riding riding = Riding::where_possible);

/// The loop of what the step leaves of its iterations; none: it does all of them, or is no loop.
[[nodiscard]] std::optional<LoopId> rest_of(const HostStep& step, const Program& program);
/// The launch of a step, or of what its transform computes as it stores; null: it has none.
[[nodiscard]] LaunchStep* launch_in(HostStep& step);
[[nodiscard]] const LaunchStep* launch_in(const HostStep& step);
/// Kernels of the plan that a transform computes as it stores, by index, in the order of the steps.
[[nodiscard]] std::vector<std::size_t> stored_kernels(const HostPlan& plan);

[[nodiscard]] std::string print(const HostPlan& plan, const Program& program);

}  // namespace kasc
