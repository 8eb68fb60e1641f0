#pragma once
// A host plan walked by kasc itself: its launches, transforms, copies and loops, on a device, in pieces. What emitted
// host code does (emit/run_printer.hpp) without a compiler for it; a test runs both to the same bytes.

#include <map>
#include <memory>
#include <vector>

#include "execute/division.hpp"
#include "execute/exchanges.hpp"
#include "execute/overlaps.hpp"
#include "library/library.hpp"
#include "plan/host_plan.hpp"
#include "ranks/shares.hpp"
#include "runtime/devices/compute_device.hpp"
#include "runtime/processes/communicator.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc::execute {

struct PlanRunRequest {
    const Program& program;  ///< outlives the run, as the library and what the arguments point to
    const Library& library;
    HostPlan plan;
    runtime::EntryArguments arguments;
    std::unique_ptr<runtime::ComputeDevice> device;  ///< knows the plan's kernels; its ranks share the launches
    ranks::Sharing sharing = ranks::Sharing::priced;
    /// Processes that walk the plan together, each on a device of one rank; null: this one alone. Each gives what it
    /// has of the host's arrays (EntryArguments), and may give none of others. All make the same calls, with the same
    /// numbers.
    runtime::Communicator* processes = nullptr;
    ranks::Processor processor = ranks::Processor::cpu;  ///< of processes
    const BlockRun* block = nullptr;  ///< that it runs of a grid, with arrays of its own; null: all of it
};

/// What a run of several processes says where it could begin and another could not.
inline constexpr const char* others_failed = "another process cannot begin";

class WalkedRun : public runtime::PiecewiseRun {
public:
    /// Stands before its first iteration again, with what was made ready as it was begun: the next run computes the
    /// same from the arrays as they are now. Those of the host, which are brought to the device, may be others each
    /// time; the device's own, extents and parameters are those of the beginning. Requires: no series has a window.
    [[nodiscard]] virtual Diagnostics rewind(const runtime::EntryArguments& arguments) = 0;
};

/// What each of several processes has of the plan's arrays.
struct ProcessArrays {
    /// By variable whose arrays are cut, and by rank, where its planes along the outermost axis end; a stream's
    /// elements.
    std::map<VariableId, std::vector<long long>> ends;
    std::uint64_t most_bytes = 0;  ///< of all arrays but series, on the process that has most
};
[[nodiscard]] ProcessArrays process_arrays(const Program& program, const Library& library, const HostPlan& plan,
                                           const runtime::EntryArguments& arguments, const DividedAmong& among);

[[nodiscard]] ExpectedExchanges expected_exchanges(const Program& program, const Library& library, const HostPlan& plan,
                                                   const runtime::EntryArguments& arguments, const DividedAmong& among);

/// How the plan would be divided among so many ranks: a line an array and a launch, with the reason. Empty of one rank.
[[nodiscard]] std::string division_text(const Program& program, const Library& library, const HostPlan& plan,
                                        const runtime::EntryArguments& arguments, const DividedAmong& among);

/// Stands before its first iteration. K0811 the input is at fault, K0812 the device failed.
[[nodiscard]] Outcome<std::unique_ptr<WalkedRun>> begin_plan(PlanRunRequest request);

}  // namespace kasc::execute
