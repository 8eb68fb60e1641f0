// Names for expressions stand for what is written, no more and no less.
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

using test::program_text;
using test::said_codes;

TEST(Lets, AreReadWhereTheyStand) {
    const std::string named = program_text(R"(
float T[x] boundary mirror, S[x];
function f(u, a) { let g = u[a + 1] - u[a]; let h = g*g; return h/(1 + h); }
input T;
S = f(T, x);
return S;
)");
    EXPECT_EQ(named, program_text(R"(
float T[x] boundary mirror, S[x];
function f(u, a) = (u[a + 1] - u[a])*(u[a + 1] - u[a])/(1 + (u[a + 1] - u[a])*(u[a + 1] - u[a]));
input T;
S = f(T, x);
return S;
)"));
}

TEST(Lets, OfStatementsAreKnownToTheEndOfTheirBlock) {
    const std::string named = program_text(R"(
float T[x], S[x];
param int steps;
let half = extent(x)/2;
input T;
let near = x < half && x > 2;
S = near ? T : 0;
for (n = 0; n < steps; n++) { let later = n*T; S = S + later; }
if (steps > 2) { let later = 3; S = S*later; }
return S;
)");
    EXPECT_EQ(named, program_text(R"(
float T[x], S[x];
param int steps;
input T;
S = x < extent(x)/2 && x > 2 ? T : 0;
for (n = 0; n < steps; n++) { S = S + n*T; }
if (steps > 2) { S = S*3; }
return S;
)"));
    EXPECT_EQ(said_codes("float T[x]; input T; for (n = 0; n < 3; n++) { let a = 2*T; T = a; } T = a; return T;"),
              "K0204");
}

TEST(Lets, OfAFieldsNameHaveNeighbours) {
    EXPECT_EQ(
        program_text("float T[x] boundary mirror; function f(u) { let v = u; return v[x + 1]; } input T; T = f(T); "
                     "return T;"),
        program_text("float T[x] boundary mirror; input T; T = T[x + 1]; return T;"));
}

TEST(Lets, AreHiddenByArguments) {
    EXPECT_EQ(program_text("float T[x]; let g = 7; function f(g) = g + 1; input T; T = f(T); return T;"),
              program_text("float T[x]; input T; T = T + 1; return T;"));
}

TEST(Lets, MeanWhatFieldsWereWhereTheyAreWritten) {
    const std::string before = "float T[x], S[x]; input T; S = 0; ";
    EXPECT_EQ(said_codes(before + "let a = 2*T; T = a; return T;"), "");
    EXPECT_EQ(said_codes(before + "let a = 2*T; for (n = 0; n < 3; n++) { S = S + a; T = 3*T; } return T, S;"),
              "K0119");
    EXPECT_EQ(said_codes(before + "for (n = 0; n < 3; n++) { let a = 2*T; S = S + a; T = 3*T; } return T, S;"), "");
    EXPECT_EQ(said_codes(before + "procedure p(u) { u = u + 1; } let a = 2*T; p(T); S = a; return T, S;"), "");
    EXPECT_EQ(said_codes(before + "let a = 2*T; T = 3*T; function f(u) = a*u; S = f(T); return T, S;"), "");
    EXPECT_EQ(said_codes(before + "let a = 2*T; T[x = 0] = 3; S = a; return T, S;"), "K0119");
    // What functions read of themselves stays what it is there.
    EXPECT_EQ(said_codes(before + "function g(k) = T[x = k]; function f(k) = 2*g(k); let a = f(0); T = 3*T; S = a; "
                                  "return T, S;"),
              "K0119");
    EXPECT_EQ(said_codes(before + "function f(T) = 2*T; let a = f(S); T = 3*T; S = a; return T, S;"), "");
}

TEST(Lets, KeepWhatFieldsWere) {
    const std::string fields = "float T[x] boundary keep(1), S[x]; ", begin = "input T; S = 0; ";
    const std::string before = fields + "float T_before[x] boundary keep(0); " + begin;
    const auto with_let = [&](const std::string& statements) { return program_text(fields + begin + statements); };
    EXPECT_EQ(with_let("let a = T[x - 1]; T = 3*T; T = 2*T; S = a; S = S*a; return T, S;"),
              program_text(before + "T_before = T; T = 3*T; T = 2*T; S = T_before[x - 1]; S = S*T_before[x - 1]; "
                                    "return T, S;"));
    // Names of names; two of them at one assignment; one that reads two fields.
    EXPECT_EQ(with_let("let a = 2*T; let b = a + S; T = b; S = T*a; return T, S;"),
              program_text(before + "T_before = T; T = 2*T + S; S = T*(2*T_before); return T, S;"));
    EXPECT_EQ(with_let("let b = T + S; S = b; T = b; T = b; return T, S;"),
              program_text(fields + "float S_before[x]; float T_before[x] boundary keep(0); " + begin +
                           "S_before = S; S = T + S; T_before = T; T = T + S_before; T = T_before + S_before; "
                           "return T, S;"));
    // A loop is one statement of what stands around it, a branch as well.
    EXPECT_EQ(with_let("let a = 2*T; for (n = 0; n < 3; n++) { T = T + 1; S = S + a; } return T, S;"),
              program_text(before + "T_before = T; for (n = 0; n < 3; n++) { T = T + 1; S = S + 2*T_before; } "
                                    "return T, S;"));
    EXPECT_EQ(with_let("for (n = 0; n < 3; n++) { let a = 2*T; if (n == 1) { T = a; } S = S + a; } return T, S;"),
              program_text(before + "for (n = 0; n < 3; n++) { T_before = T; if (n == 1) { T = 2*T; } "
                                    "S = S + 2*T_before; } return T, S;"));
    EXPECT_EQ(
        program_text("vector3 u[x], T_before[x], T[x]; input u, T_before, T; let a = T.x*u; T = a; T.x = 1; u = a; "
                     "return u, T, T_before;"),
        program_text("vector3 u[x], T_before[x], T[x], T_before_2[x]; input u, T_before, T; T_before_2 = T; "
                     "T = T.x*u; T.x = 1; u = T_before_2.x*u; return u, T, T_before;"));
}

TEST(Lets, ReadCellsBesideThoseThatAreAssigned) {
    const auto sweep = [](const std::string& body) {
        return said_codes("float a[x], b[x], c[x]; input a, b; c = 0; for (k = 1; k < extent(x); k++) { " + body +
                          " } return b, c;");
    };
    EXPECT_EQ(sweep("let m = a[x = k] - b[x = k - 1]; b[x = k] = m; c[x = k] = 2*m;"), "");
    EXPECT_EQ(sweep("let m = a[x = k] - b[x = k + 1]; b[x = k - 1] = m; c[x = k] = 2*m;"), "");
    EXPECT_EQ(sweep("let m = b[x = k - 1] + b[x = k]; b[x = k] = m; c[x = k] = 2*m;"), "K0119");
    EXPECT_EQ(sweep("let m = b[x = k - 1]; b[x = k] = m; b[x = k - 1] = 0; c[x = k] = m;"), "K0119");
    EXPECT_EQ(sweep("let m = a[x = k] - b[x = k - 1]; b = 0; c[x = k] = m;"), "");
    EXPECT_EQ(sweep("let m = b[x = 0]; b[x = k] = 1; c[x = k] = m;"), "K0119");  // k may be anything
}

TEST(Lets, ThatDoubleEachOtherAreBounded) {
    std::string text = "float T[x]; function f(u) { let a0 = u*u; ";
    for (int k = 1; k < 60; ++k)
        text += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + "*a" + std::to_string(k - 1) + "; ";
    EXPECT_EQ(said_codes(text + "return a59; } input T; T = f(T); return T;").substr(0, 5), "K0231");
    std::string deep = "float T[x]; input T; let a0 = T; ";
    for (int k = 1; k < 3000; ++k) deep += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + " + 1; ";
    EXPECT_EQ(said_codes(deep + "T = a2999; return T;").substr(0, 5), "K0231");
}

TEST(Lets, OfCellsHaveWords) {
    EXPECT_EQ(
        program_text("vector3 u[x] boundary mirror; function f(u) { let d = u[x + 1] - u; return d.x*d; } input u; "
                     "u = f(u); return u;"),
        program_text("vector3 u[x] boundary mirror; input u; u = (u[x + 1] - u).x*(u[x + 1] - u); return u;"));
}

}  // namespace
}  // namespace kasc
