// Blocks that stand once for each entry of a list, and tables of constants.
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

using test::program_text;
using test::said_codes;

TEST(Lists, NameFamiliesByAxis) {
    const std::string text = R"(
option three = 1;
list space = (x, y, z if three);
axis z = three ? 4 : 1;
float p[x, y, z] boundary mirror;
for a in space, k in (u, v, w if three) { float {k}_{a}[x, y, z]; param float d{a} = 1; }
input p;
for a in space, k in (u, v, w if three) { {k}_{a} = (p[a + 1] - p)/d{a}; }
p = p + axis_sum(a, space, p[a + 1]*d{a});
for a in space, k in (u, v, w if three) { return {k}_{a}; }
return p;
)";
    EXPECT_EQ(program_text(text), program_text(R"(
option three = 1;
axis z = 4;
float p[x, y, z] boundary mirror, u_x[x, y, z], v_y[x, y, z], w_z[x, y, z];
param float dx = 1; param float dy = 1; param float dz = 1;
input p;
u_x = (p[x + 1] - p)/dx;
v_y = (p[y + 1] - p)/dy;
w_z = (p[z + 1] - p)/dz;
p = p + (p[x + 1]*dx + p[y + 1]*dy + p[z + 1]*dz);
return u_x, v_y, w_z, p;
)"));
    const std::string two = program_text(text, {{"three", 0}});
    EXPECT_EQ(two.find("w_z"), std::string::npos);
    EXPECT_NE(two.find("return u_x, v_y, p;"), std::string::npos) << two;
}

TEST(Lists, NameWordsOfCells) {
    EXPECT_EQ(program_text("vector3 u[x]; input u; for a in (x, y, z) { u.a = 2*u.a; } return u;"),
              program_text("vector3 u[x]; input u; u.x = 2*u.x; u.y = 2*u.y; u.z = 2*u.z; return u;"));
}

TEST(Lists, NumberWordsOfCells) {
    EXPECT_EQ(program_text("type wide = float[5, 5]; wide D[x]; input D; for i in (0, 4), j in (1, 3) { "
                           "D.{i}_{j} = 2*D.4_{j} + D.{i}_0; } return D;"),
              program_text("type wide = float[5, 5]; wide D[x]; input D; D.0_1 = 2*D.4_1 + D.0_0; "
                           "D.4_3 = 2*D.4_3 + D.4_0; return D;"));
    EXPECT_EQ(program_text("matrix3x3 F[x]; input F; for i in (0, 1) { F.{i}_2 = F.2_{i}; } return F;"),
              program_text("matrix3x3 F[x]; input F; F.xz = F.zx; F.yz = F.zy; return F;"));
    EXPECT_NE(said_codes("matrix3x3 F[x]; input F; F.0_{j} = 1; return F;"), "");
    EXPECT_EQ(said_codes("matrix3x3 F[x]; input F; F.0_3 = 1; return F;"), "K0257");
}

TEST(Lists, StandInSums) {
    EXPECT_EQ(program_text("float T[x, y, z] boundary mirror; input T; T = axis_sum(a, (x, z), T[a + 1]*a); return T;"),
              program_text("float T[x, y, z] boundary mirror; input T; T = T[x + 1]*x + T[z + 1]*z; return T;"));
    EXPECT_EQ(said_codes("float T[x]; input T; T = (T, x); return T;"), "K0121");
    EXPECT_EQ(said_codes("float T[x]; input T; T = (T, 2); return T;"), "K0101");
}

TEST(Lists, HoldNumbers) {
    EXPECT_EQ(
        program_text("float T[x] boundary mirror, k1[x], k2[x]; input T; for s in (1, 2) { k{s} = T[x + s]; } "
                     "T = k1 + k2; return T;"),
        program_text("float T[x] boundary mirror, k1[x], k2[x]; input T; k1 = T[x + 1]; k2 = T[x + 2]; T = k1 + k2; "
                     "return T;"));
}

TEST(Lists, HoldNegativeNumbersAndReals) {
    EXPECT_EQ(program_text("float f[x] boundary periodic, g[x]; input f; g = 0; "
                           "for c in (1, -1), w in (0.5, -.25) { g = g-w*f[x-c]; } return g;"),
              program_text("float f[x] boundary periodic, g[x]; input f; g = 0; g = g - 0.5*f[x - 1]; "
                           "g = g - -.25*f[x + 1]; return g;"));
}

TEST(Parts, BeforeTheStatementsStandInAnyOrder) {
    const std::string statements = "S = f(T)*c + q; return S;";
    EXPECT_EQ(program_text("input T, c; float T[x]; require(T > a); param float a = 1; axis x = 5; input q; "
                           "float c[x] or uniform, S[x], q[x]; function f(u) = a*u; " +
                           statements),
              program_text("float T[x], c[x] or uniform, S[x], q[x]; axis x = 5; param float a = 1; "
                           "function f(u) = a*u; input T, c, q; require(T > a); " +
                           statements));
    // A field 'or uniform' that is one number is no input, wherever it is declared.
    EXPECT_EQ(program_text("input T, c; float T[x], S[x], c[x] or uniform; S = c*T; return S;", {{"c", 2}}),
              program_text("float T[x], S[x], c[x] or uniform; input T, c; S = c*T; return S;", {{"c", 2}}));
}

