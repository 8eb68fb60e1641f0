// Whole programs planned: for which sizes, what is said of the plan, and how long it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/compilation.hpp"
#include "driver/plan_text.hpp"
#include "driver/report.hpp"
#include "driver/stage_text.hpp"
#include "support/of_the_day.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

std::string refusal(const CompileRequest& wanted) {
    const auto compilation = compile(wanted);
    EXPECT_FALSE(compilation);
    return render_text(compilation.diagnostics);
}

std::string repeated(const std::string& part, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += part;
    return all;
}

/// A loop whose length is set, over axes whose lengths are declared, although the input has one of them.
const std::string sized =
    "axis x = 2*n; axis u = extent(x)/4; axis kx = half(x);\n"
    "param int n = 16; param int m;\n"
    "float T[x] boundary mirror, U[u], s[t], r[v, w];\n"
    "input T;\n"
    "U = T[x = 4*u];\n"
    "for (i = 0; i < n + extent(u); i++) { T = 0.5*T + T[x + 1]; s[t = i] = T[x = 0]; }\n"
    "for (i = 0; i < 3; i++) { for (k = 0; k < m; k++) { r[v = i, w = k] = sum(U); } }\n"
    "return T, U, s, r;\n";

TEST(Plans, AreForTheSizesThatTheProgramSettles) {
    for (const int n : {16, 512}) {
        const Compilation c = test::planned(test::request_of(sized, {{"n", n}}));
        const auto extent = [&](const std::string& name) {
            for (const AxisId axis : c.program.axes.ids()) {
                if (c.program.axes[axis].name == name) return c.problem.extents.at(axis.index);
            }
            return 0LL;
        };
        EXPECT_EQ(extent("x"), 2 * n);
        EXPECT_EQ(extent("u"), n / 2);
        EXPECT_EQ(extent("kx"), n + 1);
        EXPECT_EQ(extent("t"), n + n / 2);
        EXPECT_EQ(extent("v"), 3);
        EXPECT_EQ(extent("w"), 100) << "m has no value";
        ASSERT_EQ(c.plans.front().iterations.size(), 2U);
        EXPECT_EQ(c.plans.front().iterations.begin()->second, n + n / 2);
    }
    const Compilation set = test::planned(test::request_of(sized, {{"x", 100}, {"m", 7}}));
    EXPECT_EQ(set.problem.extents.front(), 100);
    EXPECT_EQ(set.plans.front().loops.size(), 2U);
}

const std::string chain =
    "float T[x, y, z] boundary keep(1), L[x, y, z]; param int steps = 3; input T;\n"
    "for (n = 0; n < steps; n++) { L = T[x - 1] + T[x + 1]; T = T + 0.1*L; }\nL = 2*T; return T, L;\n";

TEST(Plans, UnfusedTrafficIsThatOfTheProgramWhateverThePlanFuses) {
    CompileRequest written = test::request_of(chain);
    written.steps = 1;  // of which a written plan is
    const Compilation open = test::planned(written);
    written.written_plan = make_source("--plan", "L+T:");
    const Compilation fused = test::planned(written);
    EXPECT_GT(open.plans.front().unfused_bytes, 0);
    EXPECT_DOUBLE_EQ(fused.plans.front().unfused_bytes, open.plans.front().unfused_bytes);
}

TEST(Plans, NoneIsCalledOptimalWhereTheSearchWasCut) {
    CompileRequest wanted = test::request_of("float T[x]; input T;" + repeated("T = T + 1;", 6) + "return T;");
    EXPECT_EQ(test::planned(wanted).plans.front().selection.bound, "optimal for the model");
    wanted.plan.bounds.max_calls = 3;
    const Compilation cut = test::planned(wanted);
    EXPECT_EQ(cut.plans.front().selection.bound, "the best of what was searched, for the model");
    EXPECT_NE(explain_text(cut, std::nullopt).find("search cut in program: left out: fusions of more than 3 calls"),
              std::string::npos);
}

TEST(Plans, ABoundThatRefusesAFusionIsNamed) {
    CompileRequest wanted = test::request_of("float T[x]; input T;" + repeated("T = T + 1;", 18) + "return T;");
    std::string all = "T";
    for (int k = 2; k <= 17; ++k) all += "+T." + std::to_string(k);
    wanted.written_plan = make_source("--plan", all + ":");
    wanted.plan.bounds.max_calls = 16;
    const std::string said = refusal(wanted);
    EXPECT_NE(said.find("K0922"), std::string::npos) << said;
    EXPECT_NE(said.find("more calls than a kernel may have (--max-fusion)"), std::string::npos) << said;
    EXPECT_EQ(said.find("path"), std::string::npos) << said;
    // What lies between two calls that read one field is too much for a kernel.
    CompileRequest between = test::request_of("float A[x], T[x], U[x]; input A; T = A;" + repeated("T = T + 1;", 17) +
                                              "U = A*T; return T, U;");
    between.plan.bounds.max_calls = 16;
    const Compilation c = test::planned(between);
    const std::string explained = explain_text(c, std::nullopt);
    EXPECT_NE(explained.find("more calls than a kernel may have (--max-fusion)"), std::string::npos) << explained;
}

