#include "rewrite/loop_blocks.hpp"

#include <gtest/gtest.h>

#include "rewrite/whole_numbers.hpp"
#include "unit/rewrite/rewritten.hpp"

namespace kasc::test {
namespace {

std::string text_of(const Program& program, const rewriting::Statements& list) {
    std::string all;
    for (const Statement& statement : list) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        all += loop == nullptr ? rewriting::statement_text(program, statement) + ";"
                               : to_text(**loop, program) + "{" + text_of(program, (*loop)->body) + "}";
    }
    return all;
}

/// The loop over n of a program with this body; empty where it is not in blocks.
std::string in_blocks(const std::string& body, const std::string& loop = "for (n = 0; n < steps; n++)") {
    const Program program =
        checked_program("param int steps = 20, every = 4; float u[x], v[x], r[k]; axis k = 30; input u, v; r = 0; " +
                        loop + " { " + body + " } return u, v, r;");
    const LoopBlocks blocks = loop_blocks(program, [](LoopId) { return true; });
    if (blocks.iterations.empty()) return "";
    return text_of(blocks.program, {blocks.program.statements.back()});
}

TEST(LoopBlocks, HaveWhatEveryFewIterationsDoBetweenThem) {
    EXPECT_EQ(in_blocks("u = u*v; if (n % 10 == 9) { r[k = n] = u[x = 0]; }"),
              "for (n_block = 0; n_block < (steps + 9) / 10; n_block++){"
              "for (n = 10 * n_block; n < min(10 * n_block + 10, steps); n++){u = u * v;}"
              "for (once = 0; once < 10 * n_block + 9 < steps ? 1 : 0; once++)"
              "{r[k = 10 * n_block + 9] = u[x = 0];}}")
        << "at the end of each";
    EXPECT_EQ(in_blocks("if (n % 10 == 0) { r[k = n/10] = u[x = 0]; } u = u*v;"),
              "for (n_block = 0; n_block < (steps + 9) / 10; n_block++){"
              "for (once = 0; once < 10 * n_block < steps ? 1 : 0; once++){r[k = 10 * n_block / 10] = u[x = 0];}"
              "for (n = 10 * n_block; n < min(10 * n_block + 10, steps); n++){u = u * v;}}")
        << "at the beginning of each";
    EXPECT_EQ(in_blocks("u = u*v; if (n % 10 == 0) { r[k = n] = u[x = 0]; }"),
              "for (n_block = 0; n_block < (steps + 18) / 10; n_block++){"
              "for (n = max(0, 10 * n_block - 9); n < min(10 * n_block + 1, steps); n++){u = u * v;}"
              "for (once = 0; once < 10 * n_block < steps ? 1 : 0; once++){r[k = 10 * n_block] = u[x = 0];}}")
        << "the first block is iteration 0";
    EXPECT_EQ(in_blocks("if (n % 10 == 3) { r[k = n] = u[x = 0]; } u = u*v;", "for (n = 2; n < steps; n++)"),
              "for (n_block = 0; n_block < (steps + 16) / 10; n_block++){"
              "for (once = 0; once < 10 * n_block - 7 >= 2 && 10 * n_block - 7 < steps ? 1 : 0; once++)"
              "{r[k = 10 * n_block - 7] = u[x = 0];}"
              "for (n = max(2, 10 * n_block - 7); n < min(10 * n_block - 7 + 10, steps); n++){u = u * v;}}")
        << "the first block is what comes before";
}

TEST(LoopBlocks, AreAsLongAsACallerSays) {
    const std::string begins = in_blocks("if (n % every == 0) { r[k = n] = u[x = 0]; } u = u*v;");
    EXPECT_NE(begins.find("n_block < (steps + (abs(every) - 1)) / abs(every)"), std::string::npos) << begins;
    EXPECT_NE(begins.find("for (n = abs(every) * n_block; n < min(abs(every) * n_block + abs(every), steps)"),
              std::string::npos)
        << begins;
    const std::string ends = in_blocks("u = u*v; if ((n + 1) % every == 0) { r[k = n] = u[x = 0]; }");
    EXPECT_NE(ends.find("for (n = abs(every) * n_block; n < min(abs(every) * n_block + abs(every), steps)"),
              std::string::npos)
        << ends;
    EXPECT_EQ(in_blocks("u = u*v; if (n % every == 1) { v = u; }"), "") << "there may be no such rest";
}

TEST(LoopBlocks, HaveFurtherConditionsAtTheirPlace) {
    const std::string text = in_blocks("u = u*v; if (n > 5 && n % 4 == 3) { r[k = n] = u[x = 0]; }");
    EXPECT_NE(text.find("once < 4 * n_block + 3 < steps && 4 * n_block + 3 > 5 ? 1 : 0"), std::string::npos) << text;
}

TEST(LoopBlocks, PassStatementsThatDoNotSeeTheBranch) {
    EXPECT_NE(in_blocks("u = 2*u; if (n % 4 == 0) { r[k = n] = u[x = 0]; } v = v + 1;"), "") << "v goes before it";
    EXPECT_NE(in_blocks("v = 2*v; if (n % 4 == 0) { u = 2*u; } u = u + 1;"), "") << "it goes before v";
    EXPECT_EQ(in_blocks("u = 2*u; if (n % 4 == 0) { v = u; } u = u + 1;"), "") << "u is read between";
    EXPECT_EQ(in_blocks("u = 2*u; if (n % 4 == 0) { v = v + 1; u = v; } v = v + 1;"), "");
}

TEST(LoopBlocks, AreOfOneBranchThatComesRound) {
    EXPECT_EQ(in_blocks("u = u*v;"), "");
    EXPECT_EQ(in_blocks("u = u*v; if (n > 4) { v = u; }"), "");
    EXPECT_EQ(in_blocks("u = u*v; if (n % 4 == 4) { v = u; }"), "") << "never";
    EXPECT_EQ(in_blocks("u = u*v; if (n % 4 == 1) { v = u; } if (n % 3 == 1) { v = u; }"), "");
    EXPECT_EQ(in_blocks("if (n % 4 == 1) { v = u; }"), "") << "nothing else is done";
    EXPECT_EQ(in_blocks("u = u*v; if (n % 4 == 1) { v = u; }", "for (n = 0; n < steps && sum(u) > 1; n++)"), "");
}

}  // namespace
}  // namespace kasc::test
