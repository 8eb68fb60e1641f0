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
        all += v.axes + (v.verdict ? ": yes, " : ": no, ") + v.verdict.reason() + "; ";
    return all;
}

TEST(AxisWords, AreStatementsForEachCellOfTheAxis) {
    EXPECT_EQ(by_words("axis c = 2; float a[x, c], b[x, c], s[x, c]; input a; b = 2*a; s = b + c; return s;"),
              "b_0 = 2 * a[c = 0]; b_1 = 2 * a[c = 1]; s_0 = b_0 + 0; s_1 = b_1 + 1; s[c = 0] = s_0; s[c = 1] = s_1; ")
        << "what only callers write is read in place, results are put together";
    EXPECT_EQ(by_words("axis c = 2; float a[x, c]; input a; a = a*a; return a;"),
              "a_0 = a[c = 0]; a_1 = a[c = 1]; a_0 = a_0 * a_0; a_1 = a_1 * a_1; a[c = 0] = a_0; a[c = 1] = a_1; ");
}

TEST(AxisWords, AlongTwoAxesAreCopiedFromWhatTheCallerHasAndBackOnce) {
    const std::string made = by_words("axis c = 2; axis d = 2; float a[c, d, x]; input a; a = a*a[c = 0]; return a;");
    EXPECT_NE(made.find("= a[c = 0, d = 0]; "), std::string::npos) << made;
    EXPECT_NE(made.find("a[c = 1, d = 1] = "), std::string::npos) << made;
    EXPECT_EQ(made.find("= a[c = 0]; "), std::string::npos) << made;
    EXPECT_EQ(made.find("a[d = 0] = "), std::string::npos) << made;
}

