#include "tune/plan_text.hpp"

#include <fmt/format.h>

#include "driver/report_parts.hpp"

namespace kasc::tune {

std::string parts_text(const Compilation& compilation, const PlannedGraph& plan) {
    std::string text;
    for (const GraphInPlan& g : graphs_of(compilation, plan)) {
        for (const Candidate* candidate : chosen(*g.planned))
            text += fmt::format("{}{}", text.empty() ? "" : "+", fusion_of(candidate->schedule).calls.size());
    }
    return text;
}

}  // namespace kasc::tune
