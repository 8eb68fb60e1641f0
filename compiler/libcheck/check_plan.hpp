#pragma once
// What a check of a library runs: which implementations, each as which blocks.

#include <string>
#include <vector>

#include "library/library.hpp"
#include "patterns/pattern.hpp"

namespace kasc::libcheck {

/// Empty: everything.
struct CheckSelection {
    std::vector<std::string> folders;    ///< implementations of these folders, as read_library was given them
    std::vector<std::string> functions;  ///< by name
};

struct CheckedImplementation {
    std::size_t number = 0;  ///< among the function's implementations
    /// Blocks of some of the search's own numbers of elements. Where none is possible: one block, with `elements` 0,
    /// for which the code is asked how many it serves.
    std::vector<EnumeratedImplementation> blocks;
    std::string no_block;  ///< why there is none
};

struct CheckedFunction {
    FunctionId function;
    std::vector<CheckedImplementation> implementations;
};

using CheckPlan = std::vector<CheckedFunction>;

/// K0426 for code that no kernel can hold, K04xx for patterns that cannot be evaluated, K0407 for those that do not
/// fill their tiles, K0424 for a start that is no C expression of its function, K0905 for a function that is unknown.
/// The plan holds all else, so that faults of several functions are told together; none only where a selected name is
/// unknown.
[[nodiscard]] Outcome<CheckPlan> plan_checks(const Library& library, const CheckSelection& selection);

}  // namespace kasc::libcheck