TEST(AxisWords, ThatALoopSumsAlongMayBeMore) {
    const auto of_loops = [](const std::string& text) {
        std::string all;
        for (const AxisVerdict& v : axis_words_of_loops(with_axes(text)).verdicts)
            all += v.axes + (v.verdict ? ": yes; " : ": no; ");
        return all;
    };
    const std::string fields = "float u[c, x], s[x], t[n, x]; input u; param int n = 3;\n";
    const std::string loop = "for (k = 0; k < 3; k++) { u = u/2; t[n = k] = sum(u, c); } return t;";
    EXPECT_EQ(of_loops("axis c = 40; axis n = 3; " + fields + loop), "axis c: yes; ");
    EXPECT_EQ(of_loops("axis c = 32; axis n = 3; " + fields + loop), "") << "as others are";
    EXPECT_EQ(of_loops("axis c = 70; axis n = 3; " + fields + loop), "") << "threads have no registers for so many";
    EXPECT_EQ(of_loops("axis c = 40; axis n = 3; " + fields + "u = u/2; s = sum(u, c); return s;"), "");
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
    EXPECT_EQ(by_words("axis q = 2; float f[x, q], s[x]; input f; s = minimum(f, q); return s;"),
              "s_parts_word = f[q = 1] < f[q = 0] || f[q = 0] != f[q = 0] ? f[q = 1] : f[q = 0]; "
              "s_parts_0 = s_parts_word; s = s_parts_0; ");
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

/// Which cell a product with a small matrix reads is known once both axes are words, whichever stands first.
TEST(AxisWords, ProductsWithSmallMatricesAreNumbers) {
    const std::string product =
        "float M[a, b] = {{2, 0}, {3, 5}}; float f[x, a], g[x, a]; input f; g = sum(M*f[a = b], b); return g;";
    EXPECT_EQ(by_words(product),
              "g_parts_0_0 = 0 + 2 * f[a = 0] + 3 * f[a = 1]; g_parts_1_0 = 0 + 0 * f[a = 0] + 5 * f[a = 1]; "
              "g_0 = g_parts_0_0; g_1 = g_parts_1_0; g[a = 0] = g_0; g[a = 1] = g_1; ");
    EXPECT_EQ(verdicts_of(product), "axis a: yes, 2 words of a cell; axis b: yes, 2 words of a cell; ");
    EXPECT_EQ(by_words("axis b = 2; axis y = 2; float f[x, y], g[x]; input f; g = maximum(b*f[y = 3*b - 1], b); return "
                       "g;")
                  .substr(0, 66),
              "g_parts_word = 0 * f[y = 0]; g_parts_word_2 = 1 * f[y = 1]; g_part")
        << "beyond the ends is the nearest cell";
    EXPECT_EQ(verdicts_of("axis b = 2; float f[x, y], w[x, b], g[x]; input f, w; g = sum(w*f[y = b], b); return g;"),
              "axis b: no, f is read at a position that a list of the program's text decides; ");
}

/// Their rows may pass through memory some at a time.
TEST(AxisWords, SeriesOfLoopsAreAssignedAndReadInPlace) {
    EXPECT_EQ(by_words("axis c = 2; axis t = 99; float a[x, c], d[c, x, t], s[c, x, t]; input a, d; "
                       "for (n = 0; n < 99; n++) { a = a + d[t = n]; s[t = n] = a; } return s;"),
              "a_0 = a[c = 0]; a_1 = a[c = 1]; a_0 = a_0 + d[c = 0, t = n]; a_1 = a_1 + d[c = 1, t = n]; "
              "s[c = 0, t = n] = a_0; s[c = 1, t = n] = a_1; ");
    EXPECT_EQ(verdicts_of("axis c = 2; axis t = 99; float s[x, c, t] boundary periodic; input s; "
                          "for (n = 1; n < 99; n++) { s[t = n] = s[c - 1, t = n]; } return s;")
                  .substr(0, 49),
              "axis c: no, some cells of s are made of others; ")
        << "one of them would see what another was assigned";
}

TEST(AxisWords, LoopsAlongThemAreWrittenOut) {
    EXPECT_EQ(by_words("axis c = 3; float a[x], s[x, c]; input a; s[c = 0] = a; "
                       "for (k = 1; k < extent(c); k++) { s[c = k] = k*s[c = k - 1]; } a = s[c = 2]; return a;"),
              "s_0 = a; s_1 = 1 * s_0; s_2 = 2 * s_1; a = s_2; ");
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x], s[x, c]; input a; s[c = 0] = a; "
                          "for (k = 1; k < 3; k++) { s[c = k] = k*s[c = k - 1]; } a = s[c = 2]; return a;"),
              "axis c: yes, 3 words of a cell, with loops along them written out; ");
    // Bounds that ask for the variable of a loop around, and branches.
    EXPECT_EQ(by_words("axis c = 3; float a[x], s[x, c]; input a; s = a; "
                       "for (k = 0; k < 2; k++) { for (l = k + 1; l < 3; l++) { s[c = l] = s[c = l] - s[c = k]; } "
                       "if (k == 1) { s[c = 0] = 7; } } a = s[c = 0] + s[c = 2]; return a;"),
              "s_0 = a; s_1 = a; s_2 = a; s_1 = s_1 - s_0; s_2 = s_2 - s_0; s_2 = s_2 - s_1; s_0 = 7; a = s_0 + s_2; ");
    // A loop around them that is along no short axis stays.
    EXPECT_EQ(by_words("axis c = 2; float a[x], s[x, c]; input a; s = a; for (n = 0; n < 50; n++) { "
                       "for (k = 0; k < 2; k++) { s[c = k] = s[c = 1 - k] + n; } } a = s[c = 0]; return a;"),
              "s_0 = a; s_1 = a; s_0 = s_1 + n; s_1 = s_0 + n; a = s_0; ");
    EXPECT_EQ(verdicts_of("axis c = 3; param int n = 2; float a[x], s[x, c]; input a; s = a; "
                          "for (k = 1; k < n; k++) { s[c = k] = k*s[c = k - 1]; } a = s[c = 2]; return a;"),
              "axis c: no, which cell of s is assigned is known as it runs; ");
    const auto of_many = [](int iterations) {
        return verdicts_of("axis c = 2; float a[x], s[x, c]; input a; s = a; for (n = 0; n < " +
                           std::to_string(iterations) +
                           "; n++) { for (k = 0; k < 2; k++) { s[c = n % 2] = s[c = k]*s[c = n % 2]; } } a = s[c = 0]; "
                           "return a;");
    };
    EXPECT_EQ(of_many(64), "axis c: yes, 2 words of a cell, with loops along them written out; ");
    EXPECT_EQ(of_many(65), "axis c: no, which cell of s is assigned is known as it runs; ") << "of 130 statements";
    EXPECT_EQ(verdicts_of("axis c = 32; float a[x], s[x, c], t[x, c]; input a; s = a; t = a; "
                          "for (k = 0; k < 20; k++) { t = s[c = k]*t; s = t; } a = s[c = 2]; return a;"),
              "axis c: no, it would take 1345 statements, more than 600, with loops along them written out; ");
}

