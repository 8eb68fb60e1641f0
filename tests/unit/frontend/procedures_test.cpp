// Procedures stand where they are called, under names of their own.
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

using test::program_text;
using test::said_codes;

TEST(Procedures, StandWhereTheyAreCalled) {
    EXPECT_EQ(program_text(R"(
float T[x, y] boundary mirror, q[x, y];
procedure smooth(u, f, sweeps) { for (s = 0; s < sweeps; s++) { u = u + 0.1*(laplace2(u, 1) - f); } }
input T, q;
smooth(T, q, 1 + 2);
return T;
)"),
              program_text(R"(
float T[x, y] boundary mirror, q[x, y];
input T, q;
for (smooth_s = 0; smooth_s < 1 + 2; smooth_s++) { T = T + 0.1*(laplace2(T, 1) - q); }
return T;
)"));
}

TEST(Procedures, HaveFieldsOfTheirOwnForEachCall) {
    EXPECT_EQ(program_text(R"(
float T[x] boundary mirror, once_r[x];
procedure once(u, a) { float r[x]; r = u[a + 1]; u = u + r; }
procedure twice(u, a) { once(u, a); once(u, a); }
input T, once_r;
twice(T, x);
T = T + once_r;
return T;
)"),
              program_text(R"(
float T[x] boundary mirror, once_r[x], once_2_r[x], once_3_r[x];
input T, once_r;
once_2_r = T[x + 1];
T = T + once_2_r;
once_3_r = T[x + 1];
T = T + once_3_r;
T = T + once_r;
return T;
)"));
}

TEST(Procedures, KeepNamesOfTheCallerApart) {
    // The caller's s and r are no names of the procedure's.
    EXPECT_EQ(program_text(R"(
float T[x], r[x];
procedure add(u, e) { float r[x]; for (s = 0; s < 2; s++) { r = e; u = u + r; } }
input T, r;
for (s = 0; s < 3; s++) { add(T, r + s); }
return T;
)"),
              program_text(R"(
float T[x], r[x], add_r[x];
input T, r;
for (s = 0; s < 3; s++) { for (add_s = 0; add_s < 2; add_s++) { add_r = (r + s); T = T + add_r; } }
return T;
)"));
}

TEST(Procedures, ChooseByWhatTheyAreGiven) {
    const std::string text = R"(
option mode = 1;
float T[x], q[x];
procedure source(u, e, mode) { if (mode == 0) { u = e; } else { if (mode == 1) { u += e; } } }
input T, q;
source(T, q, mode);
source(T, 2, 0*mode);
return T;
)";
    const std::string one = program_text(text);
    EXPECT_NE(one.find("T += q;"), std::string::npos) << one;
    EXPECT_NE(one.find("T = 2;"), std::string::npos) << one;
    EXPECT_EQ(program_text(text, {{"mode", 2}}).find("q;"), std::string::npos);
}

TEST(Procedures, AssignWordsOfCells) {
    EXPECT_EQ(program_text("vector3 u[x]; procedure p(a) { a = a + 1; } input u; p(u.x); p(u); return u;"),
              program_text("vector3 u[x]; input u; u.x = u.x + 1; u = u + 1; return u;"));
}

TEST(Procedures, HaveNamesMadeOfWhatTheyAreGiven) {
    EXPECT_EQ(program_text("float T[x], T_max[x]; procedure p(u) { {u}_max = max({u}_max, u); } input T, T_max; p(T); "
                           "return T_max;"),
              program_text("float T[x], T_max[x]; input T, T_max; T_max = max(T_max, T); return T_max;"));
}

TEST(Procedures, HaveAxesOfTheirOwn) {
    EXPECT_EQ(program_text("float T[x]; procedure p(u, a) { axis half = extent(a)/2; float c[half]; c = u[a = 2*half]; "
                           "u = c[half = a/2]; } input T; p(T, x); return T;"),
              program_text("float T[x], p_c[p_half]; axis p_half = extent(x)/2; input T; p_c = T[x = 2*p_half]; "
                           "T = p_c[p_half = x/2]; return T;"));
}

TEST(Procedures, MayBeNamedAsOtherThings) {
    // Words of the language that are no reserved words stay names.
    EXPECT_EQ(
        said_codes("float let[x], procedure[x], list[x], in[x], import[x]; input let, procedure, list, in, import; "
                   "let = let + procedure; list = let; in = list*in; import = in; return import;"),
        "");
    EXPECT_EQ(
        said_codes("float T[x]; function let(in) = in; param float list = 1; input T; T = let(T)*list; return T;"), "");
}

TEST(Procedures, DoNotGrowWithoutBound) {
    std::string text = "float T[x]; procedure p0(u) { u = u + 1; } ";
    for (int k = 1; k < 100; ++k) {
        const std::string before = "p" + std::to_string(k - 1) + "(u); ";
        text += "procedure p" + std::to_string(k) + "(u) { " + before + before + "} ";
    }
    EXPECT_EQ(said_codes(text + "input T; p99(T); return T;"), "K0120");
}

TEST(Procedures, DoNotNestWithoutBound) {
    const auto nested = [](std::size_t deep, const std::string& inner) {
        std::string text;
        for (std::size_t k = 0; k < deep; ++k) text += "if (steps > " + std::to_string(k) + ") { ";
        text += inner;
        for (std::size_t k = 0; k < deep; ++k) text += " }";
        return text;
    };
    const std::string before = "float T[x]; param int steps; procedure inner(u) { " + nested(60, "u = u + 1;") +
                               " } procedure outer(u) { " + nested(60, "inner(u);") + " } input T; ";
    EXPECT_EQ(test::said_codes(before + nested(60, "outer(T);") + " return T;"), "");
    EXPECT_EQ(test::said_codes(before + nested(90, "outer(T);") + " return T;"), "K0105");
    std::string options;
    for (int k = 0; k < 30; ++k) options += "if (1) { for a in (x) { ";
    options += "T = 2*T; ";
    for (int k = 0; k < 60; ++k) options += "} ";
    EXPECT_EQ(test::said_codes("float T[x]; input T; " + options + "return T;"), "");
}

TEST(Procedures, AreNotedWhereTheirTextIsAtFault) {
    const auto read = read_program(
        make_source("p.kas", "float T[x];\nprocedure p(u) { u = u[x + 1]; }\ninput T;\np(T);\nreturn T;\n"),
        test::field_library());
    ASSERT_FALSE(read);
    const std::string text = render_text(read.diagnostics);
    EXPECT_NE(text.find("p.kas:2:22"), std::string::npos) << text;
    EXPECT_NE(text.find("in the expansion of 'p'\n  ::: p.kas:4:1"), std::string::npos) << text;
}

}  // namespace
}  // namespace kasc