/// A stencil in a loop, a sum, and what one thread computes of it.
const std::string mixed =
    "float T[x, y] boundary mirror, total[]; param int steps; input T;\n"
    "for (n = 0; n < steps; n++) { T = T + 0.1*(T[x - 1] + T[x + 1] - 2*T); }\n"
    "total = 2*sum(T);\nreturn T, total;\n";

TEST(Plans, AChoiceWithoutKernelsIsThatOfAllThatCanHaveIt) {
    CompileRequest wanted = test::request_of(mixed);
    for (const char* choice : {"grid 16x8", "neighbours shared"}) {
        wanted.written_plan = make_source("--plan", choice);
        const Compilation planned = test::planned(wanted);
        ASSERT_EQ(planned.plans.front().loops.size(), 1U) << choice;
        const PlannedGraph& loop = *planned.plans.front().loops.begin()->second;
        ASSERT_EQ(loop.selection.candidates.size(), 1U) << choice;
        const auto& schedule = loop.costed->candidates[loop.selection.candidates.front()].schedule;
        EXPECT_NE(print(choice_of(schedule)).find(choice), std::string::npos) << print(choice_of(schedule));
    }
}

/// The lanes of a fold are the language's: a plan may say its block, and no other.
TEST(Plans, AFoldHasItsOwnBlockAlone) {
    const auto said = [](const char* plan) {
        CompileRequest wanted = test::request_of(
            "float u[x, y] boundary mirror, r[y]; input u; r = sum(u[x - 1] + u[y + 1], x); return r;");
        wanted.written_plan = make_source("--plan", plan);
        const auto made = compile(wanted);
        return made ? std::string() : made.diagnostics.front().code + " " + made.diagnostics.front().label;
    };
    for (const char* choice : {"grid 32x8", "rows 1 vector 1", "launch own"}) EXPECT_EQ(said(choice), "") << choice;
    EXPECT_EQ(said("r: grid 8x32"), "");
    for (const char* choice : {"r: warp 32x1 chunk 8", "r: column 32x8 chunk 8", "r: staged 64x1", "r: rows 2"})
        EXPECT_EQ(said(choice),
                  "K0923 what folds its cells has one block: lanes in the order of the language, 'grid 8x32 vector 1 "
                  "rows 1 neighbours registers borders cell'")
            << choice;
    EXPECT_EQ(said("column 32x8"), "K0923 no kernel of the program can have it");
}

TEST(Plans, AChoiceThatNoKernelCanHaveIsRefusedWithWhatEachSays) {
    CompileRequest wanted = test::request_of("float a[x], b[x]; input a; b = 2*a; a = b*b + 1; return a, b;");
    wanted.written_plan = make_source("--plan", "neighbours shared");
    const auto refused = compile(wanted);
    ASSERT_EQ(refused.diagnostics.size(), 1U) << render_text(refused.diagnostics);
    EXPECT_EQ(refused.diagnostics.front().code, "K0923");
    ASSERT_EQ(refused.diagnostics.front().notes.size(), 2U);
    for (const Note& note : refused.diagnostics.front().notes)
        EXPECT_EQ(note.text, "no field is read at a neighbour: nothing to share");
}

TEST(Plans, AKernelThatCannotBeAsItsPlanSaysIsNamed) {
    CompileRequest wanted = test::request_of(mixed);
    wanted.written_plan = make_source("--plan", "T: column 32x64");
    const auto refused = compile(wanted);
    ASSERT_EQ(refused.diagnostics.size(), 1U) << render_text(refused.diagnostics);
    ASSERT_EQ(refused.diagnostics.front().notes.size(), 1U);
    EXPECT_EQ(refused.diagnostics.front().notes.front().text, "the kernel computes this");
}

TEST(Plans, TheSpaceIsUnderItsGraphs) {
    CompileRequest wanted = test::request_of(chain);
    wanted.plan.keep_all = true;
    wanted.steps = 1;
    const auto space = nlohmann::json::parse(space_json(test::planned(wanted)));
    ASSERT_EQ(space["graphs"].size(), 2U);
    EXPECT_FALSE(space.contains("cuda_graphs"));
    EXPECT_GT(space["graphs"][1]["candidates"].size(), 0U);
}

