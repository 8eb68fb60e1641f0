// The rule that takes one of several programs of the same results, and what a compilation keeps of the choice.
#include "driver/variants.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driver/plan_text.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

Variant variant(double time_ns, double memory_bytes) {
    Variant v;
    v.plans.emplace_back();
    v.plans.front().time_ns = time_ns;
    v.memory_bytes = memory_bytes;
    return v;
}

TEST(Variants, TheFastestIsTaken) {
    EXPECT_EQ(taken_of({variant(100, 5)}), 0U);
    EXPECT_EQ(taken_of({variant(100, 0), variant(90, 5)}), 1U);
    EXPECT_EQ(taken_of({variant(90, 5), variant(100, 0), variant(80, 9)}), 2U);
}

TEST(Variants, OfThoseAsFastToAHundredthTheOneWithLeastMemory) {
    EXPECT_EQ(taken_of({variant(100, 5), variant(100.9, 3)}), 1U);
    EXPECT_EQ(taken_of({variant(100, 5), variant(101.1, 3)}), 0U);
    EXPECT_EQ(taken_of({variant(100, 5), variant(99.5, 8)}), 0U);
    EXPECT_EQ(taken_of({variant(100, 5), variant(100, 5)}), 0U) << "the first";
}

TEST(Variants, OneWithoutAPlanIsNoChoice) {
    Variant none;
    none.fault = "no implementation";
    EXPECT_EQ(taken_of({variant(100, 5), none}), 0U);
}

/// 64 cells of a list in a loop over a large field: cell by cell, by the model; said, and planned once.
TEST(Variants, ACompilationKeepsTheHostPlansAndWhatWasSaid) {
    CompileRequest wanted = test::request_of(
        "param int steps = 100; float T[x, y] boundary keep(1), L[x, y], e[p]; int px[p], py[p]; input T, e, px, py;"
        "require(distinct(px, py));"
        "for (n = 0; n < steps; n++) { L = T[x - 1] + T[x + 1] - 2*T; T = T + 0.1*L; T[x = px, y = py] += e; } return "
        "T;");
    wanted.plan.count = 3;
    wanted.steps = 1;
    const Compilation priced = test::planned(wanted);
    ASSERT_EQ(priced.list_verdicts.size(), 1U);
    EXPECT_NE(priced.list_verdicts.front().find("by the model"), std::string::npos) << priced.list_verdicts.front();
    for (const ProgramPlan& plan : priced.plans) {
        ASSERT_TRUE(plan.host);
        EXPECT_FALSE(plan.host->kernels.empty());
    }
    wanted.lists = Lists::kernels;
    const Compilation kernels = test::planned(wanted);
    EXPECT_TRUE(kernels.plans.front().host->rides.empty());
    EXPECT_LE(priced.plans.front().time_ns, kernels.plans.front().time_ns);
}

// Measured on an H100: the first takes 1.2 times as long with several steps in its kernels, which compute fields anew
// at neighbours, the other 0.6 of the time of one.
TEST(Variants, StepsAreTakenWhereTheModelIsSureOfThem) {
    const auto said = [](const std::string& text, const std::map<std::string, double>& extents) {
        std::string all;
        for (const RewriteVerdict& v : test::planned(test::request_of(text, extents)).rewrites)
            if (v.rule == Rule::steps) all += v.verdict.reason();
        return all;
    };
    const std::string maxwell = said(
        "double ex[x,y,z] boundary value(0), ey[x,y,z] boundary value(0), ez[x,y,z] boundary value(0), "
        "hx[x,y,z] boundary value(0), hy[x,y,z] boundary value(0), hz[x,y,z] boundary value(0); "
        "input ex, ey, ez, hx, hy, hz; for (n = 0; n < 24; n++) {"
        " hx = hx - 0.1*((ez[y+1] - ez) - (ey[z+1] - ey)); hy = hy - 0.1*((ex[z+1] - ex) - (ez[x+1] - ez));"
        " hz = hz - 0.1*((ey[x+1] - ey) - (ex[y+1] - ex)); ex = ex - 0.1*((hz[y-1] - hz) - (hy[z-1] - hy));"
        " ey = ey - 0.1*((hx[z-1] - hx) - (hz[x-1] - hz)); ez = ez - 0.1*((hy[x-1] - hy) - (hx[y-1] - hx)); }"
        " return ex, ey, ez, hx, hy, hz;",
        {{"x", 128}, {"y", 96}, {"z", 144}});
    EXPECT_NE(maxwell.find("too little to be sure of where cells are computed anew"), std::string::npos) << maxwell;
    const std::string masked = said(
        "float u[x,y] boundary mirror, m[x,y]; input u, m; for (n = 0; n < 24; n++) {"
        " u = m > 1 ? 0.2*u + 0.2*(u[x-1] + u[x+1] + u[y-1] + u[y+1]) : u; } return u;",
        {{"x", 5569}, {"y", 3968}});
    EXPECT_NE(masked.find("done"), std::string::npos) << masked;
}

