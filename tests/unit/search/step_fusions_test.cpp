// Which kernels are looked at for several steps of a loop.
#include "search/step_fusions.hpp"

#include <gtest/gtest.h>

#include "support/field_case.hpp"

namespace kasc::test {
namespace {

/// Some fusion has as many calls as one and a half steps, the body being written `steps` times, all of one kernel.
bool ends_within_a_step(const std::string& declared, const std::string& body, int steps, std::size_t calls_of_step) {
    std::string text = declared;
    for (int k = 0; k < steps; ++k) text += body;
    text += "return e, h;";
    const FieldCase c(text);
    StepKernels step;  // one kernel has all calls of a step
    for (const NodeId node : c.graph.nodes.ids())
        step[{c.graph.nodes[node].span.begin, c.graph.nodes[node].span.end}] = {0};
    const SetRules rules(c.program, c.graph, SearchBounds{});
    const auto space = fusions_of_steps(c.program, c.graph, rules, step);
    if (!space) return false;
    for (const FusionId id : space->fusions.ids())
        if (space->fusions[id].calls.size() == calls_of_step + calls_of_step / 2) return true;
    return false;
}

TEST(StepFusions, EndWithinAStepWhereStepsHaveFewCalls) {
    const std::string declared = "float e[x,y] boundary value(0), h[x,y] boundary value(0); input e, h; ";
    const std::string step = "h = h + 0.1*(e[x + 1] - e); e = e + 0.1*(h - h[x - 1]); ";
    EXPECT_TRUE(ends_within_a_step(declared, step, 3, 2));
    EXPECT_FALSE(ends_within_a_step(declared, step, 10, 2)) << "of many calls all runs would be too many";
}

}  // namespace
}  // namespace kasc::test
