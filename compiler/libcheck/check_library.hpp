#pragma once
// A plan, run: sources are built by the machine's compiler and called function by function in child processes.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "libcheck/check_plan.hpp"
#include "runtime/building/cache.hpp"

namespace kasc::libcheck {

struct CheckRequest {
    const Library& library;
    const CheckPlan& plan;
    std::filesystem::path support_folder;  ///< of the data folder: holds kasc_checking.hpp
    std::filesystem::path work_folder;     ///< for sources and what is built of them
    /// After each step; false asks to stop.
    std::function<bool(long long done, long long total)> go_on;
    runtime::BuildCache cache{};  ///< of what is built
};

struct FunctionReport {
    std::string name;
    std::size_t implementations = 0;
    std::int64_t checks = 0;  ///< parts run for all threads of a block
    bool reference = false;   ///< one is known
    bool good = true;         ///< no error was found
    double seconds = 0;       ///< without building
};

struct LibraryReport {
    std::vector<FunctionReport> functions;
    double build_seconds = 0;
    bool refused = false;  ///< functions were left out of the plan, whose diagnostics say why
};

/// Faults are diagnostics K0410 to K0427 beside the report. None: nothing could be built (K0602, K0720, K0801) or it
/// was stopped (K0814).
[[nodiscard]] Outcome<LibraryReport> check_library(const CheckRequest& request);

/// K0814.
[[nodiscard]] Diagnostic stopped_check();

[[nodiscard]] std::string report_text(const LibraryReport& report);
[[nodiscard]] std::string report_json(const LibraryReport& report);

}  // namespace kasc::libcheck