TEST(Parts, StandBetweenStatementsAboveThoseThatSayTheirNames) {
    EXPECT_EQ(
        program_text("float T[x]; input T; T = 2*T; param float a = 1; function f(u) = a*u; axis X = extent(x)/2; "
                     "float S[X]; S = f(T[x = 2*X]); procedure twice(u) { u = u + u; } twice(S); return S;"),
        program_text("float T[x], S[X]; axis X = extent(x)/2; param float a = 1; function f(u) = a*u; input T; "
                     "T = 2*T; S = f(T[x = 2*X]); S = S + S; return S;"));
    const std::string before = "float T[x]; input T; ";
    EXPECT_EQ(said_codes(before + "T = a*T; param float a = 1; return T;"), "K0275");
    EXPECT_EQ(said_codes(before + "T = f(T); function f(u) = 2*u; return T;"), "K0275");
    EXPECT_EQ(said_codes(before + "for (n = 0; n < m; n++) { T = 2*T; } param int m = 3; return T;"), "K0275");
    EXPECT_EQ(said_codes(before + "if (sum(T) > S) { T = 2*T; } float S[]; return T;"), "K0275");
    EXPECT_EQ(said_codes("float T[x]; T = x; input T; T = 2*T; return T;"), "K0275");
    EXPECT_EQ(said_codes(before + "twice(T); procedure twice(u) { u = u + u; } return T;"), "K0230");
    // What a function or procedure says is asked for where they stand in a statement.
    EXPECT_EQ(
        said_codes(before + "function f(u) = a*u; procedure p(u) { u = a*u; } T = 2*T; param float a = 1; T = f(T); "
                            "p(T); return T;"),
        "");
}

TEST(Parts, OfAWholeRunStandBeforeTheStatements) {
    EXPECT_EQ(said_codes("float T[x]; input T; T = 2*T; require(T > 0); return T;"), "K0108");
    EXPECT_EQ(said_codes("float T[x]; input T; T = 2*T; return T; param float a = 1;"), "K0108");
}

TEST(Lists, StandInEachOtherInLoopsAndInProcedures) {
    EXPECT_EQ(program_text(R"(
float m_xx[x], m_xy[x], m_yx[x], m_yy[x];
param int steps;
procedure scale(c) { for i in (x, y) { float row_{i}[x]; row_{i} = c; for j in (x, y) { m_{i}{j} = row_{i}*m_{i}{j}; } } }
for i in (x, y) { for j in (x, y) { input m_{i}{j}; } }
for (n = 0; n < steps; n++) { scale(n); }
return m_xx, m_xy, m_yx, m_yy;
)"),
              program_text(R"(
float m_xx[x], m_xy[x], m_yx[x], m_yy[x], scale_row_x[x], scale_row_y[x];
param int steps;
input m_xx, m_xy, m_yx, m_yy;
for (n = 0; n < steps; n++) {
    scale_row_x = n; m_xx = scale_row_x*m_xx; m_xy = scale_row_x*m_xy;
    scale_row_y = n; m_yx = scale_row_y*m_yx; m_yy = scale_row_y*m_yy;
}
return m_xx, m_xy, m_yx, m_yy;
)"));
}

TEST(Tables, SayHowLongTheirAxesAre) {
    EXPECT_EQ(
        program_text("float w[q] = {1, 2, 4}, f[x, q]; axis x = 5; f = w*x; return f;"),
        program_text("float w[q], f[x, q]; axis q = 3; axis x = 5; w = q < 1 ? 1 : q < 2 ? 2 : 4; f = w*x; return f;"));
    EXPECT_EQ(
        program_text("int m[i, j] = {{1, 2}, {3, 4}, {5, 6}}; int s[]; s = sum(m); return s;"),
        program_text("int m[i, j]; int s[]; axis i = 2; axis j = 3; m = j < 1 ? i < 1 ? 1 : 2 : j < 2 ? i < 1 ? 3 : 4 "
                     ": i < 1 ? 5 : 6; s = sum(m); return s;"));
}

TEST(Tables, HoldOptionsAndParameters) {
    EXPECT_EQ(said_codes("option n = 3; param float h; float w[q] = {1/h, n*h, sqrt(h)}, s[]; s = sum(w); return s;"),
              "");
    EXPECT_EQ(said_codes("float w[q] = {1, q}, s[]; s = sum(w); return s;"), "K0122");
    std::string many = "float w[q] = {0";
    for (int k = 1; k < 2048; ++k) many += ", " + std::to_string(k);
    EXPECT_EQ(said_codes(many + "}, s[]; s = sum(w); return s;"), "");
    EXPECT_EQ(said_codes(many + ", 1}, s[]; s = sum(w); return s;"), "K0122");
}

}  // namespace
}  // namespace kasc
