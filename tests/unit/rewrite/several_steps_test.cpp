#include "rewrite/several_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/steppable.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

std::string stepped(const std::string& text, int steps) {
    const FieldCase c(text);
    const SeveralSteps made = several_steps(c.program, steps);
    std::string said;
    for (const StepsVerdict& v : made.verdicts) said += v.verdict.reason() + ";";
    return said;
}

TEST(SeveralSteps, SayWhichLoopsHaveThem) {
    const std::string head = "param int n = 9; axis t = n; float u[x,y] boundary mirror, r[t]; input u; ";
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0]; } return u;", 3), "3 steps behind each other;");
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = 2*u; } return u;", 3), "") << "no neighbour is read";
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0]; u[x = 1] = 3; } return u;", 2),
              "'u[x = 1] = 3' assigns some cells, in each step;");
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0] - sum(u); } return u;", 2),
              "'u_sum_parts = sum(u)' needs all cells of a step;");
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0] - running_sum(u, -y); } return u;", 2),
              "'u_running_sum = running_sum(u, -y)' needs all cells of a step;");
    EXPECT_EQ(
        stepped(head + "r = 0; for (i = 0; i < n; i++) { u = u[1,0] - r[t = 2]; r[t = i] = sum(u); } return u, r;", 2),
        "'r_parts = sum(u)' needs all cells of a step;")
        << "a step reads what is made of the sum";
}

/// An `if` of the loop's variable is done in single steps, in turns with several of those between.
TEST(SeveralSteps, StandBetweenThoseWhoseConditionsHold) {
    const std::string head =
        "param int n = 9; axis t = n; float u[x,y] boundary mirror, r[t], d[]; input u; d = 1; "
        "for (i = 0; i < n; i++) { u = u[1,0] + ";
    EXPECT_EQ(stepped(head + "1; if (i % 4 == 0) { r[t = i/4] = sum(u); } } return u, r;", 2),
              "2 steps behind each other;");
    EXPECT_EQ(stepped(head + "d; if (i % 4 == 0) { d = maximum(u); } } return u;", 2),
              "steps read 'd', which some of them assign;");
    EXPECT_EQ(stepped(head + "1; if (i % 4 == 0) { u = 2*u; } } return u;", 2), "2 steps behind each other;");
    EXPECT_EQ(stepped(head + "1; for (k = 0; k < 3; k++) { u = 2*u; } } return u;", 2),
              "a step transforms, or has a loop of its own;");
    EXPECT_EQ(stepped("param int n = 9; float u[x] boundary mirror, r[]; input u; r = 0; for (k = 0; k < 3; k++) { "
                      "for (i = 0; i < n; i++) { u = u[1]; if (i % 4 == k) { r = r + sum(u); } } } return u, r;",
                      2),
              "some of its steps have more to do, and it stands in another loop;");
    const FieldCase c(
        "param int n = 9; float u[x] boundary mirror, v[x]; input u, v;\n"
        "for (i = 1; i < n; i++) { u = u[1]; if (i % 4 == 0) { v = v + u; } if (i < 2) { v = v + i; } }\n"
        "return u, v;\n");
    const std::string text = print(several_steps(c.program, 2).program, c.library);
    EXPECT_NE(text.find("// in turns with the loop below, where !(i % 4 == 0) && !((i + 1) % 4 == 0) && !(i < 2) && "
                        "!(i + 1 < 2)\n"
                        "for (i_2 = 1; i_2 < n - 1; i_2 += 2) {\n    u = u[1];\n    u = u[1];\n}\n"
                        "for (i = 1; i < n; i++) {\n    u = u[1];\n    for (once = 0;"),
              std::string::npos)
        << text;
}

std::string loops_of(const std::string& text, int steps) {
    const FieldCase c(text);
    const std::string all = print(several_steps(c.program, steps).program, c.library);
    return all.substr(std::min(all.find("// in turns"), all.find("for (")));
}

