// What lowered field kernels look like: the statements that make them fast, and no others.
#include <gtest/gtest.h>

#include <regex>

#include "lower/lower.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

std::vector<std::string> texts(const std::string& program, const FieldChoice& choice) {
    const FieldCase c(program);
    const FieldScheduleResult s = schedule_field(c.program, c.graph, c.whole(), choice);
    if (!s.value) throw std::runtime_error(s.reason);
    std::vector<std::string> all;
    for (const kernel::Kernel& k :
         lower_field(field_alternatives(*s.value, c.program, c.graph), c.program, c.graph, "k0").alternatives)
        all.push_back(kernel::print(k));
    return all;
}
std::string text_of_kernel(const std::string& program, const FieldChoice& choice) {
    return texts(program, choice).front();
}

int count(const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

const std::string heat =
    "float T[x,y,z] boundary keep(2), B[x,y,z]; param float k = 0.1; input T, B; "
    "T = T - k * B * (90.0 * T - 16.0 * (T[-1,0,0] + T[1,0,0] + T[0,-1,0] + T[0,1,0] + T[0,0,-1] + T[0,0,1]) + "
    "(T[-2,0,0] + T[2,0,0] + T[0,-2,0] + T[0,2,0] + T[0,0,-2] + T[0,0,2])); return T;";

TEST(LowerFieldText, AGridKernelReadsByPlainOffsets) {
    const std::string text = text_of_kernel(
        "float T[x,y] boundary keep(1); param float a = 0.2; input T; "
        "T = T + a * (T[-1,0] + T[1,0] - 2.0 * T); return T;",
        {Walk::grid, 32, 8, 1, 1});
    EXPECT_EQ(text,
              "kernel k0 block 32x8x1 grid (nx + 31) / 32 x (ny + 7) / 8 x 1 shared 0 words\n"
              "  # T = T + a * (T[-1,0] + T[1,0] - 2.0 * T)\n"
              "  param f32 T[] in\n"
              "  param f32 T_new[] out\n"
              "  param i32 nx\n"
              "  param i32 ny\n"
              "  param f32 a\n"
              "  cells\n"
              "      x = bx * 32 + 1 * tx (of 32) in [1, nx - 1)\n"
              "      y = by * 8 + 1 * ty (of 8) in [1, ny - 1)\n"
              "    let i64 i = (long long)y * nx + x\n"
              "    let f32 T_0 = T[i]\n"
              "    let f32 T_xm1 = T[i - 1]\n"
              "    let f32 T_xp1 = T[i + 1]\n"
              "    T_new[i] = fmaf(a, fmaf(-2.0f, T_0, T_xm1 + T_xp1), T_0)\n");
}

TEST(LowerFieldText, AColumnKeepsItsPlanesInAQueue) {
    const std::string text = text_of_kernel(heat, choice("column 32x8 chunk 32 unroll 4"));
    const std::string loop = text.substr(text.find("for z in"));
    // Eight of the thirteen points lie in the plane and one is new along the walk.
    EXPECT_EQ(count(loop, "= T[i"), 9) << text;
    EXPECT_EQ(count(loop, "let f32 T_zp2 = T[i + 2 * plane]"), 1) << text;
    EXPECT_EQ(count(loop, "T_zm2 = T_zm1"), 1);
    EXPECT_EQ(count(loop, "unroll 4"), 1);
    EXPECT_EQ(count(text, "if "), 1) << "only a block in the rim is turned away";
}

TEST(LowerFieldText, AWarpLoadsEachWordOnce) {
    const std::string planes = text_of_kernel(heat, choice("warp 64x1 chunk 16"));
    const std::string loop = planes.substr(planes.find("for y in"));
    // Nine of the thirteen points lie in the rows that pass, four in planes beside.
    EXPECT_EQ(count(loop, "= T[i_held"), 1) << loop;
    EXPECT_EQ(count(loop, "T_yp2[0] = T[i_held + 2 * nx]"), 1);
    EXPECT_EQ(count(loop, "= T[i "), 4);
    EXPECT_EQ(count(loop, "exchange T_0["), 4);
    EXPECT_EQ(count(loop, "exchange"), 4);

    const std::string box =
        "float T[x,y] boundary mirror, B[x,y]; input T, B; T = T[-1,-1] + T[1,-1] + T[-1,0] + B * T[1,0] + T[-1,1] + "
        "T[1,1]; return T;";
    const std::string text = text_of_kernel(box, choice("warp 32x1 vector 4 chunk 16"));
    const std::string rows = text.substr(text.find("for y in"));
    EXPECT_EQ(count(rows, ":+ 4] = T["), 1) << rows;
    EXPECT_EQ(count(rows, "exchange T_yp1["), 2) << "the words beside move on with their row";
    EXPECT_EQ(count(rows, "exchange"), 2) << rows;
    EXPECT_EQ(count(rows, "B_0[0 :+ 4] = B[i :+ 4]"), 1) << "by threads that compute, and no others";
}

TEST(LowerFieldText, GroupsLoadAlignedWordsAndFallBack) {
    const std::vector<std::string> both = texts(heat, {Walk::column, 32, 8, 4, 32});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_NE(both[0].find("requires extent of axis 0 to be a multiple of 4"), std::string::npos);
    EXPECT_EQ(both[1].find("requires"), std::string::npos);
    const std::string loop = both[0].substr(both[0].find("for z in"));
    EXPECT_EQ(count(loop, "= T[i - 2 :+ 2]"), 1);
    EXPECT_EQ(count(loop, "= T[i + 4 :+ 2]"), 1);
    EXPECT_EQ(count(loop, ":+ 4] = T["), 5) << "four rows beside, one plane ahead";
    EXPECT_EQ(count(loop, "T_new[i :+ 4] = "), 1);
}

TEST(LowerFieldText, TheInteriorOfARowHasNoCondition) {
    const std::string text =
        text_of_kernel("float T[x,y] boundary mirror; input T; T = T[-1,0] + T[1,0] + T[0,-1] + T[0,1]; return T;",
                       {Walk::row, 4096, 1, 1, 1});
    const std::size_t begin = text.find("if x_first < x_last");
    ASSERT_NE(begin, std::string::npos);
    std::string interior = text.substr(begin + 10);
    interior = interior.substr(0, interior.find("  cells", interior.find("cells") + 5));
    EXPECT_EQ(count(interior, "T[i - 1]"), 1) << interior;
    EXPECT_EQ(count(interior, "?"), 0) << interior;
    EXPECT_EQ(count(interior, "max("), 0) << interior;
    EXPECT_EQ(count(text, "cells"), 6) << "both ends and the middle, of rows in the interior and at the edge";
}

TEST(LowerFieldText, ATileKeepsItsCellsWhereRowsAreShort) {
    const std::string beyond = text_of_kernel(
        "float T[x,y,z] boundary mirror; input T; T = T[0,0,-1] + T[0,0,1]; return T;", {Walk::row, 1024, 16, 1, 1});
    EXPECT_EQ(count(beyond, "let i32 rows = 16384 / min(nx, 1024)"), 1) << beyond;
    EXPECT_EQ(count(beyond, "let i32 z = bx"), 1) << "planes follow each other";
    const std::string within = text_of_kernel(
        "float T[x,y,z] boundary mirror; input T; T = T[0,-1,0] + T[0,1,0]; return T;", {Walk::row, 1024, 16, 1, 1});
    EXPECT_EQ(count(within, "let i32 z = bz"), 1) << "blocks follow the memory";
}

TEST(LowerFieldText, UniformPartsComeFromTheHost) {
    const std::string text = text_of_kernel(
        "float u[x], q[t]; param float dt = 0.1; param float dx = 2.0; param int n = 0; input u, q; "
        "u = u * (dt / (dx * dx)) + dt * u + q[t = n] * (1.0 / 4.0); return u;",
        {Walk::grid, 256, 1, 1, 1});
    EXPECT_EQ(count(text, "param f32 c0"), 1) << text;
    EXPECT_EQ(count(text, "param f32 dt"), 1);
    EXPECT_EQ(count(text, "param f32 dx"), 0) << "only the quotient is used";
    EXPECT_EQ(count(text, "param i32 n\n"), 1);
    EXPECT_LT(text.find("let f32 q_at = q[n]"), text.find("cells")) << "read once a thread";
    EXPECT_EQ(count(text, "0.25f"), 1);
}

TEST(LowerFieldText, ContractionIsDecidedHere) {
    const auto value = [](const std::string& expression) {
        const std::string text =
            text_of_kernel("float a[x], b[x], c[x], d[x], r[x]; input a, b, c, d; r = " + expression + "; return r;",
                           {Walk::grid, 256, 1, 1, 1});
        const std::size_t at = text.find("r[i] = ") + 7;
        return text.substr(at, text.find('\n', at) - at);
    };
    EXPECT_EQ(value("a * b + c"), "fmaf(a_0, b_0, c_0)");
    EXPECT_EQ(value("c + a * b"), "fmaf(a_0, b_0, c_0)");
    EXPECT_EQ(value("a * b - c"), "fmaf(a_0, b_0, -c_0)");
    EXPECT_EQ(value("c - a * b"), "fmaf(-a_0, b_0, c_0)");
    EXPECT_EQ(value("a * b + c * d"), "fmaf(a_0, b_0, c_0 * d_0)");
    EXPECT_EQ(value("c - 2.0 * b"), "fmaf(-2.0f, b_0, c_0)");
    EXPECT_EQ(value("(a + b) + c"), "a_0 + b_0 + c_0");
    EXPECT_EQ(value("a + (b + c)"), "a_0 + (b_0 + c_0)");
    EXPECT_EQ(value("max(abs(a), 2) / b"), "fmaxf(fabsf(a_0), 2.0f) / b_0");
}

TEST(LowerFieldText, ARecordIsOneConditionAndOnePosition) {
    const FieldCase c(
        "float T[x,y], rec[t]; param int px = 3; param int n = 0; input T, rec; "
        "T = 2.0 * T; rec[t = n] = T[x = px, y = 2]; return T, rec;");
    const auto s = schedule_field(c.program, c.graph, c.whole(), {Walk::grid, 32, 8, 1, 1});
    ASSERT_TRUE(s.value);
    const kernel::Kernel kernel =
        lower_field(field_alternatives(*s.value, c.program, c.graph), c.program, c.graph, "k0").alternatives.front();
    const std::string text = kernel::print(kernel);
    EXPECT_EQ(count(text, "if y == 2 && x == px"), 1) << text;
    EXPECT_EQ(count(text, "rec_new[n] = T_new_0"), 1) << text;
    EXPECT_EQ(kernel.positions.size(), 3U);
}

TEST(LowerFieldText, SameInputSameText) {
    EXPECT_EQ(text_of_kernel(heat, {Walk::column, 32, 8, 4, 32}), text_of_kernel(heat, {Walk::column, 32, 8, 4, 32}));
}

TEST(LowerFieldText, WhatAStatementComputesTwiceIsNamedInEachOfItsPlaces) {
    const std::string program =
        "float u[x] boundary periodic; function curve(v) = v[-1] - 2*v + v[1]; input u; "
        "u = u + 0.1*curve(u)*curve(u); return u;";
    const std::string cells = text_of_kernel(program, choice("grid 256x1"));
    EXPECT_EQ(count(cells, "let f32 part = fmaf(-2.0f, u_0, u_xm1) + u_xp1\n"), 1);
    EXPECT_EQ(count(cells, "fmaf(0.1f * part, part, u_0)"), 1);
    const std::string groups = text_of_kernel(program, choice("grid 256x1 vector 4"));
    EXPECT_EQ(count(groups, "let f32 part = fmaf(-2.0f, u_0[v + 1], u_0[v]) + u_0[v + 2]\n"), 1);
    EXPECT_EQ(count(groups, "fmaf(0.1f * part, part, u_0[v + 1])"), 1);
}

TEST(LowerFieldText, WrittenIntegersAreNoParametersAndConditionsWithThemAreKnownInside) {
    const std::string text = text_of_kernel(
        "float u[x, y] boundary mirror; function at(i, j) = x + i >= 0 && x + i < extent(x) && y + j >= 0 ? u[i, j] : "
        "-1; "
        "input u; u = at(-1, 0) + at(1, -1); return u;",
        {Walk::grid, 32, 8, 1, 1});
    EXPECT_EQ(count(text, "param i32"), 2) << text;  // how many cells there are
    EXPECT_EQ(count(text, "u_xm1 + u_xp1_ym1"), 1) << text;
}

TEST(LowerFieldText, WordsOfACellShareWhatTheyComputeAlike) {
    const std::string text = text_of_kernel(
        "float u[x], v[x], r[x], s[x]; input u, v; r = u/sqrt(u*u + v*v + 1)*sqrt(u*u + v*v + 1); "
        "s = v/sqrt(u*u + v*v + 1)*sqrt(u*u + v*v + 1); return r, s;",
        choice("grid 256x1"));
    EXPECT_EQ(count(text, "sqrtf("), 1) << text;
    EXPECT_EQ(count(text, "u_0 / part * part"), 1);
    EXPECT_EQ(count(text, "v_0 / part * part"), 1);
}

TEST(LowerFieldText, AnEntryThatIsZeroAddsNothing) {
    const std::string text =
        text_of_kernel("int h[k]; uint8 m[p], u[p]; axis k = 256; input m, u, h; h[k = u] += m > 3 ? 2 : 0; return h;",
                       choice("grid 256x1"));
    EXPECT_EQ(count(text, "if m_0 > 3\n"), 1) << text;
    EXPECT_EQ(count(text, "] += 2\n"), 1);
}

const std::string labels =
    "axis k = 64; float u[x,y]; int bin[x,y], h[k]; input u, h; bin = int(64*u); h[k = bin] += 1; return h;";

TEST(LowerFieldText, ABlockAddsEntriesToCopiesInSharedMemory) {
    const std::string text = text_of_kernel(labels, choice("histogram 256x1 vector 4 chunk 16 unroll 4"));
    EXPECT_EQ(count(text, "barrier"), 2) << text;
    EXPECT_EQ(count(text, "u_0[0 :+ 4] = u["), 1) << text;
    EXPECT_EQ(count(text, "h_copies[k_listed * copy_count + own] += 1\n"), 1) << text;
    EXPECT_EQ(count(text, "] += (int)sum\n"), 1) << text;
    EXPECT_EQ(count(text, "bin[]"), 0) << "the label never leaves the kernel";
    EXPECT_EQ(count(text, "to be a multiple of 4\n"), 1);
    EXPECT_EQ(count(text, "to be at most 4096\n"), 1) << "16 words a thread";
}

TEST(LowerFieldText, CellsForWhichThereIsNoRoomAreAddedToInMemory) {
    const std::vector<std::string> both = texts(labels, choice("histogram 256x1 vector 4 chunk 16 unroll 4"));
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(count(both.back(), "barrier") + count(both.back(), "requires"), 0) << both.back();
    EXPECT_EQ(count(both.back(), "h_new[k_listed] += 1\n"), 1) << both.back();
}

TEST(LowerFieldText, AdditionsOfAKernelShareItsWords) {
    const std::string text = text_of_kernel(
        "axis k = 8; axis j = 4; uint8 b[x]; int h[k]; int64 s[k, j]; input b, h, s; h[k = b] += 1; s[k = b, j = x % "
        "4] "
        "+= b; return h, s;",
        choice("histogram 32x1 vector 8 chunk 2 unroll 1"));
    EXPECT_EQ(count(text, "shared i32 h_copies[256]"), 1) << text;
    EXPECT_EQ(count(text, "shared i64 s_copies[128]"), 1) << text;
    EXPECT_EQ(count(text, "b_0[0 :+ 8] = b["), 1) << text;
}

}  // namespace
}  // namespace kasc::test