TEST(AxisWords, ReadWhatNothingAssignsInPlaceAtAnyPosition) {
    EXPECT_EQ(by_words("axis c = 2; int at[x]; float a[x, c], s[x]; input a, at; s = sum(a, c)*a[c = at]; return s;"),
              "s_sum_parts_0 = 0 + a[c = 0] + a[c = 1]; s_sum = s_sum_parts_0; s = s_sum * a[c = at]; ");
    // The matrix the other way round: which cell is read is known once both of its axes are words.
    EXPECT_EQ(by_words("axis s = 2; axis r = 2; float A[s, r], f[s, x], g[s, x]; input A, f; "
                       "g = sum(A[s = r, r = s]*f[s = r], r); return g;"),
              "g_parts_0_0 = 0 + A[s = 0, r = 0] * f[s = 0] + A[s = 1, r = 0] * f[s = 1]; "
              "g_parts_0_1 = 0 + A[s = 0, r = 1] * f[s = 0] + A[s = 1, r = 1] * f[s = 1]; "
              "g_0 = g_parts_0_0; g_1 = g_parts_0_1; g[s = 0] = g_0; g[s = 1] = g_1; ");
}

TEST(AxisWords, AddUpWordsInTheOrderOfRunningSums) {
    EXPECT_EQ(by_words("axis c = 3; float a[x, c], b[x, c]; input a; b = running_sum(a, c); return b;"),
              "b_word = 0 + a[c = 0]; b_word_2 = b_word + a[c = 1]; b_word_3 = b_word_2 + a[c = 2]; "
              "b_0 = b_word; b_1 = b_word_2; b_2 = b_word_3; b[c = 0] = b_0; b[c = 1] = b_1; b[c = 2] = b_2; ");
    EXPECT_EQ(by_words("axis c = 2; float a[x, c], b[x, c]; input a; b = running_maximum(2*a, -c); return b;"),
              "b_word = 2 * a[c = 1]; b_word_2 = 2 * a[c = 0]; "
              "b_word_3 = b_word_2 > b_word || b_word != b_word ? b_word_2 : b_word; "
              "b_1 = b_word; b_0 = b_word_3; b[c = 0] = b_0; b[c = 1] = b_1; ");
}

TEST(AxisWords, RoundProductsThatConditionsChoose) {
    EXPECT_EQ(by_words("axis c = 2; float a[x, c], b[x, c]; input a; b = a + (c == 0 ? a*a : 2); return b;"),
              "b_0 = a[c = 0] + -(-(a[c = 0] * a[c = 0])); b_1 = a[c = 1] + 2; b[c = 0] = b_0; b[c = 1] = b_1; ");
}

