// Small kernels of loops, and the launches that they ride on.
#include "plan/riders.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "support/field_case.hpp"

namespace kasc {
namespace {

class Planned {
public:
    explicit Planned(const std::string& text, const std::string& strategy = "exact") : case_(text) {
        const auto device = read_device("h100", KASC_SOURCE_DIR "/devices");
        if (!device) throw std::runtime_error(render_text(device.diagnostics));
        PlanOptions options;
        options.strategy = strategy;
        const auto plans =
            plan_graph(case_.program, case_.graph, case_.library, *device, planned_problem(case_.program), options);
        if (!plans) throw std::runtime_error(render_text(plans.diagnostics));
        planned_ = plans->front();
    }

    [[nodiscard]] HostPlan plan(Riding riding = Riding::where_possible) const {
        return build_host_plan(case_.program, case_.library, planned_, "a", riding);
    }
    /// "k1: rides on k0": all that is said of small kernels.
    [[nodiscard]] std::string rides() const {
        std::string said;
        for (const Ride& r : plan().rides) said += (said.empty() ? "" : "; ") + r.kernel + ": " + r.verdict.reason();
        return said;
    }
    /// The lines of the host plan that launch, swap and go round.
    [[nodiscard]] std::string steps() const {
        std::string said, line;
        std::istringstream all(print(plan(), case_.program));
        while (std::getline(all, line)) {
            const auto first = line.find_first_not_of(' ');
            for (const char* word : {"launch", "with", "loop", "after", "swap"})
                if (line.compare(first, std::string(word).size(), word) == 0) said += line + "\n";
        }
        return said;
    }

private:
    test::FieldCase case_;
    PlannedGraph planned_;
};

std::string heat(const std::string& declared, const std::string& statements, const std::string& returned,
                 const std::string& before = "") {
    return "param int steps; param float dt;\n"
           "float T[x, y, z] boundary mirror; int px[p], py[p], pz[p];\n" +
           declared + "input T, px, py, pz;\n" + before +
           "for (n = 0; n < steps; n++) {\n    T = T + dt*(T[1, 0, 0] - 2*T + T[-1, 0, 0]);\n" + statements +
           "}\nreturn T, " + returned + ";\n";
}
const std::string at_points = "T[x = px, y = py, z = pz]";

TEST(Riders, ARecordingRidesOnTheNextStepOfItsField) {
    const Planned heated(heat("float rec[p, t];\n", "rec[t = n] = " + at_points + ";\n", "rec"));
    EXPECT_EQ(heated.rides(), "a_k1: rides on a_k0 of the next iteration");
    EXPECT_EQ(heated.steps(),
              "loop n = 0 .. steps\n"
              "  launch a_k0 (T, T_2, px_in, py_in, pz_in, rec)\n"
              "    with a_k1 of the former iteration\n"
              "  swap T, T_2\n"
              "after the last iteration\n"
              "  launch a_k1 (T, px_in, py_in, pz_in, rec)\n");
}

TEST(Riders, SeveralListsAndStatisticsRideTogether) {
    const Planned many(heat("axis s = 9; float rec[p, t], most[p], square[s], last[t];\n",
                            "rec[t = n] = " + at_points + "; most = max(most, " + at_points +
                                "); square = square + T[x = s, y = 1, z = 2]*T[x = s, y = 1, z = 2];\n",
                            "rec, most, square", "most = -9; square = 0;\n"));
    EXPECT_EQ(many.rides(), "a_k3: rides on a_k2 of the next iteration; a_k4: rides on a_k2 of the next iteration");
    EXPECT_EQ(many.steps(),
              "launch a_k0 (most)\n"
              "launch a_k1 (square)\n"
              "loop n = 0 .. steps\n"
              "  launch a_k2 (T, T_2, square, px_in, py_in, pz_in, rec, most)\n"
              "    with a_k4 of the former iteration\n"
              "    with a_k3 of the former iteration\n"
              "  swap T, T_2\n"
              "after the last iteration\n"
              "  launch a_k3 (most, T, px_in, py_in, pz_in, rec, most)\n"
              "  launch a_k4 (square, T, square)\n");
}

TEST(Riders, WithinAnIterationNothingIsLeftForTheNext) {
    const Planned both(
        "param int steps;\nfloat u[x, y] boundary mirror, v[x, y] boundary mirror, rec[p, t]; int px[p], l[x, y];\n"
        "input u, v, px, l;\nfor (n = 0; n < steps; n++) {\n"
        "    u = u + 0.1*(v[0, 1] - v); rec[t = n] = u[x = px, y = 2];\n"
        "    v = v + 0.1*u[x = l];\n}\n"
        "return u, v, rec;\n");
    EXPECT_EQ(both.rides(), "a_k1: rides on a_k2");
    EXPECT_EQ(both.steps(),
              "loop n = 0 .. steps\n"
              "  launch a_k0 (u, v, u)\n"
              "  launch a_k2 (v, u, l_in, v, px_in, rec)\n"
              "    with a_k1\n");
    // Its own kernel is launched nowhere.
    EXPECT_EQ(both.plan().kernels.size(), 2U);
}

TEST(Riders, AreRefusedWithTheReason) {
    // The one kernel of the loop stores the dose over its former version.
    EXPECT_EQ(
        Planned(heat("float dose[x, y, z], rec[p, t]; \n",
                     "dose = dose + dt*T; rec[t = n] = dose[x = px, y = py, z = pz];\n", "dose, rec", "dose = 0;\n"))
            .rides(),
        "a_k2: a_k1 stores over dose, which it reads");
    EXPECT_EQ(Planned("param int steps; float T[x, y] boundary mirror, rec[p, t]; int px[p]; input T, px;\n"
                      "for (r = 0; r < steps; r++) {\n    rec[t = r] = T[x = px, y = 1];\n"
                      "    for (n = 0; n < 10; n++) { T = T + 0.1*(T[x + 1] - T); }\n}\nreturn T, rec;\n")
                  .rides(),
              "a_k0: the loop over n stores over T, which it reads");
    EXPECT_EQ(Planned("param int steps; float T[x] boundary mirror, rec[p, t]; int px[p]; input T, px;\n"
                      "for (n = 0; n < steps; n++) { T = T + 0.1*(T[x + 1] - T); rec[t = n] = T[x = px]; }\n"
                      "return T, rec;\n")
                  .rides(),
              "a_k0: a_k1 reads T, which it stores; a_k1: no kernel of the loop is over a grid");
    // The kernel of `sum` takes longer than the grid.
    EXPECT_EQ(
        Planned("param int steps; float S[x, y], sum[p]; axis x = 8; axis y = 8; axis p = 20000000; input S, sum;\n"
                "for (n = 0; n < steps; n++) { S = 2*S; sum = 2*sum; }\nreturn S, sum;\n")
            .rides(),
        "a_k1: kernels over a grid would wait for it");
}

TEST(Riders, NoneWithAKernelAStatement) {
    const std::string text = heat("float rec[p, t];\n", "rec[t = n] = " + at_points + ";\n", "rec");
    EXPECT_EQ(Planned(text, "none").rides(), "");
    EXPECT_TRUE(Planned(text).plan(Riding::never).rides.empty());
}

}  // namespace
}  // namespace kasc