/// Seconds of a core.
double time_of(const std::string& text) {
    const std::clock_t start = std::clock();
    const CompileRequest wanted = test::request_of(text);
    const Compilation c = test::planned(wanted);
    EXPECT_TRUE(stage_text("graph", c, wanted, emit::Target::cuda));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Plans, BarriersOfFieldsAreExplainedAsThoseOfStreams) {
    CompileRequest wanted =
        test::request_of("float T[x, y] boundary mirror; input T; T = T[-1, 0] + T[1, 0] + T[0, 1]; return T;");
    wanted.written_plan = make_source("--plan", "grid 32x8 neighbours shared");
    const std::string json = explain_json(test::planned(wanted), std::nullopt);
    EXPECT_NE(json.find("step 1 (cells) reads T_tile, which other threads wrote in step 0 (fill)"), std::string::npos)
        << json;
}

TEST(Plans, EveryKernelIsInOneUnitForNvrtc) {
    std::string statements = "T1 = T[x - 1] + T[x + 1]; ", declared = "T1[x] boundary mirror";
    for (int k = 2; k < 30; ++k) {
        const std::string name = "T" + std::to_string(k), before = "T" + std::to_string(k - 1);
        declared += ", " + name + "[x] boundary mirror";
        statements += name + " = exp(" + before + "[x - 2]*" + before + "[x + 2]) + " + before + "; ";
    }
    CompileRequest wanted =
        test::request_of("float T[x] boundary mirror, " + declared + "; input T; " + statements + "return T29;");
    wanted.plan.strategy = "none";
    const Compilation c = test::planned(wanted);
    const auto walked = emit_walked(c, wanted, 0, emit::Target::cuda);
    ASSERT_TRUE(walked);
    EXPECT_GT(walked->module.units.size(), 3U);
    std::set<std::string> names;
    for (const emit::EmittedFile& unit : walked->module.units) {
        EXPECT_LT(unit.text.size(), 8192U) << unit.name;
        EXPECT_TRUE(names.insert(unit.name).second) << unit.name;
    }
    for (const kernel::Lowered& lowered : walked->plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            const auto holds = [&](const emit::EmittedFile& unit) {
                return unit.text.find("\n" + k.name + "(") != std::string::npos;
            };
            EXPECT_EQ(std::count_if(walked->module.units.begin(), walked->module.units.end(), holds), 1) << k.name;
        }
    }
}

TEST(Plans, ProgramsWithinTheBoundsAreMadeSoon) {
    // Every day a quarter of each, in a quarter of the time; with KASC_FULL as many statements as there may be.
    const auto part = static_cast<int>(test::one_of(4));
    const double most = 20.0 / part;
    EXPECT_LT(time_of("float A[x]; input A;" + repeated("A=A+1;", 16'500 / part) + "return A;"), most);
    EXPECT_LT(time_of("float A[x]; input A;" + repeated("A[x=0]=1;", 9'900 / part) + "return A;"), most);
    EXPECT_LT(time_of("quaternion q; input q;" + repeated("q=qconj(q);", 14'000 / part) + "return q;"), most);
    EXPECT_NE(
        refusal(test::request_of("float A[x]; input A;" + repeated("A=A+1;", 17'000) + "return A;")).find("K0106"),
        std::string::npos);
}

/// A condition on numbers touches no stream: calls share kernels, and elements threads, as without it.
TEST(Plans, OfStreamsAreTheSameWithAConditionOnNumbers) {
    for (const std::string program : {"matrix_powers", "big_fusion", "strain_energy", "attitude"}) {
        const std::string text = test::read_file(std::string(KASC_SOURCE_DIR) + "/examples/" + program + ".kas");
        const std::size_t input = text.find("input ");
        ASSERT_NE(input, std::string::npos) << program;
        const std::string more =
            "param double least = 1;\noption family = 2;\nfunction twice(a) = 2*a;\n"
            "require(twice(least) > 0 && family < 3);\n";
        const auto plan_of = [](const std::string& of) {
            const Compilation c = test::planned(test::request_of(of, {{"n", 1e6}}));
            return plan_text(c, c.plans.front()) + std::to_string(c.plans.front().time_ns);
        };
        EXPECT_EQ(plan_of(text.substr(0, input) + more + text.substr(input)), plan_of(text)) << program;
    }
}

}  // namespace
}  // namespace kasc