TEST(AxisWords, SayWhyNot) {
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x, c], s[]; input a; s = sum(a); return s;"),
              "axis c: no, s_parts is folded along others with it; ");
    EXPECT_EQ(verdicts_of("axis c = 3; int at[x]; float a[x, c], b[x, c], s[x]; input a, at; b = 2*a; s = b[c = at]; "
                          "return s;"),
              "axis c: no, which cell of b is read is known as it runs; ");
    EXPECT_EQ(verdicts_of("axis c = 3; int at[x]; float a[x, c], s[x]; input a, at; s = a[c = at]; return s;"), "")
        << "nothing is computed along it";
    EXPECT_EQ(verdicts_of("axis c = 40; float a[x, c], s[x]; input a; s = sum(a, c); return s;"), "") << "not few";
    EXPECT_EQ(verdicts_of("float a[x, c], s[x]; input a; s = sum(a, c); return s;"), "") << "of any length";
    EXPECT_EQ(
        verdicts_of("axis c = 3; int at[x]; float a[x, c], h[b, c]; axis b = 99; input a, at; h = 0; h[b = at] += a; "
                    "return h;"),
        "axis c: no, h is added up along lists; ");
    EXPECT_EQ(verdicts_of("axis c = 3; int a[x, c], b[x, c]; input a; b = running_product(a, c); return b;"),
              "axis c: no, products of integers go round; ");
    EXPECT_EQ(verdicts_of("axis c = 2; axis x = 50; float a[c], b[x, c]; input a; b = a; return b;"),
              "axis c: yes, 2 words of a cell; ");
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x, y], s[c]; input a; s = sum(a > c ? a : 0, x, y); return s;"),
              "axis c: yes, 3 words of a cell; ");
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x, y], s[c, y]; input a; s = sum(a > c ? a : 0, x); return s;"),
              "axis c: yes, 3 words of a cell; ");
    EXPECT_EQ(verdicts_of("axis c = 3; axis x = 600; float a[x], s[c]; input a; s = sum(a*c, x); return s;"),
              "axis c: yes, 3 words of a cell; ");
    EXPECT_EQ(verdicts_of("axis c = 3; float a[x], s[c]; input a; s = sum(a*c, x); return s;"),
              "axis c: yes, 3 words of a cell; ");
}

TEST(AxisWords, AWindowOfWindowsIsWrittenOutWithThem) {
    const std::string text =
        "axis i = 2; axis k = 2; float u[x, y], s[x, y]; input u;\n"
        "let d = u[x = x + k] - u[x = x + i + k]; let w = exp(-sum(d*d, k));\n"
        "s = sum(w*u[x = x + i], i); return s;";
    EXPECT_EQ(verdicts_of(text), "axis k: yes, 2 cells of a window; axis i: yes, 2 cells of a window; ");
    const std::string made = by_words(text);
    EXPECT_NE(made.find("exp(-"), std::string::npos) << made;
    EXPECT_EQ(made.find("sum("), std::string::npos) << made;
    // Read elsewhere, what the inner one gives is a field.
    EXPECT_EQ(verdicts_of("axis i = 2; axis k = 2; float u[x, y], s[x, y], d[x, y, i]; input u;\n"
                          "d = sum(u[x = x + i + k], k); s = sum(d*u[x = x + i], i); return s, d;"),
              "axis k: yes, 2 cells of a window; axis i: yes, 2 words of a cell; ");
}

TEST(AxisWords, ListsOfWhatIsFoldedOfEachWordStay) {
    EXPECT_EQ(by_words("axis c = 2; float a[c, x], s[c], m[c]; input a; a = 2*a; s = sum(a, x); m = s + c; a = a - m; "
                       "return m, a;"),
              "a_0 = a[c = 0]; a_1 = a[c = 1]; a_0 = 2 * a_0; a_1 = 2 * a_1; s_parts_0 = sum(a_0); s_parts_1 = "
              "sum(a_1); s_parts[c = 0] = s_parts_0; s_parts[c = 1] = s_parts_1; s = sum(s_parts_0); m = s + c; a_0 = "
              "a_0 - m[c = 0]; a_1 = a_1 - m[c = 1]; a[c = 0] = a_0; a[c = 1] = a_1; ");
}

