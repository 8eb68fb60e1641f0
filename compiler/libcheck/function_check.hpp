#pragma once
// One function of a plan, checked. Runs the library's code: call it in a child process only.

#include <functional>

#include "libcheck/check_sources.hpp"
#include "libcheck/finding.hpp"
#include "libcheck/traced_unit.hpp"

namespace kasc::libcheck {

/// What runs, so that a parent can tell where a child ended. In memory that both see.
struct Whereabouts {
    Site site;
    BlockShape block{0, 0, 0};
    int thread = -1;
    int data_set = -1;  ///< of a compute or reference
    std::int64_t checks = 0;
};

struct FunctionTask {
    const Library& library;
    const CheckedFunction& checked;
    const FunctionPlace& place;
    TracedUnit unit;
    std::size_t first_implementation = 0;  ///< those before it are left out
    std::function<void()> restart_clock;   ///< called before every part: each has its own time
    /// Called with all findings after each implementation, so that they outlive what comes next.
    std::function<void(const Findings&)> keep;
    Whereabouts& now;
};

/// Everything that is found. `now.checks` counts the parts that were run, one for each thread block.
[[nodiscard]] Findings check_function(const FunctionTask& task);

}  // namespace kasc::libcheck
