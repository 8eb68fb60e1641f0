#pragma once
// A host plan as it is laid out: graph by graph, launch by launch. Internal to this folder.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/host_plan.hpp"
#include "plan/riders.hpp"

namespace kasc::laying_out {

/// The whole plan, so far.
struct Layout {
    const Program& program;
    const Library& library;
    std::string prefix;
    Riding riding;
    HostPlan plan{};
    std::vector<LoweredFrom> lowered_from{};  ///< by kernel
    kernel::Names names{};
    std::vector<HostStep> prelude{};  ///< what arrays hold before anything is launched
    std::map<VariableId, SlotId> input_slots{};
    std::set<SlotId> reserved{};        ///< slots that hold a rim or a series: never reused for other values
    std::vector<SlotId> slice_slots{};  ///< that keep, from one iteration to the next, what slices were assigned before
};

/// By value: the last launch that reads it, counted from 1; beyond all of them where the graph hands it on; 0: none.
[[nodiscard]] std::vector<std::size_t> last_reads(const PlannedGraph& planned);

/// One graph of it: the program's, or a loop's body.
struct Level {
    const PlannedGraph& planned;
    bool outermost = false;
    std::map<ValueId, SlotId> slots{};
    std::set<ValueId> mine{};    ///< values in slots of their own, which may be freed
    std::vector<SlotId> free{};  ///< slots whose values are dead, of the graphs around this one too
    std::vector<HostStep> steps{};
    std::vector<std::size_t> last_read = last_reads(planned);
    std::set<ValueId> padded{};  ///< padded_values, and those of the graph around it

    /// Nothing after launch `at` reads the value, and it need not outlive the graph.
    [[nodiscard]] bool dead_after(ValueId value, std::size_t at) const { return last_read[value.index] <= at + 1; }
};

// ---- arrays ---------------------------------------------------------------------------------------------------------

/// Kernels leave outer layers of the variable as they are.
[[nodiscard]] bool keeps_rim(const Layout& layout, VariableId variable);
SlotId new_slot(Layout& layout, VariableId variable, decltype(Slot::storage) storage, const std::string& suffix = "");
/// A slot that starts as a copy of the variable's input (rim of keep, earlier content of a series), or as zeros.
SlotId prepared_slot(Layout& layout, VariableId variable);
/// Where a value goes whose kernel stores all of it: a slot of `free`, or a new one.
SlotId whole_slot(Layout& layout, VariableId variable, std::vector<SlotId>& free, int row_multiple = 1);
/// The caller's array, which is not ours to write.
[[nodiscard]] bool is_input(const Layout& layout, SlotId slot);
/// Words of the same number and type.
[[nodiscard]] bool same_shape(const Layout& layout, VariableId a, VariableId b);
/// Slots for what launch `at`, of a kernel on fields, stores, and the former values in them. `in_place`: those that lie
/// over one. `apart`: slots that get nothing, but for what goes on in the slot of its former value.
std::map<ValueId, ValueId> place_outputs(Layout& layout, Level& level, std::size_t at, const FieldSchedule& field,
                                         std::set<ValueId>& in_place, const std::set<SlotId>& apart = {});

// ---- steps ----------------------------------------------------------------------------------------------------------

/// All launches and loops of the graph.
void place(Layout& layout, Level& level);
/// The values that are stored in the slot of their former value.
std::set<ValueId> place_launch(Layout& layout, Level& level, std::size_t at);
std::set<ValueId> place_transform(Layout& layout, Level& level, const TransformSchedule& schedule, std::size_t at);
/// Where a loop goes on in an array of its own, from what the carried value is before it, and the steps for that.
[[nodiscard]] SlotId entering_slot(Layout& layout, Level& level, const LoopNode& loop, const Carried& carried,
                                   std::size_t at);
void place_loop(Layout& layout, Level& level, NodeId node, std::size_t at);
/// Removes kernels that are only launched as parts of others.
void remove_unused_kernels(HostPlan& plan);

}  // namespace kasc::laying_out
