#pragma once
// How a host plan is divided among ranks: which arrays are cut, which launches shared, each with its reason. A function
// of the plan, its extents and the number of ranks alone.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "execute/numbers.hpp"
#include "library/library.hpp"
#include "plan/host_plan.hpp"
#include "ranks/shares.hpp"

namespace kasc::execute {

class Division {
public:
    /// What it is given outlives it, but for the numbers.
    Division(const Program& program, const Library& library, const HostPlan& plan, const Numbers& numbers, int ranks,
             ranks::Sharing sharing);

    [[nodiscard]] int ranks() const { return ranks_; }
    /// Where arrays of a variable are cut, by rank its end in bytes; empty: they lie on rank 0.
    [[nodiscard]] std::vector<std::uint64_t> ends(VariableId variable) const;
    /// Whether the ranks share a launch of this kernel over this grid on these arrays.
    [[nodiscard]] Verdict shares(const LaunchStep& step, const kernel::Kernel& kernel, const ranks::Grid& grid) const;
    /// Slices that each rim of a launch on these arrays may have while the host keeps up with the devices; 0: the
    /// launch is over before it could be asked for in parts.
    [[nodiscard]] long long rim_slices(const LaunchStep& step) const;
    /// A line an array and a launch.
    [[nodiscard]] std::string text() const;

private:
    struct Array {
        std::uint64_t bytes = 0;
        Verdict cut = Verdict::no("no launch works on it");
    };
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    const int ranks_;
    const ranks::Sharing sharing_;
    std::map<VariableId, Array> arrays_;
    std::string launches_text_;

    void find_arrays(const std::vector<HostStep>& steps, const Numbers& numbers);
    void touch(SlotId slot, const Verdict& verdict);
    void say_launches(const std::vector<HostStep>& steps, const Numbers& numbers);
};

}  // namespace kasc::execute
