#pragma once
// The C++ that a check compiles: the library's functions over traced pointers, one variant for each block and for
// values in shared memory and in registers, as emitted kernels would hold them. A function of the plan alone.

#include <cstddef>
#include <string>
#include <vector>

#include "libcheck/check_plan.hpp"

namespace kasc::libcheck {

/// Numbers by which the unit's kasc_trace calls a part; -1: there is no such variant.
struct PartVariants {
    int shared = -1;
    int registers = -1;  ///< none where a pattern forbids them
};

struct BlockParts {
    std::vector<PartVariants> loads;
    PartVariants save, compute;
};

/// Where a function of the plan stands.
struct FunctionPlace {
    std::size_t unit = 0;
    int reference = -1;  ///< by which the unit's kasc_refer calls it
    /// By implementation and block of the plan.
    std::vector<std::vector<BlockParts>> parts;
};

struct CheckSources {
    std::vector<std::string> units;        ///< translation units
    std::vector<FunctionPlace> functions;  ///< as the plan has them
};

/// About `units` translation units of like size; whole functions each, in order.
[[nodiscard]] CheckSources check_sources(const Library& library, const CheckPlan& plan, std::size_t units);

}  // namespace kasc::libcheck