/// Less memory alone is not worth hundreds of statements.
TEST(Variants, ShortAxesAreWordsWhereThatIsFaster) {
    const auto words = [](const std::string& text, const std::map<std::string, double>& extents) {
        CompileRequest wanted = test::request_of(text, extents);
        wanted.device = "cpu";
        const Compilation c = test::planned(wanted);
        return std::any_of(c.rewrites.begin(), c.rewrites.end(),
                           [](const RewriteVerdict& v) { return v.rule == Rule::words && v.verdict; });
    };
    EXPECT_TRUE(words("float w[q] = {1, 2, 3}, f[x, q], s[x]; input f; s = sum(w*f, q); f = f - 0.1*w*s; return f;",
                      {{"x", 1e7}}));
    EXPECT_FALSE(
        words("vector3 r[a]; float f[a], I[h, k, l]; axis h = 8; axis k = 8; axis l = 8; "
              "function turn() = 6.28*((h - 4)*r.x + (k - 4)*r.y + (l - 4)*r.z); input r, f; "
              "I = pow(sum(f*cos(turn()), a), 2) + pow(sum(f*sin(turn()), a), 2); return I;",
              {{"a", 1e5}}));
}

/// Unrolled it takes as long by the model, which counts all iterations, and computes them all; a thread that runs the
/// loop leaves it.
TEST(Variants, LoopsThatEachCellEndsAreRunRatherThanUnrolled) {
    const auto is_run = [](const std::string& condition) {
        const Compilation c =
            test::planned(test::request_of("float c[x], z[x], y[x]; input c; z = 1; y = 1; for (n = 0; n < 12" +
                                               condition + "; n++) { y = exp(z) - c; z = z - y/exp(z); } return z;",
                                           {{"x", 1e7}}));
        return std::any_of(c.rewrites.begin(), c.rewrites.end(),
                           [](const RewriteVerdict& v) { return v.rule == Rule::inside && v.verdict; });
    };
    EXPECT_TRUE(is_run(" && abs(y) > 1e-4"));
    EXPECT_FALSE(is_run(""));
}

/// A loop that sums along an axis of few cells needs all of them in each iteration; as words they are one thread's.
TEST(Variants, LoopsOverShortAxesRunInAKernelOnceTheseAreWords) {
    const Compilation c = test::planned(
        test::request_of("float M[a, b] = {{8, 2}, {2, 6}}; float S[c, a], next[c, a]; param int steps = 100; input S; "
                         "for (n = 0; n < steps; n++) { next = 0.01*sum(M*S[a = b], b); S = S - next*S; } return S;",
                         {{"c", 1e6}}));
    std::string said;
    for (const RewriteVerdict& v : c.rewrites)
        if (v.rule == Rule::words || v.rule == Rule::inside)
            said += fmt::format("{} {}; ", name_of(v.rule), v.verdict ? "yes" : v.verdict.reason());
    EXPECT_EQ(said, "words yes; words yes; inside yes; ");
    EXPECT_TRUE(c.plans.front().loops.empty()) << "the host has no loop";
}

