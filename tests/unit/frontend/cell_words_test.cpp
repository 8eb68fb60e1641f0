// Fields whose cells have a shape: what a program says of cells is what it says of their words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "library/library.hpp"
#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

using test::cell_library;
using test::expect_same;
using test::read_cells;

TEST(FunctionsThatWereLeftOut, AreMeantAllTheSame) {
    Library library = cell_library();
    library.functions = {};
    library.unread = {"left_out_function"};
    for (const char* program : {"matrix3x3 A, B; input A; B = left_out_functio(A, A); return B;",
                                "matrix3x3 A[x], B[x]; input A; B = left_out_functio(A, A); return B;"}) {
        const auto refused = read_program(make_source("left_out.kas", program), library);
        EXPECT_NE(render_text(refused.diagnostics).find("did you mean 'left_out_function'?"), std::string::npos)
            << render_text(refused.diagnostics);
    }
}

TEST(CellWords, HaveTheNamesThatTheTypeGives) {
    expect_same(R"(
symmetric3x3 S[x, y], T[x, y];
float s[x, y];
input S;
T = 2*S - symmetric3x3(0, 0, 0, 1, 2, 3);
T.xy = S.yz;
s = (T + S).xz + T.5;
return T, s;
)",
                R"(
float S_xx[x, y], S_yy[x, y], S_zz[x, y], S_yz[x, y], S_xz[x, y], S_xy[x, y];
float T_xx[x, y], T_yy[x, y], T_zz[x, y], T_yz[x, y], T_xz[x, y], T_xy[x, y];
float s[x, y];
input S_xx, S_yy, S_zz, S_yz, S_xz, S_xy;
T_xx = 2*S_xx - 0;
T_yy = 2*S_yy - 0;
T_zz = 2*S_zz - 0;
T_yz = 2*S_yz - 1;
T_xz = 2*S_xz - 2;
T_xy = 2*S_xy - 3;
T_xy = S_yz;
s = (T_xz + S_xz) + T_xy;
return T_xx, T_yy, T_zz, T_yz, T_xz, T_xy, s;
)");
    const auto refused = read_cells("symmetric3x3 S[x]; float s[x]; input S; s = S.yx; return s;");
    EXPECT_NE(render_text(refused.diagnostics).find("its words are '.xx' to '.xy'"), std::string::npos)
        << render_text(refused.diagnostics);
}

TEST(CellWords, AreNumberedWithoutLeadingZeros) {
    for (const char* word : {"00", "01", "007"}) {
        const auto refused = read_cells(fmt::format("matrix3x3 F[x]; float s[x]; input F; s = F.{}; return s;", word));
        ASSERT_FALSE(refused) << word;
        EXPECT_EQ(refused.diagnostics.front().code, "K0257");
    }
    for (const char* word : {"0", "1", "8"})
        EXPECT_TRUE(read_cells(fmt::format("matrix3x3 F[x]; float s[x]; input F; s = F.{}; return s;", word))) << word;
}

TEST(CellWords, GoWordByWordWithNumbers) {
    expect_same(R"(
vector3 u[x, y] boundary mirror, v[x, y];
float s[x];
param float dt;
input u, s;
v = dt*u[x + 1] - s*u/2 + 1;
v = v.x > 0 ? -v : abs(u[0, -1]);
v += min(u, s);
return v;
)",
                R"(
float u_x[x, y] boundary mirror, u_y[x, y] boundary mirror, u_z[x, y] boundary mirror, v_x[x, y], v_y[x, y], v_z[x, y];
float s[x];
float v_x_next[x, y], v_y_next[x, y], v_z_next[x, y];
param float dt;
input u_x, u_y, u_z, s;
v_x = dt*u_x[x + 1] - s*u_x/2 + 1;
v_y = dt*u_y[x + 1] - s*u_y/2 + 1;
v_z = dt*u_z[x + 1] - s*u_z/2 + 1;
v_x_next = v_x > 0 ? -v_x : abs(u_x[0, -1]);
v_y_next = v_x > 0 ? -v_y : abs(u_y[0, -1]);
v_z_next = v_x > 0 ? -v_z : abs(u_z[0, -1]);
v_x = v_x_next;
v_y = v_y_next;
v_z = v_z_next;
v_x += min(u_x, s);
v_y += min(u_y, s);
v_z += min(u_z, s);
return v_x, v_y, v_z;
)");
}