/// Conditions that come round with the steps are known in each of them.
TEST(SeveralSteps, HaveConditionsOfTheirPeriodSettled) {
    const std::string turns =
        "param int n = 9; float u[x] boundary mirror, v[x] boundary mirror; input u, v; "
        "for (i = 1; i < n; i++) { if (i % 2 == 0) { u = v[1]; } else { v = u[-1] + i; } } return u, v;";
    EXPECT_TRUE(
        loops_of(turns, 4).starts_with("// in turns with the loop below, where (i - 1) % 2 == 0\n"
                                       "for (i_4 = 1; i_4 < n - 3; i_4 += 4) {\n"
                                       "    v = u[-1] + i_4;\n"
                                       "    u = v[1];\n"
                                       "    v = u[-1] + float(i_4 + 2);\n"
                                       "    u = v[1];\n"
                                       "}\n"
                                       "for (i = 1; i < n; i++) {\n"
                                       "    for (once = 0;"))
        << loops_of(turns, 4);
    EXPECT_EQ(stepped(turns, 3), "") << "what is left reads no neighbours of its own";
    const auto one = [](const std::string& condition) {
        return "param int n = 9; float u[x] boundary mirror; input u; for (i = 0; i < n; i++) { if (" + condition +
               ") { u = u[1]; } u = 2*u[-1]; } return u;";
    };
    const std::string yes = "2 steps behind each other;", no = "some of any 2 steps in a row have more to do;";
    EXPECT_EQ(stepped(one("(i + 3) / 2 % 2 == 1 && i % 2 == 0"), 4), "4 steps behind each other;");
    EXPECT_EQ(stepped(one("i % 2 == 1"), 2), yes);
    EXPECT_EQ(stepped(one("i % 4 < 3"), 2), no) << "of four steps one is without";
    EXPECT_EQ(stepped(one("i * 3 % 2 == 1"), 2), yes) << "it may not hold twice";
    EXPECT_EQ(stepped("param int from = -3; float u[x] boundary mirror; input u; for (i = from; i < 9; i++) { "
                      "if (i % 2 == 1) { u = u[1]; } u = u[-1]; } return u;",
                      2),
              yes);
}

/// Where nothing says that the loop begins at 0 or later, -1 % 2 is no 1.
TEST(SeveralSteps, HaveConditionsSettledOfIterationsThatAreNotNegative) {
    EXPECT_TRUE(loops_of("param int from = -3; float u[x] boundary mirror; input u; for (i = from; i < 9; i++) { "
                         "if (i % 2 == 1) { u = u[1]; } u = u[-1]; } return u;",
                         2)
                    .starts_with("// in turns with the loop below, where i >= 0 && i % 2 == 0\n"));
}

TEST(SeveralSteps, DoWhatStandsBehindTheElseOfAFewIterations) {
    const std::string text = loops_of(
        "param int n = 9; float u[x] boundary mirror; input u; "
        "for (i = 0; i < n; i++) { if (i % 5 == 1) { u = 2*u; } else { u = u[1]; } } return u;",
        2);
    EXPECT_TRUE(
        text.starts_with("// in turns with the loop below, where !(i % 5 == 1) && !((i + 1) % 5 == 1)\n"
                         "for (i_2 = 0; i_2 < n - 1; i_2 += 2) {\n    u = u[1];\n    u = u[1];\n}\n"))
        << text;
}

/// A loop within another runs to its end: it begins where its steps do.
TEST(SeveralSteps, HaveConditionsSettledInLoopsWithinLoops) {
    const std::string text = loops_of(
        "param int n = 9; float u[x] boundary mirror; input u; for (k = 0; k < 3; k++) { for (i = 0; i < n; i++) { "
        "if (i % 2 == 0) { u = u[1]; } else { u = u[-1]; } } } return u;",
        2);
    EXPECT_TRUE(
        text.starts_with("for (k = 0; k < 3; k++) {\n    for (i_2 = 0; i_2 < n - 1; i_2 += 2) {\n"
                         "        u = u[1];\n        u = u[-1];\n    }\n"
                         "    for (i = 2 * (n / 2); i < n; i++) {\n"))
        << text;
}

