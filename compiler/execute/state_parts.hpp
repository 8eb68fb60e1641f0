#pragma once
// An array of a run's state, by what each of several processes has of it: read and given without all of it in one
// place. Internal to this folder.

#include "execute/rank_order.hpp"
#include "execute/slots.hpp"
#include "runtime/hdf5/array_file.hpp"

namespace kasc::execute {

class StateParts {
public:
    /// What it is given outlives it.
    StateParts(Slots& slots, RankOrder& order, runtime::ComputeDevice& device)
        : slots_(slots), order_(order), device_(device) {}

    /// What each rank was brought of so many inputs it has.
    void give_inputs(std::size_t count);
    /// Each of these is done by all ranks (piecewise_run.hpp).
    [[nodiscard]] runtime::Digest digest(SlotId slot);
    [[nodiscard]] Diagnostics store(SlotId slot, runtime::ArrayFile& file, std::size_t array);
    void take(SlotId slot, const void* values);

private:
    Slots& slots_;
    RankOrder& order_;
    runtime::ComputeDevice& device_;

    /// This rank has it from now on.
    [[nodiscard]] ranks::Touch bring_own(SlotId slot);
    /// `look(bytes, at, count)` for this part of a slot, as the host has it, some mebibytes at a time while it says
    /// true.
    void look_through(SlotId slot, const ranks::Touch& part,
                      const std::function<bool(const std::byte*, std::uint64_t, std::size_t)>& look);
};

}  // namespace kasc::execute