TEST(CellWords, AreNamedByLettersOrNumbers) {
    expect_same(R"(
type pair = float[2]; type square = float[2, 2]; type many = float[3, 5];
pair a[x]; square F[x]; many m[x];
input a, F, m;
a.y = F.xy + m.4 + m.2_4;
F = square(a.x, a.0, 1, F.3);
return a, F;
)",
                R"(
float a_x[x], a_y[x], F_xx[x], F_xy[x], F_yx[x], F_yy[x];
float m_0_0[x], m_0_1[x], m_0_2[x], m_0_3[x], m_0_4[x], m_1_0[x], m_1_1[x], m_1_2[x], m_1_3[x], m_1_4[x];
float m_2_0[x], m_2_1[x], m_2_2[x], m_2_3[x], m_2_4[x];
input a_x, a_y, F_xx, F_xy, F_yx, F_yy;
input m_0_0, m_0_1, m_0_2, m_0_3, m_0_4, m_1_0, m_1_1, m_1_2, m_1_3, m_1_4, m_2_0, m_2_1, m_2_2, m_2_3, m_2_4;
a_y = F_xy + m_0_4 + m_2_4;
F_xx = a_x;
F_xy = a_x;
F_yx = 1;
F_yy = F_yy;
return a_x, a_y, F_xx, F_xy, F_yx, F_yy;
)");
}

/// Each step of a sum is one fmaf: the first of two products is the one that is fused.
TEST(CellWords, AreFoldedFromTheFirst) {
    expect_same(R"(
vector3 u[x, y], m[y]; float s[x, y], least[x, y], whole[];
input u;
s = sum(u*u);
least = minimum(u) - maximum(u)*product(u + 1);
m = sum(u, x);
whole = sum(sum(m));
return s, least, m, whole;
)",
                R"(
float u_x[x, y], u_y[x, y], u_z[x, y], m_x[y], m_y[y], m_z[y], s[x, y], least[x, y], whole[];
input u_x, u_y, u_z;
s = u_y*u_y + u_x*u_x + u_z*u_z;
least = min(min(u_x, u_y), u_z) - max(max(u_x, u_y), u_z)*((u_x + 1)*(u_y + 1)*(u_z + 1));
m_x = sum(u_x, x);
m_y = sum(u_y, x);
m_z = sum(u_z, x);
whole = sum(m_y + m_x + m_z);
return s, least, m_x, m_y, m_z, whole;
)");
}

TEST(CellWords, FunctionsAreExpandedWhereTheySpeakOfShapes) {
    expect_same(R"(
vector3 u[x, y] boundary periodic, w[x, y];
float s[x, y] boundary periodic;
param float dx;
function dot(a, b) = sum(a*b);
function turned(a) = vector3(-a.y, a.x, a.z);
function step(a, along) = a[along + 1] - a[along - 1];
function twice(a) = 2*a;
function axis() = vector3(0, 0, 1);
input u, s;
w = twice(turned(step(u, y))) + laplace2(u, dx) + dot(axis(), turned(u));
s = twice(step(s, x)) + dot(twice(w), w);
return w, s;
)",
                R"(
float u_x[x, y] boundary periodic, u_y[x, y] boundary periodic, u_z[x, y] boundary periodic, w_x[x, y], w_y[x, y], w_z[x, y];
float s[x, y] boundary periodic;
param float dx;
input u_x, u_y, u_z, s;
w_x = 2*-(u_y[y + 1] - u_y[y - 1]) + laplace2(u_x, dx) + (0*u_x + 0*-u_y + 1*u_z);
w_y = 2*(u_x[y + 1] - u_x[y - 1]) + laplace2(u_y, dx) + (0*u_x + 0*-u_y + 1*u_z);
w_z = 2*(u_z[y + 1] - u_z[y - 1]) + laplace2(u_z, dx) + (0*u_x + 0*-u_y + 1*u_z);
s = 2*(s[x + 1] - s[x - 1]) + (2*w_y*w_y + 2*w_x*w_x + 2*w_z*w_z);
return w_x, w_y, w_z, s;
)");
}

/// A function of the library that the program's hides still means its own inside of the library.
TEST(CellWords, FunctionsOfTheLibraryKeepTheirMeaning) {
    expect_same(R"(
matrix3x3 A[x]; float d[x];
function cofactors33(u) = 7*u;
input A;
d = det33(A) + cofactors33(A.xx);
return d;
)",
                R"(
float A_xx[x], A_xy[x], A_xz[x], A_yx[x], A_yy[x], A_yz[x], A_zx[x], A_zy[x], A_zz[x], d[x];
input A_xx, A_xy, A_xz, A_yx, A_yy, A_yz, A_zx, A_zy, A_zz;
d = A_xy*(A_yz*A_zx - A_yx*A_zz) + A_xx*(A_yy*A_zz - A_yz*A_zy) + A_xz*(A_yx*A_zy - A_yy*A_zx) + 7*A_xx;
return d;
)");
}

