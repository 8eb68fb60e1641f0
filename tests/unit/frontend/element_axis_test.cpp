// Streams of which more is said than calls of functions are fields over the axis of their elements.
#include <gtest/gtest.h>

#include "frontend/setting_names.hpp"
#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

using test::cell_library;
using test::expect_same;
using test::read_cells;

TEST(ElementAxis, StreamsWithNumbersAreFields) {
    expect_same(R"(
matrix3x3 A, B;
scalar t;
param float s = 2;
input A;
B = s*mmul33(A, A);
t = trace33(B);
return B, t;
)",
                R"(
matrix3x3 A[elements], B[elements];
float t[elements];
param float s = 2;
input A;
B = s*mmul33(A, A);
t = trace33(B);
return B, t;
)");
}

/// Each of these is more than calls of functions with streams.
TEST(ElementAxis, WhateverIsNoCallMakesThemFields) {
    for (const char* text : {
             "matrix3x3 A, B; float T[elements]; input A, T; B = mmul33(A, A); T = T + 1; return B, T;",
             "matrix3x3 A, B; param float s; input A; B = smmul33(A, s); return B;",
             "matrix3x3 A, B; input A; require(A.xx > 0); B = mmul33(A, A); return B;",
             "matrix3x3 A, B; function mmul33(a, b) = a*b; input A; B = mmul33(A, A); return B;",
             "matrix3x3 A, B; function f(a) = A.xx + a; input A; require(f(1) > 0); B = mmul33(A, A); return B;",
             "matrix3x3 A, B; input A; require(extent(elements) > 1); B = mmul33(A, A); return B;",
             "matrix3x3 A; input A; for (k = 0; k < extent(elements); k++) { A = mmul33(A, A); } return A;",
             "matrix3x3 A, B; input A; B = sqrt(A); return B;",
             "matrix3x3 A; scalar s; input A; s = maximum(A); return s;",
             "scalar s, r; input s; r = running_sum(s); return r;",
             "matrix3x3 A, B; input A; B = mmul33(A, mmul33(A, A)); return B;",
             "matrix3x3 A, B; input A; B = A; return B;",
             "matrix3x3 A; input A; A.xy = 0; return A;",
             "matrix3x3 A; input A; A += A; return A;",
             "matrix3x3 A, B; input A; B = mmul33(A, A[elements = 0]); return B;",
             "type pair = float[2]; pair p; input p; p = p*p; return p;",
             "matrix3x3 A layout(soa), B; input A; B = mmul33(A, A); return B;",
         }) {
        const auto program = read_cells(text);
        ASSERT_TRUE(program) << text << render_text(program.diagnostics);
        EXPECT_FALSE(has_streams(*program.value)) << text;
    }
    for (const char* text : {
             "matrix3x3 A, B; input A; B = mmul33(A, A); return B;",
             "matrix3x3 A; param int n; input A; for (k = 0; k < n; k++) { A = mmul33(A, A); } return A;",
         }) {
        const auto program = read_cells(text);
        ASSERT_TRUE(program) << text << render_text(program.diagnostics);
        EXPECT_TRUE(has_streams(*program.value)) << text;
    }
}

/// What touches no stream leaves their calls what they are: the statements are the same with it and without.
TEST(ElementAxis, WhatIsOfNumbersAloneLeavesStreams) {
    const std::string calls = "matrix3x3 A; param int n = 2; input A;",
                      statements = "for (k = 0; k < n; k++) { A = mmul33(A, A); } return A;";
    const auto alone = read_cells(calls + statements);
    ASSERT_TRUE(alone) << render_text(alone.diagnostics);
    const auto program_of = [](const Program& p) {
        const std::string text = print(p, cell_library());
        return text.substr(text.find("input A;"));
    };
    const std::string expected = program_of(*alone.value);
    for (const std::string more : {
             "param float s = 2;",
             "param double s = venorm3(vector3(1, 2, 2));",
             "option s = 1;",
             "function f(x) = sum(x*x);",
             "type pair = float[2];",
         }) {
        const auto program = read_cells(more + calls + statements);
        ASSERT_TRUE(program) << more << render_text(program.diagnostics);
        ASSERT_TRUE(has_streams(*program.value)) << more;
        EXPECT_EQ(program_of(*program.value), expected) << more;
    }
    for (const auto& [more, printed] : std::vector<std::pair<std::string, std::string>>{
             {"param float s; require(s > 0);", "require(s > 0);\n"},
             {"param float s; require(venorm3(vector3(s, 0, 1)) > 1);", "require(sqrt(0 * 0 + s * s + 1 * 1) > 1);\n"},
             {"param double s; function f(x) = 2*x; require(f(s) > 0);", "require(2 * s > 0);\n"},
             {"option s = 3; require(s > 0);", "require(3 > 0);\n"},
         }) {
        const auto program = read_cells(calls + more + statements);
        ASSERT_TRUE(program) << more << render_text(program.diagnostics);
        ASSERT_TRUE(has_streams(*program.value)) << more;
        EXPECT_EQ(program_of(*program.value), "input A;\n" + printed + expected.substr(9)) << more;
    }
}

TEST(ElementAxis, ItsLengthHasTwoNames) {
    const auto name_of = [](const std::string& text, const std::string& setting) {
        const auto program = read_program(make_source("stream.kas", text), test::cell_library(), {{setting, 7}});
        return program ? own_name(*program.value, setting) : render_text(program.diagnostics);
    };
    const std::string calls = "matrix3x3 I; I = identity33(); return I;";
    const std::string expressions = "vector3 v; v = vector3(0, 1, 2)*elements; return v;";
    for (const char* setting : {"n", "elements"}) {
        EXPECT_EQ(name_of(calls, setting), "n");
        EXPECT_EQ(name_of(expressions, setting), "elements");
        EXPECT_EQ(name_of("float T[x]; axis x = 4; T = 1; return T;", setting), setting);
    }
    EXPECT_EQ(name_of("param int n = 2; vector3 v; input v; v = n*v; return v;", "n"), "n");
}

}  // namespace
}  // namespace kasc
