#include "model/field/reads_made.hpp"

#include <gtest/gtest.h>

namespace kasc::model {
namespace {

/// Tells which operands of T = e are made, in the order of their first use: 1 made, 0 not.
std::string made(const std::string& e) {
    const std::string text =
        "float T[x, y], v[p]; int number[x, y]; uint8 mark[x, y]; input T, v, number, mark; T = " + e + "; return T;";
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    if (!program) return "";
    std::string said;
    for (const bool m : reads_made(*program, std::get<FieldStatement>(program->statements.front())))
        said += m ? '1' : '0';
    return said;
}

TEST(ReadsMade, AllThatNoMarkHoldsBack) {
    EXPECT_EQ(made("T + v[p = number]"), "111");
    EXPECT_EQ(made("number >= 0 ? v[p = number] : T"), "111");  // any cell may have a number
    EXPECT_EQ(made("mark > 0 ? v[p = number] : T"), "1111");    // a mark a cell is none
}

TEST(ReadsMade, NotWhatStandsBehindACoarseOne) {
    EXPECT_EQ(made("mark[x = x / 32] > 0 ? v[p = number] : T"), "1001");
    EXPECT_EQ(made("mark[x = x / 32] > 0 && number >= 0 ? v[p = number] : T"), "1001");
    EXPECT_EQ(made("mark[x = x / 32] > 0 ? T : v[p = number]"), "1011");
    EXPECT_EQ(made("mark[x = x / 32] == 0 ? v[p = number] : T"), "1111");
    EXPECT_EQ(made("mark[x = y / 32] > 0 ? v[p = number] : T"), "1111");  // along another axis
}

}  // namespace
}  // namespace kasc::model