TEST(CellWords, TypesOfTheProgramTakeThePlaceOfFunctionsOfTheLibrary) {
    expect_same(R"(
type lesion = float[2];
lesion u[x]; float dose[x], dead[x];
function both(a) = lesion(a, 2*a);
input dose;
u = both(dose) + lesion(1, 2);
dead = u.y;
return u, dead;
)",
                R"(
float u_x[x], u_y[x], dose[x], dead[x];
input dose;
u_x = dose + 1;
u_y = 2*dose + 2;
dead = u_y;
return u_x, u_y, dead;
)");
}

TEST(CellWords, StandAtPositionsInListsLoopsAndRequirements) {
    expect_same(R"(
vector3 u[x, y], movie[x, y, t], at[p];
int px[p], py[p];
param int steps;
input u, px, py;
require(u >= 0);
for (n = 0; n < steps; n++) {
    u = 0.5*u;
    u[x = px, y = py] += vector3(1, 0, 2);
    movie[t = n] = u;
}
at = u[x = px, y = py];
return movie, at;
)",
                R"(
float u_x[x, y], u_y[x, y], u_z[x, y], movie_x[x, y, t], movie_y[x, y, t], movie_z[x, y, t], at_x[p], at_y[p], at_z[p];
int px[p], py[p];
param int steps;
input u_x, u_y, u_z, px, py;
require(u_x >= 0, u_y >= 0, u_z >= 0);
for (n = 0; n < steps; n++) {
    u_x = 0.5*u_x;
    u_y = 0.5*u_y;
    u_z = 0.5*u_z;
    u_x[x = px, y = py] += 1;
    u_y[x = px, y = py] += 0;
    u_z[x = px, y = py] += 2;
    movie_x[t = n] = u_x;
    movie_y[t = n] = u_y;
    movie_z[t = n] = u_z;
}
at_x = u_x[x = px, y = py];
at_y = u_y[x = px, y = py];
at_z = u_z[x = px, y = py];
return movie_x, movie_y, movie_z, at_x, at_y, at_z;
)");
}

/// All of them are computed before any is assigned, over the axes that the statement runs along.
TEST(CellWords, ReadEachOtherAtPositions) {
    expect_same(R"(
vector3 u[x, t], w[x, y];
int at[p], col[x];
param int q;
function next(x) = x + q;
function odd() = x % 3;
input u, w, at, col;
for (n = 1; n < extent(t); n++) {
    u[t = n] = vector3(u[t = n - 1].y, u[t = n].x, 0);
}
u[x = at, t = q] += u[x = at, t = q].x;
w[y = col] = vector3(w[y = col].z, w[y = col].x, 1);
w[y = next(odd())] = vector3(w[y = q].y, w[y = q].x, 1);
return u, w;
)",
                R"(
float u_x[x, t], u_y[x, t], u_z[x, t], w_x[x, y], w_y[x, y], w_z[x, y];
int at[p], col[x];
float u_x_next[x], u_y_next[x], u_z_next[x], u_x_next_[p], u_y_next_[p], u_z_next_[p], w_x_next[x], w_y_next[x], w_z_next[x];
param int q;
function next(x) = x + q;
function odd() = x % 3;
input u_x, u_y, u_z, w_x, w_y, w_z, at, col;
for (n = 1; n < extent(t); n++) {
    u_x_next = u_y[t = n - 1];
    u_y_next = u_x[t = n];
    u_z_next = 0;
    u_x[t = n] = u_x_next;
    u_y[t = n] = u_y_next;
    u_z[t = n] = u_z_next;
}
u_x_next_ = u_x[x = at, t = q];
u_y_next_ = u_x[x = at, t = q];
u_z_next_ = u_x[x = at, t = q];
u_x[x = at, t = q] += u_x_next_;
u_y[x = at, t = q] += u_y_next_;
u_z[x = at, t = q] += u_z_next_;
w_x_next = w_z[y = col];
w_y_next = w_x[y = col];
w_z_next = 1;
w_x[y = col] = w_x_next;
w_y[y = col] = w_y_next;
w_z[y = col] = w_z_next;
w_x_next = w_y[y = q];
w_y_next = w_x[y = q];
w_z_next = 1;
w_x[y = next(odd())] = w_x_next;
w_y[y = next(odd())] = w_y_next;
w_z[y = next(odd())] = w_z_next;
return u_x, u_y, u_z, w_x, w_y, w_z;
)");
}

