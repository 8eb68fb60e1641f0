#pragma once
// Finds the lines of emitted code that belong to each kernel, and those of them that compute each statement.

#include <optional>
#include <string>
#include <vector>

#include "driver/explorer/plan_view.hpp"
#include "emit/emit.hpp"

namespace kasc::explorer {

/// Lines from `first` to `last`, from 1, of one kernel: its alternatives have some each.
struct KernelLines {
    int first = 0, last = 0;
    std::size_t kernel = 0;
};
struct StatementLine {
    int line = 0;
    std::size_t kernel = 0, statement = 0;
};
struct EmittedLines {
    std::vector<KernelLines> kernels;
    std::vector<StatementLine> statements;
};

/// The lines of the file of kernels, or of the host's side of it, which has a function for each launch and calls them.
/// A line computes a statement where it is a comment with the statement's text, what follows such a comment within a
/// kernel over streams, or where it assigns what the kernel calls the statement's value.
[[nodiscard]] EmittedLines emitted_lines(const std::string& text, const Compilation& compilation, const HostPlan& host,
                                         const PlanView& view);

}  // namespace kasc::explorer
