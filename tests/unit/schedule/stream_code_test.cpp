#include "schedule/stream/code.hpp"

#include <gtest/gtest.h>

namespace kasc::test {
namespace {

std::string fault(const std::string& start, const std::vector<std::int32_t>& starts = {}) {
    DeviceFunction function;
    function.name = "d_f_1_compute";
    function.coordinates = {Coordinate::tx, Coordinate::ty, Coordinate::bx};
    return code_fault(start, function, macro_prefix("f_1"), {4, 2, 1}, starts);
}

TEST(StreamCode, AcceptsWhatCReadsAlike) {
    EXPECT_EQ(fault("ty*3+tx"), "");
    EXPECT_EQ(fault(" (bx*F_1_BY + ty) * F_1_BX - -tx "), "");
    EXPECT_EQ(fault("ty*4/2 + tx%2*3", {0, 3, 0, 3, 2, 5, 2, 5}), "");
}

TEST(StreamCode, ComparesDivisionsWithThePattern) {
    EXPECT_EQ(fault("(tx/2)*2", {0, 1, 2, 3, 0, 1, 2, 3}),
              "the start \"(tx/2)*2\" of thread 1 is 1 by its pattern, but C computes 0");
    EXPECT_EQ(fault("4/tx", {0}), "the start \"4/tx\" of thread 0 is 0 by its pattern, but C computes no value");
}

TEST(StreamCode, RefusesWhatTheFunctionDoesNotTake) {
    EXPECT_NE(fault("tz*3").find("the function does not take tz"), std::string::npos);
    EXPECT_NE(fault("G_1_BX*3").find("'G_1_BX' is no coordinate"), std::string::npos);
    EXPECT_NE(fault("i*3").find("'i' is no coordinate"), std::string::npos);
}

TEST(StreamCode, RefusesWhatMeansSomethingElseInC) {
    EXPECT_NE(fault("tx^2").find("'^' means something else in C"), std::string::npos);
    EXPECT_NE(fault("010").find("no coordinate, block dimension or decimal integer"), std::string::npos);
}

TEST(StreamCode, RefusesBrokenTextWithoutHarm) {
    for (const char* text : {"", "(", ")", "tx+", "*tx", "tx ty", "(tx", "tx)", "()", "2(3)", "+", "tx+*2", "\xff"})
        EXPECT_NE(fault(text), "") << text;
    EXPECT_NE(fault(std::string(100000, '(')), "");
    EXPECT_NE(fault(std::string(100000, '-') + "/", {1}), "");
    EXPECT_NE(fault("99999999*99999999/1", {1}), "");
}

}  // namespace
}  // namespace kasc::test
