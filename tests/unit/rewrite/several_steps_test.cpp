#include "rewrite/several_steps.hpp"

#include <gtest/gtest.h>

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
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0]; r[t = i] = u[x = 1, y = 1]; } return u, r;", 2),
              "'r[t = i] = u[x = 1, y = 1]' assigns some cells, in each step;");
    EXPECT_EQ(stepped(head + "for (i = 0; i < n; i++) { u = u[1,0] - sum(u); } return u;", 2),
              "'u_sum_parts = sum(u)' needs all cells of a step;");
}

}  // namespace
}  // namespace kasc::test
