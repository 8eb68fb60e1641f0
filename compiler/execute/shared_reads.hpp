#pragma once
// What ranks of one memory read of arrays beside their own parts, by what kernels say of their blocks
// (kernel::BlockSpan). Internal to this folder.

#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "execute/numbers.hpp"
#include "plan/host_plan.hpp"
#include "ranks/copies.hpp"

namespace kasc::execute {

struct SharedReads {
    ranks::Nearby nearby{};     ///< of an array that is cut: how far from its own part a rank reads it
    bool by_all = false;        ///< of another one: all ranks read it
    bool stored_again = false;  ///< in a loop
};

/// What is known of the launches and arrays of a plan.
struct SharedLaunches {
    /// Ranks share the launch, and it takes long enough for copies to be renewed before it.
    std::function<bool(const LaunchStep&, const kernel::Kernel&)> renews;
    /// Bytes from one place of an array's outermost axis to the next; 0: the array is not cut.
    std::function<std::uint64_t(VariableId)> plane_of_cut;
};
/// Arrays that change places in a loop are read alike.
[[nodiscard]] std::map<VariableId, SharedReads> shared_reads(const HostPlan& plan, const Numbers& numbers,
                                                             const SharedLaunches& of);

/// What kernels store beside much more that they work on, and others read as a whole: parts of sums across what is cut.
/// Stored on the first rank, meanwhile, they need not be read by all from all.
[[nodiscard]] std::set<VariableId> parts_of_sums(const HostPlan& plan, const Numbers& numbers,
                                                 const std::function<std::uint64_t(VariableId)>& bytes_of);

}  // namespace kasc::execute
