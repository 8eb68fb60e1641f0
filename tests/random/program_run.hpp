#pragma once
// A program run in two ways: by the CPU reference functions, statement by statement; and by a host plan with its
// kernels in checking mode.

#include <map>
#include <string>
#include <vector>

#include "plan/host_plan.hpp"
#include "random/device_code.hpp"

namespace kasc::random {

using Words = std::vector<float>;

struct RunCase {
    long long elements = 0;
    std::vector<double> parameters;  ///< values of param int
    std::vector<Words> inputs;       ///< by position; may be longer than the elements
    unsigned seed = 0;               ///< of the threads' orders
};

/// The outputs by position.
[[nodiscard]] std::vector<Words> run_reference(const Program& program, const Library& library, const DeviceCode& code,
                                               const RunCase& run);

struct PlanRun {
    std::vector<Words> outputs;
    std::string fault;                      ///< what checking mode found; empty: nothing
    std::map<std::size_t, double> bytes{};  ///< of global memory that the first launch of a kernel has touched
};
[[nodiscard]] PlanRun run_plan(const Program& program, const Library& library, const HostPlan& plan,
                               const DeviceCode& code, const RunCase& run);

}  // namespace kasc::random