/// What a loop within another does in every few steps stands between blocks of the others.
TEST(SeveralSteps, AreThoseOfBlocksInLoopsWithinLoops) {
    const auto base_of = [](const std::string& condition, const std::string& step) {
        const FieldCase c(
            "param int n = 9; float u[x] boundary mirror, r[]; input u; r = 0; for (k = 0; k < 3; k++) { "
            "for (i = 0; i < n; i++) { " +
            step + " if (" + condition + ") { r = r + sum(u); } } } return u, r;");
        return print(steppable(c.program, true).program, c.library);
    };
    const std::string of_blocks = "for (i_block = 0;";
    EXPECT_NE(base_of("i % 5 == 2", "u = u[1];").find(of_blocks), std::string::npos);
    EXPECT_EQ(base_of("i % 2 == 1", "u = u[1];").find(of_blocks), std::string::npos) << "two steps know it";
    EXPECT_EQ(base_of("i % 5 == 2", "u = 2*u;").find(of_blocks), std::string::npos) << "no step looks at neighbours";
    EXPECT_EQ(base_of("i < 5", "u = u[1];").find(of_blocks), std::string::npos) << "it does not come round";
}

/// A loop ends in steps whose conditions hold where these alone change what it ends by.
TEST(SeveralSteps, StandBetweenLooksAtWhatTheLoopEndsBy) {
    const auto loop = [](const std::string& body) {
        return "param int n = 9; float u[x] boundary mirror, r[]; input u; r = 1; "
               "for (i = 0; i < n && r > 0.1; i++) { " +
               body + " } return u, r;";
    };
    const std::string known_after = "whether another step runs is known after each;";
    EXPECT_EQ(stepped(loop("u = u[1]; if (i % 3 == 0) { r = sum(u); }"), 2), "2 steps behind each other;");
    EXPECT_EQ(stepped(loop("u = u[1]; r = sum(u);"), 2), known_after);
    EXPECT_EQ(stepped(loop("u = u[1]; r = 0.5*r; if (i % 3 == 0) { r = sum(u); }"), 2), known_after);
    EXPECT_EQ(stepped(loop("u = u[1];"), 2), known_after) << "nothing changes what it ends by";
}

TEST(SeveralSteps, RecordAndReadTheRowsOfEach) {
    const FieldCase c(
        "param int n = 9; axis t = n; float u[x,y] boundary mirror, q[x,y,t], r[t], e[t]; input u, q;\n"
        "for (i = 1; i < n; i++) {\n"
        "    u = u[1,0] + i*q[t = i - 1];\n"
        "    r[t = i] = u[x = 1, y = i];\n"
        "    e[t = i] = sum(u);\n"
        "}\n"
        "return u, r, e;\n");
    const SeveralSteps made = several_steps(c.program, 2);
    ASSERT_EQ(made.verdicts.size(), 1U);
    EXPECT_TRUE(made.verdicts.front().verdict) << made.verdicts.front().verdict.reason();
    EXPECT_EQ(print(made.program, c.library).substr(print(made.program, c.library).find("for (")),
              "for (i_2 = 1; i_2 < n - 1; i_2 += 2) {\n"
              "    u = u[1, 0] + i_2 * q[t = i_2 - 1];\n"
              "    r[t = i_2] = u[x = 1, y = i_2];\n"
              "    e[t = i_2] = sum(u);\n"
              "    u = u[1, 0] + float(i_2 + 1) * q[t = i_2 + 1 - 1];\n"
              "    r[t = i_2 + 1] = u[x = 1, y = i_2 + 1];\n"
              "    e[t = i_2 + 1] = sum(u);\n"
              "}\n"
              "for (i = 2 * ((n - 1) / 2) + 1; i < n; i++) {\n"
              "    u = u[1, 0] + i * q[t = i - 1];\n"
              "    r[t = i] = u[x = 1, y = i];\n"
              "    e[t = i] = sum(u);\n"
              "}\n"
              "return u, r, e;\n");
    const Loop& several = made.program.loops[LoopId{1}];
    EXPECT_EQ(several.by, 2);
    EXPECT_EQ(several.rest, LoopId{0});
}

}  // namespace
}  // namespace kasc::test
