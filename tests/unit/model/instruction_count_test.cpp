// What one evaluation of a statement costs a thread.
#include "model/field/instruction_count.hpp"

#include <gtest/gtest.h>

#include "support/field_case.hpp"

namespace kasc::model {
namespace {

double instructions_of_value(const std::string& value) {
    const test::FieldCase c("float u[x] boundary mirror, v[x]; function sq(a) = a*a; input u; v = " + value +
                            "; return v;");
    return instruction_count(*field_work(c.program, c.graph, c.whole()).value->plan.calls.front().statement);
}

TEST(InstructionCount, WhatStandsInSeveralPlacesIsComputedOnce) {
    EXPECT_EQ(instructions_of_value("sqrt(u + u[1])"), 10);
    EXPECT_EQ(instructions_of_value("sqrt(u + u[1]) + sqrt(u + u[1])"), 11);
    EXPECT_EQ(instructions_of_value("sq(sq(u - u[1]))"), 3);
    EXPECT_EQ(instructions_of_value("sq(u - u[1]) + sq(u - u[-1])"), 5);
}

TEST(InstructionCount, AChoiceCountsBothSides) {
    EXPECT_EQ(instructions_of_value("u > 0 ? sqrt(u) : sqrt(-u)"), 1 + 9 + 1 + 9);
}

TEST(InstructionCount, PositionsAreComputedAsWell) {
    EXPECT_EQ(instructions_of_value("u[x = int(sqrt(u))]"), 1 + 9);
    EXPECT_EQ(instructions_of_value("u[x = int(sqrt(u))] + u[x = int(sqrt(u)) + 1]"), 1 + 9 + 1 + 1);
    EXPECT_EQ(instructions_of_value("u[x = int(sqrt(u))] + sqrt(u)"), 1 + 9 + 1);
}

TEST(InstructionCount, TheHostComputesWhatIsTheSameForAllCells) {
    EXPECT_EQ(instructions_of_value("exp(-1/(2*1.5*1.5))*u + exp(-0.5)*u[1]"), 3);
}

}  // namespace
}  // namespace kasc::model
