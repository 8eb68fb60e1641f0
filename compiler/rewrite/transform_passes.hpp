#pragma once
// Transforms over several axes as transforms along one axis each: kernels may then transform lines, and compute what
// stands before and behind (search/transform_lines.hpp).

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct PassesVerdict {
    std::string statement;
    Verdict verdict;
};

struct TransformPasses {
    /// The same in exact arithmetic. Ids of the program stay, new variables have the last; inputs, outputs, parameters,
    /// axes and loops are the same.
    Program program;
    std::vector<PassesVerdict> verdicts;
    bool changed = false;
};

/// Every transform over several axes in passes: forward the first axis first, backward last. Where a product is
/// transformed back, a factor that is the same along the axis of a pass stands behind that pass; so transforms of one
/// field with other factors have passes in common, which are computed once.
[[nodiscard]] TransformPasses transform_passes(const Program& program);

}  // namespace kasc