TEST(AxisWords, WindowsAreSumsOfNeighbours) {
    EXPECT_EQ(by_words("axis k = 3; float u[x], s[x]; input u; s = sum(u[x = x + k - 1], k); return s;"),
              "s_parts_0 = 0 + u[-1] + u + u[1]; s = s_parts_0; ")
        << "one behind the other, as if written out";
    EXPECT_EQ(by_words("axis i = 2; axis j = 2; float u[x, y], s[x, y]; input u; "
                       "s = sum(u[x = x + i, y = y + j], i, j); return s;"),
              "s_parts_0 = 0 + u + u[1, 0] + u[0, 1] + u[1, 1]; s = s_parts_0; ")
        << "the first axis is the fastest";
    EXPECT_EQ(by_words("axis i = 2; axis j = 2; float g[i, j] = {{1, 2}, {3, 4}}; float u[x], s[x]; input u; "
                       "s = maximum(g*u, i, j); return s;")
                  .find("g["),
              std::string::npos)
        << "tables are numbers";
    EXPECT_EQ(by_words("axis k = 2; float g[k], u[x], s[x]; input u, g; s = minimum(g*u, k); return s;"),
              "s_parts_word = g[k = 0] * u; s_parts_word_2 = g[k = 1] * u; s_parts_word_3 = s_parts_word_2 < "
              "s_parts_word || s_parts_word != s_parts_word ? s_parts_word_2 : s_parts_word; s_parts_0 = "
              "s_parts_word_3; s = s_parts_0; ")
        << "other lists are read at their cells";
}

TEST(AxisWords, NeighboursOfWindowsSeeWhatPositionsSaw) {
    const auto statement = [](const std::string& boundary, const std::string& at) {
        return by_words("axis k = 2; float u[x] boundary " + boundary + ", s[x]; input u; s = sum(u[x = " + at +
                        "], k); s = s + u[x + 1]; return s;");
    };
    EXPECT_EQ(statement("keep(0)", "x + k"), "s_parts_0 = 0 + u + u[1]; s = s_parts_0; s = s + u[1]; ");
    EXPECT_EQ(statement("periodic", "(x + k) % extent(x)"), "s_parts_0 = 0 + u + u[1]; s = s_parts_0; s = s + u[1]; ");
    EXPECT_EQ(statement("mirror", "x + k"), "s_parts_0 = 0 + u + u[x = x + 1]; s = s_parts_0; s = s + u[1]; ")
        << "the position sees the nearest cell, the neighbour the image";
}

TEST(AxisWords, WindowsMayBeLarge) {
    EXPECT_EQ(verdicts_of("axis k = 22; axis l = 23; float u[x], s[x]; input u; s = sum(u[x = x + k + l], k, l); "
                          "return s;"),
              "axes k, l: yes, 506 cells of a window; ");
    EXPECT_EQ(verdicts_of("axis k = 22; axis l = 23; float u[x], s[x]; input u; s = maximum(u[x = x + k + l], k, l); "
                          "return s;"),
              "axes k, l: yes, 506 cells of a window; ");
}

TEST(AxisWords, IntegersAreSummedInOneExpression) {
    EXPECT_EQ(by_words("axis q = 3; uint8 a[x, q], b[x, q]; int s[x]; input a, b; s = sum(abs(a - b), q); return s;"),
              "s_parts_0 = abs(a[q = 0] - b[q = 0]) + abs(a[q = 2] - b[q = 2]) + abs(a[q = 1] - b[q = 1]); s = "
              "s_parts_0; ");
}

TEST(AxisWords, SayWhyAWindowIsNone) {
    EXPECT_EQ(verdicts_of("axis k = 24; axis l = 22; float u[x], s[x]; input u; s = sum(u[x = x + k + l], k, l); "
                          "return s;"),
              "")
        << "of more cells than a thread can have";
    EXPECT_EQ(verdicts_of("axis k = 9; float u[x], s[]; input u; s = sum(u[x = 2*k], k); return s;"), "")
        << "one result for all";
    EXPECT_EQ(verdicts_of("axis k = 3; float u[x], s[x]; input u; s = sum(u[x = k]*u, k); return s;"),
              "axis k: no, u is read at a position that a list of the program's text decides; ");
}

}  // namespace
}  // namespace kasc