/// All words of a cell are updated at the turn of its colour; where each reads itself alone, each is by itself.
TEST(CellWords, ReadEachOtherInColouredUpdates) {
    expect_same(R"(
vector3 u[x, y] boundary mirror;
float colour[x];
input u, colour;
u = vector3(u[x + 1].y, u.x + u.z, colour) coloured(2);
u = u[x - 1] coloured(3);
return u;
)",
                R"(
float u_x[x, y] boundary mirror, u_y[x, y] boundary mirror, u_z[x, y] boundary mirror;
float colour[x];
float u_x_next[x, y], u_y_next[x, y], u_z_next[x, y];
input u_x, u_y, u_z, colour;
for (colour_ = 0; colour_ < 2; colour_++) {
    u_x_next = (x + y) % 2 == colour_ ? u_y[x + 1] : u_x;
    u_y_next = (x + y) % 2 == colour_ ? u_x + u_z : u_y;
    u_z_next = (x + y) % 2 == colour_ ? colour : u_z;
    u_x = u_x_next;
    u_y = u_y_next;
    u_z = u_z_next;
}
u_x = u_x[x - 1] coloured(3);
u_y = u_y[x - 1] coloured(3);
u_z = u_z[x - 1] coloured(3);
return u_x, u_y, u_z;
)");
}

TEST(CellWords, HaveAValueBeyondTheGrid) {
    expect_same(R"(
vector3 u[x, y] boundary (x: value(up(q)) / mirror, y: value(2)), v[x, y];
float s[x] boundary value(up(q).z);
param float q;
function up(a) = vector3(0, 1, a);
input u, s;
v = u[x - 1] + s[x + 1];
return v;
)",
                R"(
float u_x[x, y] boundary (x: value(0) / mirror, y: value(2)), u_y[x, y] boundary (x: value(1) / mirror, y: value(2));
float u_z[x, y] boundary (x: value(q) / mirror, y: value(2)), v_x[x, y], v_y[x, y], v_z[x, y];
float s[x] boundary value(q);
param float q;
input u_x, u_y, u_z, s;
v_x = u_x[x - 1] + s[x + 1];
v_y = u_y[x - 1] + s[x + 1];
v_z = u_z[x - 1] + s[x + 1];
return v_x, v_y, v_z;
)");
}

TEST(CellWords, AreOfAnyTypeOfNumbers) {
    expect_same(R"(
type wide = double[2]; type place = int[2]; type spinor = double_complex[2]; type label = uint8[2];
wide d[x, y]; place at[p]; spinor s[x, y]; label m[x, y]; double seen[p];
input d, at, m;
require(m < 9);
s = spinor(complex(d.x, d.y), 0);
s = spinor(conj(s.y), 2*s.x);
m = label(m.y, m.x + 1);
d = m > 3 ? real(s) : d;
seen = d[x = at.x, y = at.y].x;
return d, m, seen;
)",
                R"(
double d_x[x, y], d_y[x, y]; int at_x[p], at_y[p];
double_complex s_x[x, y], s_y[x, y]; uint8 m_x[x, y], m_y[x, y]; double seen[p];
double_complex s_x_next[x, y], s_y_next[x, y]; uint8 m_x_next[x, y], m_y_next[x, y];
input d_x, d_y, at_x, at_y, m_x, m_y;
require(m_x < 9, m_y < 9);
s_x = complex(d_x, d_y);
s_y = 0;
s_x_next = conj(s_y);
s_y_next = 2*s_x;
s_x = s_x_next;
s_y = s_y_next;
m_x_next = m_y;
m_y_next = m_x + 1;
m_x = m_x_next;
m_y = m_y_next;
d_x = m_x > 3 ? real(s_x) : d_x;
d_y = m_y > 3 ? real(s_y) : d_y;
seen = d_x[x = at_x, y = at_y];
return d_x, d_y, m_x, m_y, seen;
)");
}

TEST(CellWords, AreKnownToTheProgram) {
    const auto program =
        read_cells("matrix3x3 F[x]; vector3 u[x]; float s[x]; input u; F = vouter3(u, u); s = F.xy; return F, s;");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    ASSERT_EQ(program->shaped.size(), 2U);
    EXPECT_EQ(program->shaped[0].name, "F");
    EXPECT_EQ(program->shaped[0].extents, (std::vector<int>{3, 3}));
    ASSERT_EQ(program->shaped[0].words.size(), 9U);
    EXPECT_EQ(program->variables[program->shaped[0].words[5]].name, "F_yz");
    EXPECT_EQ(program->shaped[1].name, "u");
    EXPECT_EQ(program->shaped[1].words, program->inputs);
}

/// Functions that are expanded into each other twice a level would grow beyond any bound.
TEST(CellWords, EndInAnErrorWhereThereAreTooMany) {
    std::string text = "vector3 u[x];\nfunction f0(a) = vector3(a.x + a.y, a.y + a.z, a.z + a.x);\n";
    for (int k = 1; k < 40; ++k) text += fmt::format("function f{}(a) = f{}(a) + f{}(a*{}.5);\n", k, k - 1, k - 1, k);
    const auto program = read_cells(text + "input u;\nu = f39(u);\nreturn u;\n");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.diagnostics.front().code, "K0231");
}

}  // namespace
}  // namespace kasc
