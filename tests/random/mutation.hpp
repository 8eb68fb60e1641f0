#pragma once
// Schedules and kernels with one thing made wrong: the check of shared memory, or checking mode, must see it.

#include <string>
#include <vector>

#include "random/program_run.hpp"
#include "schedule/stream/schedule.hpp"

namespace kasc::random {

struct Mutations {
    std::size_t made = 0, seen = 0;
    std::vector<std::string> unseen;  ///< what was done, one line each
    void add(const Mutations& other);
};

/// Each barrier is dropped in turn.
[[nodiscard]] Mutations drop_barriers(const kernel::Kernel& kernel);
/// Each value in shared memory whose words pass between threads is moved to registers.
[[nodiscard]] Mutations move_to_registers(const StreamSchedule& schedule);
/// One of two values that live in shared memory at one time is moved over the other.
[[nodiscard]] Mutations overlap_regions(const StreamSchedule& schedule);
/// A step changes places with one that it depends on.
[[nodiscard]] Mutations swap_steps(const StreamSchedule& schedule);

/// Each barrier of each kernel is dropped in turn and the plan is run: checking mode, or the results, must show it.
[[nodiscard]] Mutations drop_barriers_and_run(const Program& program, const Library& library, const HostPlan& plan,
                                              const DeviceCode& code, const RunCase& run);

}  // namespace kasc::random
