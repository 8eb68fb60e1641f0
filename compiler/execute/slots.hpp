#pragma once
// The arrays of a run: where each slot of the host plan lies, what comes from the caller and goes back, windows on
// series. Internal to this folder.

#include <optional>
#include <string>
#include <vector>

#include "execute/division.hpp"
#include "execute/numbers.hpp"
#include "execute/touches.hpp"
#include "plan/host_plan.hpp"
#include "plan/series.hpp"
#include "runtime/devices/compute_device.hpp"
#include "runtime/runs/entry_library.hpp"

namespace kasc::execute {

/// Rows [first, first + held) of a series of `extent` rows lie in memory, `most` at a time. Kernels index the series as
/// a whole: its slot stands where row 0 would lie.
struct RowsInMemory {
    Series series;
    SlotId slot;
    std::byte* rows = nullptr;
    std::uint64_t row_bytes = 0;
    long long extent = 0, most = 0;
    long long first = 0, held = 0;

    /// For a row that the series has not got, its first or last one: the program clamps it, or the launch refuses it.
    [[nodiscard]] bool holds(long long row) const;
};

class Slots {
public:
    /// Takes arrays and brings the inputs to the device, of several processes what `rank` has of them. What it is given
    /// outlives it.
    Slots(const Program& program, const Library& library, const HostPlan& plan, const Numbers& numbers,
          const runtime::EntryArguments& arguments, runtime::ComputeDevice& device, const Division& division, int rank);

    [[nodiscard]] std::byte*& at(SlotId slot) { return at_.at(slot.index); }
    [[nodiscard]] std::byte* at(SlotId slot) const { return at_.at(slot.index); }
    [[nodiscard]] const HostPlan& plan() const { return plan_; }
    [[nodiscard]] std::uint64_t bytes(SlotId slot) const;
    /// By what ranks know it, wherever a window stands.
    [[nodiscard]] SlotBytes known_as(SlotId slot) const;
    [[nodiscard]] CellType type(VariableId variable) const;
    /// By the number of the program's series; none: all of it lies in memory.
    [[nodiscard]] std::vector<std::optional<RowsInMemory>>& windows() { return windows_; }
    [[nodiscard]] const std::vector<std::optional<RowsInMemory>>& windows() const { return windows_; }
    [[nodiscard]] const RowsInMemory* window_at(SlotId slot) const;

    /// Every slot lies where it lay at first, whatever has changed places since; what was copied of the inputs is so
    /// again. Requires: no series has a window.
    void restore();

    /// Where the caller's output is made, which a slot may be.
    [[nodiscard]] std::byte* output(std::size_t position) const { return outputs_.at(position); }
    [[nodiscard]] bool has_output(std::size_t position) const { return outputs_.at(position) != nullptr; }
    [[nodiscard]] std::uint64_t output_bytes(std::size_t position) const {
        return bytes_of(program_.outputs[position]);
    }
    /// An input that lies in memory as a whole.
    [[nodiscard]] std::byte* input(std::size_t position) const { return inputs_.at(position); }
    [[nodiscard]] std::uint64_t input_bytes(std::size_t position) const { return bytes_of(program_.inputs[position]); }
    /// What was delivered, to arrays of the host that were given.
    void download();
    /// A slot's words to the host and from it, without what lies between its rows.
    void download(void* values, SlotId slot);
    void upload(SlotId slot, const void* values);

    /// What each rank has of an input or output of the host where each has its part; of an output of which rank 0 has
    /// all, that and nothing.
    [[nodiscard]] std::vector<ranks::Touch> input_parts(std::size_t position) const;
    [[nodiscard]] std::vector<ranks::Touch> output_parts(std::size_t position) const;
    /// The same of a slot, each of the ranks its planes, or rank 0 all.
    [[nodiscard]] std::vector<ranks::Touch> slot_parts(SlotId slot) const;
    /// Whether a slot is cut.
    [[nodiscard]] bool has_parts(SlotId slot) const;
    /// There is room between its rows, which the host's arrays have not.
    [[nodiscard]] bool is_padded(SlotId slot) const { return plan_.slots[slot].row_multiple > 1; }
    [[nodiscard]] std::uint64_t packed_bytes(SlotId slot) const { return bytes_of(plan_.slots[slot].variable); }

private:
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    const Numbers& numbers_;
    const runtime::EntryArguments& arguments_;
    runtime::ComputeDevice& device_;
    const Division& division_;
    const int rank_;
    std::vector<std::byte*> at_, first_at_;     ///< by slot: now, and before the first step
    std::vector<std::byte*> inputs_, outputs_;  ///< by position, in the device's memory
    std::vector<std::optional<RowsInMemory>> windows_;

    struct RowsApart {
        std::uint64_t bytes, apart;  ///< of a row, and from one row to the next
    };
    [[nodiscard]] RowsApart rows_apart(SlotId slot) const;
    [[nodiscard]] std::uint64_t bytes_of(VariableId variable) const;
    /// Where the plan is divided among ranks, cut as this variable's arrays are.
    [[nodiscard]] std::byte* take(const std::string& name, VariableId variable);
    /// The size of the caller's array, which has no padding.
    [[nodiscard]] std::uint64_t given_bytes(VariableId variable) const;
    /// The caller's array, which is where the device works on it; null: there is none, or it is elsewhere.
    [[nodiscard]] std::byte* direct(VariableId variable, const void* given) const;
    void make_windows();
    void bring_inputs();
    void bring(std::size_t position);
    void take_outputs();
    [[nodiscard]] bool has_window(bool input, std::size_t position) const;
    [[nodiscard]] static runtime::HeldBy held_by(const std::vector<runtime::HeldBy>& held, std::size_t position);
    [[nodiscard]] std::vector<ranks::Touch> parts(const SlotBytes& of, VariableId variable, runtime::HeldBy held) const;
    [[nodiscard]] std::vector<ranks::Touch> on_first(const SlotBytes& of) const;
};

}  // namespace kasc::execute
