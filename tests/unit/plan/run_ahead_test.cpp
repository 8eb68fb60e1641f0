// Loops with conditions that run ahead, and what their kernels ask.
#include "plan/run_ahead.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "support/field_case.hpp"

namespace kasc {
namespace {

struct PlannedAhead {
    explicit PlannedAhead(const std::string& text) : of(text) {
        const auto device = read_device("h100", KASC_SOURCE_DIR "/devices");
        if (!device) throw std::runtime_error(render_text(device.diagnostics));
        const auto plans = plan_graph(of.program, of.graph, of.library, *device, planned_problem(of.program), {});
        if (!plans) throw std::runtime_error(render_text(plans.diagnostics));
        ahead = run_ahead(build_host_plan(of.program, of.library, plans->front(), "a"), of.program);
    }
    /// "n: reason; …"
    [[nodiscard]] std::string said() const {
        std::string all;
        for (const AheadVerdict& v : ahead.verdicts)
            all += (all.empty() ? "" : "; ") + v.loop + (v.verdict ? ": " : ", not: ") + v.verdict.reason();
        return all;
    }
    [[nodiscard]] const LoopStep& loop() const {
        for (const HostStep& step : ahead.plan.steps) {
            if (const auto* found = std::get_if<LoopStep>(&step.what)) return *found;
        }
        throw std::runtime_error("no loop");
    }
    [[nodiscard]] const kernel::Kernel& kernel(const HostStep& step) const {
        return ahead.plan.kernels[std::get<LaunchStep>(step.what).kernel].alternatives.front();
    }

    test::FieldCase of;
    AheadPlan ahead;
};

std::string relaxed(const std::string& body, const std::string& declared = "", const std::string& returned = "") {
    return "float T[x, y] boundary mirror, before[x, y], hot[]; int turns[];\n" + declared +
           "input T;\nturns = 0;\nbefore = 0*T;\nhot = 1;\n"
           "for (n = 0; n < 50 && maximum(abs(T - before)) > 1e-3; n++) {\n"
           "    before = T;\n    T = T + 0.1*(T[1, 0] - 2*T + T[-1, 0]);\n" +
           body + "}\nreturn T, before, turns, hot" + returned + ";\n";
}

TEST(RunAhead, EveryKernelOfTheBodyAsksTheNumberAndTheLastStoresIt) {
    const PlannedAhead planned(relaxed("    turns = turns + 1;\n"));
    EXPECT_EQ(planned.said(), "n: 1, 2, 4 … 16 iterations are launched before the host looks");
    const LoopStep& loop = planned.loop();
    EXPECT_EQ(loop.looking, LoopStep::Looking::ahead);
    for (const HostStep& step : loop.body) {
        const kernel::Kernel& k = planned.kernel(step);
        EXPECT_EQ(k.guards.size(), 1U) << k.name;
        EXPECT_EQ(kernel::verify(k), "");
    }
    const kernel::Kernel& last = planned.kernel(loop.body.back());
    bool stores = false;
    for (const kernel::Parameter& p : last.parameters)
        stores = stores || (std::holds_alternative<kernel::ArrayOut>(p.source) && p.name == last.guards.front());
    EXPECT_TRUE(stores) << kernel::print(last);
}

TEST(RunAhead, ABranchWithinAsksBothNumbers) {
    const PlannedAhead planned(relaxed("    hot = maximum(T);\n    if (hot > 0.5) { turns = turns + 1; }\n"));
    EXPECT_EQ(planned.said(),
              "n: 1, 2, 4 … 16 iterations are launched before the host looks; once: a branch whose kernels ask");
    std::size_t most = 0;
    for (const kernel::Lowered& lowered : planned.ahead.plan.kernels)
        most = std::max(most, lowered.alternatives.front().guards.size());
    EXPECT_EQ(most, 2U);
}

TEST(RunAhead, ANumberOfTheProgramsKeepsTheHostLooking) {
    EXPECT_EQ(PlannedAhead("float u[x], r[]; int more[];\ninput u;\nmore = 1;\nr = 1;\n"
                           "while (more) { u = 0.5*u; r = maximum(u); more = r > 0.1 ? 1 : 0; }\nreturn u;\n")
                  .said(),
              "iteration, not: its condition is a number of the program's, which does not count its iterations");
}

/// The kernel that stores the number becomes the last; what a branch in front of it goes by is made by another.
TEST(RunAhead, WhatABranchGoesByIsThereBeforeIt) {
    const PlannedAhead planned(
        "float g[x], step[], e[], last[];\ninput g;\ne = sum(g*g);\nlast = e + 1;\nstep = 0.5;\n"
        "for (n = 0; n < 50 && e < last; n++) {\n    last = e;\n    g = g - step*g*0.1;\n    e = sum(g*g);\n"
        "    if (e > 0.9*last) { step = step*0.5; } else { step = step*1.1; }\n}\nreturn g, e, step;\n");
    EXPECT_EQ(planned.loop().looking, LoopStep::Looking::ahead) << planned.said();
    std::set<SlotId> stored;
    int branches = 0;
    for (const HostStep& step : planned.loop().body) {
        if (const auto* branch = std::get_if<LoopStep>(&step.what)) {
            ++branches;
            EXPECT_TRUE(branch->going && stored.contains(*branch->going));
            continue;
        }
        for (const kernel::Parameter& p : planned.kernel(step).parameters)
            if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source))
                stored.insert(std::get<LaunchStep>(step.what).arrays.at(out->value));
    }
    EXPECT_EQ(branches, 2);
}

TEST(RunAhead, OfPositionsThatMoveTheHostKnowsWhetherTheyAreOnTheGrid) {
    const PlannedAhead planned(
        relaxed("    trace[t = n] = maximum(T);\n", "float trace[t];\naxis t = 20;\n", ", trace"));
    EXPECT_EQ(planned.loop().looking, LoopStep::Looking::ahead) << planned.said();
    EXPECT_EQ(moving_positions(planned.ahead.plan, planned.loop()).size(), 1U);
}

}  // namespace
}  // namespace kasc
