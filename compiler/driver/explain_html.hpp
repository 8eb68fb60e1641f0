#pragma once
// The explorer page: the explanation as one HTML file that needs no network (docs/explorer.md).

#include <optional>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "driver/report.hpp"

namespace kasc {

/// A whole plan that kasc tune has timed; `fault`: why it has no time; empty: it has.
struct MeasuredPlan {
    std::string plan;  ///< plan_text
    int position = 0;  ///< in the predicted order, from 1
    double predicted_ns = 0, median_ns = 0, low_ns = 0, high_ns = 0;
    std::string fault;
};
struct MeasuredPlans {
    std::string device, sizes, parameters, compiler;
    std::vector<MeasuredPlan> plans;
};

/// What the page says besides what the compilation knows.
struct PageFacts {
    std::optional<StepReport> step;
    double least_bytes = 0;                 ///< that any fusion moves; 0: not known
    std::optional<MeasuredPlans> measured;  ///< none: nothing was measured
    std::string version;                    ///< kasc's own
};

/// The same bytes for the same compilation and facts. Requires: compiled with PlanOptions::keep_all and two plans.
/// K0602 where a file of support/explorer cannot be read, and what emission says.
[[nodiscard]] Outcome<std::string> explain_html(const Compilation& compilation, const CompileRequest& request,
                                                const PageFacts& facts);

}  // namespace kasc
