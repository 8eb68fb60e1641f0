// Sums that a step begins with, at the end of the step before.
#include "rewrite/rotated_loops.hpp"

#include <gtest/gtest.h>

#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

class RotatedLoopsTest : public testing::Test {
protected:
    inline static const std::string declarations =
        "float u[x] boundary mirror, w[x], dt[], seen[t]; axis t = 4; param int steps = 4; input u, w;\n";
};

TEST_F(RotatedLoopsTest, WhatTheyBeginWithStandsBeforeThemAndAtTheirEnd) {
    const Program program = test::checked_program(
        declarations + "for (n = 0; n < steps; n++) { dt = 1/maximum(abs(u)); u = u + dt*(u[x + 1] - u); } return u;");
    const std::vector<Rotation> found = rotations(program);
    ASSERT_EQ(found.size(), 1U);
    const Program turned = rotated(program, found.front());
    const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&turned.statements.back());
    ASSERT_TRUE(loop);
    EXPECT_EQ(turned.statements.size(), found.front().statements + 1);
    EXPECT_EQ(rewriting::statement_text(turned, (*loop)->body.front()), "u = u + dt * (u[1] - u)");
    EXPECT_EQ(rewriting::statement_text(turned, (*loop)->body.back()),
              rewriting::statement_text(turned, turned.statements[found.front().statements - 1]));
}

TEST_F(RotatedLoopsTest, StayWhereTheBeginningIsSeenOtherwise) {
    const auto count = [](const std::string& body) {
        return rotations(test::checked_program(declarations + body)).size();
    };
    EXPECT_EQ(count("dt = 0; for (n = 0; n < steps; n++) { dt = maximum(u); u = u*dt; } return u, dt;"), 0U);
    EXPECT_EQ(count("for (n = 0; n < steps; n++) { dt = n*maximum(u); u = u*dt; } return u;"), 0U);
    EXPECT_EQ(count("for (n = 0; n < steps; n++) { seen[t = n] = maximum(u); u = u*2; } return u, seen;"), 0U);
    EXPECT_EQ(count("for (n = 0; n < steps; n++) { dt = maximum(w); u = u*dt; } return u;"), 0U);
    EXPECT_EQ(count("dt = 0; for (n = 0; n < steps; n++) { dt = maximum(u); u = u*dt; } u = u + dt; return u;"), 0U);
}

}  // namespace
}  // namespace kasc
