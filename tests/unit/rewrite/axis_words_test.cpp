// Axes of few cells as words of the cells along the others.
#include "rewrite/axis_words.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

Program with_axes(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return *program;
}

std::string by_words(const std::string& text) {
    const AxisWords words = axis_words(with_axes(text));
    std::string all;
    rewriting::each_statement(words.program.statements, [&](const Statement& statement) {
        all += rewriting::statement_text(words.program, statement) + "; ";
    });
    return all;
}

std::string verdicts_of(const std::string& text) {
    std::string all;
    for (const AxisVerdict& v : axis_words(with_axes(text)).verdicts)
        all += v.axis + (v.verdict ? ": yes, " : ": no, ") + v.verdict.reason() + "; ";
    return all;
}

TEST(AxisWords, AreStatementsForEachCellOfTheAxis) {
    EXPECT_EQ(by_words("axis c = 2; float a[x, c], b[x, c], s[x, c]; input a; b = 2*a; s = b + c; return s;"),
              "b_0 = 2 * a[c = 0]; b_1 = 2 * a[c = 1]; s_0 = b_0 + 0; s_1 = b_1 + 1; s[c = 0] = s_0; s[c = 1] = s_1; ")
        << "what only callers write is read in place, results are put together";
    EXPECT_EQ(by_words("axis c = 2; float a[x, c]; input a; a = a*a; return a;"),
              "a_0 = a[c = 0]; a_1 = a[c = 1]; a_0 = a_0 * a_0; a_1 = a_1 * a_1; a[c = 0] = a_0; a[c = 1] = a_1; ");
}

TEST(AxisWords, SumInTheOrderOfTheLanguage) {
    // The first axis in memory is left: eight lanes a result.
    EXPECT_EQ(
        by_words("axis q = 9; float f[x, q], s[x]; input f; s = sum(f, q); return s;"),
        "s_parts_0 = 0 + f[q = 0] + f[q = 8] + f[q = 4] + (f[q = 2] + f[q = 6]) + (f[q = 1] + f[q = 5] + (f[q = 3] + "
        "f[q = 7])); s = s_parts_0; ");
    EXPECT_EQ(
        by_words("axis q = 2; float f[x, q], s[x]; input f; s = sum(f*f, q); return s;"),
        "s_parts_word = f[q = 0] * f[q = 0]; s_parts_word_2 = f[q = 1] * f[q = 1]; s_parts_0 = 0 + s_parts_word + "
        "s_parts_word_2; s = s_parts_0; ")
        << "a cell is computed in the precision of its statement, and summed up in double";
    EXPECT_EQ(
        by_words("axis q = 2; float f[x, q], s[x]; input f; s = minimum(f, q); return s;"),
        "s_parts_word = f[q = 0]; s_parts_word_2 = f[q = 1]; s_parts_word_3 = s_parts_word_2 < s_parts_word || "
        "s_parts_word != s_parts_word ? s_parts_word_2 : s_parts_word; s_parts_0 = s_parts_word_3; s = s_parts_0; ");
}

TEST(AxisWords, ListsOfTheTextAreNumbers) {
    EXPECT_EQ(by_words("int e[q] = {1, -1}; int back[q] = {1, 0}; float f[x, q], g[x, q], s[x]; input f; "
                       "g = f[q = back]; g = e > 0 ? g[x = x - e] : e*g; s = g[q = 0] + g[q = 1]; return s;"),
              "g_0 = f[q = 1]; g_1 = f[q = 0]; g_0 = g_0[-1]; g_1 = -1 * g_1; s = g_0 + g_1; ");
}

TEST(AxisWords, AreComputedOfFormerValues) {
    EXPECT_EQ(
        by_words("axis c = 2; float a[x, c] boundary periodic, s[x]; input a; a = a[c - 1]; s = a[c = 0]; return s;"),
        "a_0 = a[c = 0]; a_1 = a[c = 1]; a_0_next = a_1; a_1_next = a_0; a_0 = a_0_next; a_1 = a_1_next; s = a_0; ");
}

TEST(AxisWords, SayWhyNot) {
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x, c], s[]; input a; s = sum(a); return s;"),
              "c: no, s_parts is folded along others with it; ");
    EXPECT_EQ(verdicts_of("axis c = 3; int at[x]; float a[x, c], s[x]; input a, at; s = a[c = at]; return s;"),
              "c: no, which cell of a is read is known as it runs; ");
    EXPECT_EQ(verdicts_of("axis c = 40; float a[x, c], s[x]; input a; s = sum(a, c); return s;"), "") << "not few";
    EXPECT_EQ(verdicts_of("float a[x, c], s[x]; input a; s = sum(a, c); return s;"), "") << "of any length";
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x, c], b[x, c]; input a; b = running_sum(a, c); return b;"),
              "c: no, b is added up along lines or lists; ");
    EXPECT_EQ(verdicts_of("axis c = 2; axis x = 50; float a[c], b[x, c]; input a; b = a; return b;"),
              "c: yes, 2 words of a cell; ");
}

}  // namespace
}  // namespace kasc
