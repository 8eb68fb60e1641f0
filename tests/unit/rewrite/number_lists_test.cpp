// Assignments to lists that become expressions of the cell, and what they become.
#include "rewrite/number_lists.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

NumberedLists numbered(const std::string& body, const std::string& before = "") {
    const std::string text =
        "param int steps = 4; param int k = 1; float T[x, y] boundary keep(1), e[p, t], S[x, t];\n"
        "int px[p], py[p], qx[a, b], qy[a, b]; input T, e, S, px, py, qx, qy; require(distinct(px, py));\n" +
        before + "for (n = 0; n < steps; n++) {" + body + "} return T, S;";
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? number_lists(*program) : NumberedLists{};
}

std::string refusal(const std::string& body) {
    const NumberedLists lists = numbered(body);
    EXPECT_FALSE(lists.changed);
    if (lists.verdicts.size() != 1 || lists.verdicts.front().verdict) return "not refused";
    return lists.verdicts.front().verdict.reason();
}

std::string text_of(const FieldStatement& s, const Program& program) {
    return to_text(Operand{s.target, s.target_indices, s.span}, program, operand_texts(s, program)) + " = " +
           to_text(*s.value, program, operand_texts(s, program));
}

TEST(NumberLists, TheCellAsksForItsEntryWhereAMarkIsSet) {
    const NumberedLists lists = numbered("T[x = px, y = py] += e[t = n] + 0.5 * p;");
    ASSERT_TRUE(lists.changed);
    const Program& program = lists.program;
    ASSERT_EQ(program.statements.size(), 5U);
    const auto line = [&](std::size_t k) { return text_of(std::get<FieldStatement>(program.statements[k]), program); };
    EXPECT_EQ(line(0), "T_number = -1");
    EXPECT_EQ(line(1), "T_number[x = px, y = py] = p");
    EXPECT_EQ(line(2), "T_marked = 0");
    EXPECT_EQ(line(3), "T_marked[x = px / 32, y = py] = 1");
    const auto& loop = *std::get<std::shared_ptr<const LoopStatement>>(program.statements[4]);
    EXPECT_EQ(text_of(std::get<FieldStatement>(loop.body.front()), program),
              "T = T_marked[x = x / 32] > 0 && T_number[x = x] >= 0 ? "
              "T + (e[p = T_number[x = x], t = n] + 0.5 * T_number[x = x]) : T");
}

TEST(NumberLists, OneListIsNumberedOnce) {
    const NumberedLists lists = numbered("T[x = px, y = py] += e[t = n]; T[x = px, y = py] = 1;");
    EXPECT_EQ(lists.verdicts.size(), 2U);
    EXPECT_EQ(lists.program.statements.size(), 5U);
    EXPECT_EQ(lists.program.variables.size(), numbered("T = T;").program.variables.size() + 2);
}

TEST(NumberLists, OutsideOfLoopsAndOtherStatementsStay) {
    const NumberedLists lists = numbered("T = T + 1;", "T[x = px, y = py] += 1;");
    EXPECT_FALSE(lists.changed);
    EXPECT_TRUE(lists.verdicts.empty());
}

TEST(NumberLists, RefusalsSayWhy) {
    EXPECT_EQ(refusal("T[x = px, y = py + n] = 1;"), "its positions change within the loop");
    EXPECT_EQ(refusal("px = px + 1; T[x = px, y = py] = 1;"), "its positions change within the loop");
    EXPECT_EQ(refusal("T[x = qx, y = qy] = 1;"), "the list has more than one axis");
    EXPECT_EQ(refusal("S[x = px, t = n] = e[t = n];"), "a slice of the field is assigned");
    EXPECT_EQ(refusal("T[x = py, y = px] += 1;"), "several of its entries may be one cell");
    EXPECT_EQ(refusal("T[x = px, y = py] += T[x = py, y = px];"), "it reads other cells than its own");
}

}  // namespace
}  // namespace kasc
