// Updates in turns, as statements of whole fields.
#include "rewrite/whole_colours.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

class WholeColoursTest : public testing::Test {
protected:
    static Program program_of(const std::string& text) {
        const auto program = read_program(make_source("case.kas", text), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        return program ? *program : Program{};
    }
    static std::string text_of(const Program& program) {
        std::string all;
        rewriting::each_statement(program.statements,
                                  [&](const Statement& s) { all += rewriting::statement_text(program, s) + "\n"; });
        return all;
    }
};

TEST_F(WholeColoursTest, EachTurnAssignsAllCells) {
    const WholeColours r = whole_colours(
        program_of("float u[x, y] boundary mirror; input u; u = (u[x - 1] + u[x + 1])/2 coloured(2); return u;"));
    EXPECT_TRUE(r.changed);
    EXPECT_EQ(text_of(r.program),
              "u = (x + y) % 2 == 0 ? (u[-1, 0] + u[1, 0]) / 2 : u\n"
              "u = (x + y) % 2 == 1 ? (u[-1, 0] + u[1, 0]) / 2 : u\n");
}

TEST_F(WholeColoursTest, ManyStayTurns) {
    const WholeColours r = whole_colours(
        program_of("float u[x] boundary mirror; input u; u = (u[x - 1] + u[x + 1])/2 coloured(5); return u;"));
    EXPECT_FALSE(r.changed);
    ASSERT_EQ(r.verdicts.size(), 1U);
    EXPECT_EQ(r.verdicts[0].verdict.reason(), "each of so many turns would assign the whole field");
}

}  // namespace
}  // namespace kasc
