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
             "matrix3x3 A, B; function f(a) = a; input A; B = mmul33(A, A); return B;",
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
