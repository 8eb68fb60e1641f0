#pragma once
// How a host plan is divided among ranks: which arrays are cut, which launches shared, each with its reason. A function
// of the plan, its extents and the number of ranks alone.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "execute/numbers.hpp"
#include "execute/shared_reads.hpp"
#include "execute/touches.hpp"
#include "library/library.hpp"
#include "plan/host_plan.hpp"
#include "ranks/shares.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

struct DividedAmong {
    int ranks = 1;
    ranks::Sharing sharing = ranks::Sharing::priced;
    ranks::Memory memory = ranks::Memory::one;
    ranks::Processor processor = ranks::Processor::cpu;  ///< of ranks of their own memory
    std::uint64_t page = ranks::page_bytes;              ///< that arrays are cut in, of ranks of one memory

    /// What transforms compute as they store is a launch of its own.
    [[nodiscard]] bool launches_stored() const {
        return memory == ranks::Memory::own && processor == ranks::Processor::cpu;
    }
};

class Division {
public:
    /// What it is given outlives it, but for the numbers.
    /// `lists`: of a run; null: they are not known yet, and taken for any.
    Division(const Program& program, const Library& library, const HostPlan& plan, const Numbers& numbers,
             const DividedAmong& among, const ListedPlanes* lists = nullptr);

    [[nodiscard]] int ranks() const { return among_.ranks; }
    [[nodiscard]] ranks::Memory memory() const { return among_.memory; }
    [[nodiscard]] bool launches_stored() const { return among_.launches_stored(); }
    /// Where arrays of a variable are cut, by rank its end in bytes; empty: of one memory they lie on rank 0, else all
    /// of each on each rank.
    [[nodiscard]] std::vector<std::uint64_t> ends(VariableId variable) const;
    /// Where such arrays lie that are cut, or of which ranks have copies; no ends: of neither kind.
    [[nodiscard]] runtime::ArrayParts lies(VariableId variable) const;
    /// Whether the ranks share a launch of this kernel over this grid on these arrays.
    [[nodiscard]] Verdict shares(const LaunchStep& step, const kernel::Kernel& kernel, const ranks::Grid& grid) const;
    /// The ranks share the blocks of a launch as the lists say that they follow.
    [[nodiscard]] bool by_lists(const LaunchStep& step, const kernel::Kernel& kernel) const;
    [[nodiscard]] const ListedPlanes* lists() const { return lists_; }
    /// Whether the ranks share the lines of this transform (transform_passes.hpp), each of them of its own memory.
    [[nodiscard]] Verdict shares(const TransformStep& step, const Numbers& numbers) const;
    /// What the ranks do not share is computed by the first of them alone, not by each.
    [[nodiscard]] bool on_first(const TransformStep& step) const;
    /// How a launch over this grid is divided, the loops as they stand.
    [[nodiscard]] ranks::LaunchShares divided(const LaunchStep& step, const kernel::Kernel& kernel,
                                              const ranks::Grid& grid, const Numbers& numbers) const;
    /// By rank, what each does of an array that all of them store or read: of one memory that is the device's to know.
    [[nodiscard]] std::vector<ranks::Touch> parts_of(const SlotBytes& of, VariableId variable, bool writes) const;
    /// The shares of a launch in lanes, blocks at the cuts apart from those between them where that pays.
    [[nodiscard]] std::vector<ranks::LanePart> in_lanes(const LaunchStep& step, const kernel::Kernel& kernel,
                                                        const ranks::LaunchShares& shares,
                                                        const Numbers& numbers) const;
    /// A line an array and a launch.
    [[nodiscard]] std::string text() const;

private:
    struct Array {
        std::uint64_t bytes = 0;
        std::uint64_t plane = 0;  ///< bytes from one place of its outermost axis to the next
        Verdict cut = Verdict::no("no launch works on it");
    };
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    const DividedAmong among_;
    const ListedPlanes* const lists_;
    std::map<const kernel::Kernel*, std::vector<const kernel::ListedArray*>> followed_;  ///< lists, by kernel
    std::map<VariableId, Array> arrays_;
    std::map<VariableId, SharedReads> reads_;  ///< of ranks of one memory
    std::string launches_text_;

    void find_arrays(const std::vector<HostStep>& steps, const Numbers& numbers);
    void touch(SlotId slot, const Verdict& verdict);
    void find_reads(const Numbers& numbers);
    [[nodiscard]] bool has_copy(VariableId variable) const;
    [[nodiscard]] const LaunchStep* launched(const HostStep& step) const;
    [[nodiscard]] std::vector<const Array*> arrays_of(const LaunchStep& step) const;
    [[nodiscard]] std::vector<const Array*> arrays_of(const TransformStep& step) const;
    /// Most of the bytes are in arrays that are cut.
    [[nodiscard]] static bool mostly_cut(const std::vector<const Array*>& arrays);
    [[nodiscard]] static bool any_cut(const std::vector<const Array*>& arrays);
    [[nodiscard]] bool is_cut(const LaunchStep& step, ValueId value) const;
    [[nodiscard]] ranks::LaunchShares divided_by_lists(const LaunchStep& step, const kernel::Kernel& kernel,
                                                       const ranks::Grid& grid, const Numbers& numbers) const;
    /// The launch takes each rank as long as the host takes to ask them all for their parts.
    [[nodiscard]] bool outlasts_host(const LaunchStep& step, double us_of_rank) const;
    void say(const std::string& name, const std::string& how);
    [[nodiscard]] std::string on_one(const Verdict& verdict) const;
    void say_launches(const std::vector<HostStep>& steps, const Numbers& numbers);
};

}  // namespace kasc::execute