/// Which rules were applied, and what is read and written of memory.
std::pair<std::string, double> applied_and_megabytes(const std::string& text,
                                                     const std::map<std::string, double>& extents) {
    const Compilation c = test::planned(test::request_of(text, extents));
    std::string said;
    for (const RewriteVerdict& v : c.rewrites)
        if (v.verdict) said += std::string(name_of(v.rule)) + "; ";
    return {said, c.plans.front().bytes / 1e6};
}

/// Each cell of a loop that runs in a kernel reads what those beside it read as well; as words they are one thread's.
TEST(Variants, CellsOfALoopInAKernelMayBecomeWords) {
    const auto [said, megabytes] = applied_and_megabytes(
        "axis tone = 8; float s[b, n], f[tone], p[b, tone], q[b, tone]; input s, f; p = 0; q = 0; "
        "for (i = 0; i < extent(n); i++) { float next[b, tone]; next = f*p - q + s[n = i]; q = p; p = next; } "
        "q = p*p + q*q - f*p*q; return q;",
        {{"b", 1e5}, {"n", 200}});
    EXPECT_EQ(said, "words; inside; ");
    EXPECT_LT(megabytes, 97) << "of 80 that are read once, and 3.2 five times at most";
}

/// Which cell each iteration is about is known once it is written out.
TEST(Variants, LoopsAlongAShortAxisAreOneKernelOfWords) {
    const auto [said, megabytes] = applied_and_megabytes(
        "axis node = 7; float leaf[x, i], L[x, node], root[x]; axis i = 4; input leaf; "
        "for (k = 0; k < 4; k++) { L[node = k] = 0.5*leaf[i = k]; } "
        "for (k = 0; k < 3; k++) { L[node = 4 + k] = L[node = 2*k]*L[node = 2*k + 1]; } root = L[node = 6]; "
        "return root;",
        {{"x", 1e6}});
    EXPECT_EQ(said, "words; ");
    EXPECT_NEAR(megabytes, 20, 0.1);
}

TEST(Variants, APlanWhoseLoopsKernelAloneHasWordsIsReadAsItIsSaid) {
    CompileRequest wanted = test::request_of(
        "axis s = 16; axis r = 16; float A[r, s], emit[s, b, t], d[s, b]; int back[s, b, t]; input A, emit; "
        "d = emit[t = 0]; for (n = 1; n < extent(t); n++) { back[t = n] = argmax(A + d[s = r], r); "
        "d = maximum(A + d[s = r], r) + emit[t = n]; } return d, back;",
        {{"b", 4096}, {"t", 512}});
    const Compilation open = test::planned(wanted);
    const std::string plan = plan_text(open, open.plans.front());
    EXPECT_NE(plan.find("loop.n: loop"), std::string::npos) << plan;
    wanted.written_plan = make_source("--plan", plan);
    EXPECT_EQ(test::planned(wanted).plans.front().time_ns, open.plans.front().time_ns);
}

/// A loop that takes as long in a kernel as unrolled saves what stands behind it the way of its words through memory.
TEST(Variants, LoopsRunWithinTheKernelOfWhatStandsBesideThem) {
    const auto planned = [](const std::string& behind, std::set<Rule> without) {
        CompileRequest wanted = test::request_of(
            "matrix3x3 A; vector3 x; param float s; param int steps = 3; input A, x;"
            "for (i = 0; i < steps; i++) { A = s*mmul33(A, A); }" +
                behind,
            {{"elements", 1e6}});
        wanted.no_rewrite = std::move(without);
        return test::planned(wanted).plans.front().time_ns;
    };
    const std::string beside = "x = mvmul33(A, x); return x;";
    EXPECT_LT(planned(beside, {}), 0.55 * planned(beside, {Rule::inside}));
    EXPECT_EQ(planned("return A, x;", {}), planned("return A, x;", {Rule::inside})) << "nothing to save";
}

}  // namespace
}  // namespace kasc
