// Loops that each cell ends by itself become loops over a field that says whether the cell goes on.
#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "library/library.hpp"
#include "unit/frontend/cell_programs.hpp"
#include "unit/frontend/field_library.hpp"

namespace kasc {
namespace {

Outcome<Program> loop_case(const std::string& statements) {
    const std::string text =
        "float z[x, y] boundary mirror, c[x, y], t[x, y], line[x]; float r[]; int steps[x, y]; param float p = 1; "
        "input c, line; z = c; steps = 0; r = 1; " +
        statements + " return z, steps, r;";
    return read_program(make_source("case.kas", text), test::field_library(), {});
}
std::string text_of_loop(const std::string& statements) {
    const auto program = loop_case(statements);
    return program ? print(*program, test::field_library()) : render_text(program.diagnostics);
}
std::string said_of_loop(const std::string& statements) { return render_text(loop_case(statements).diagnostics); }

bool has_text(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CellConditions, CellsThatHaveEndedStayAsTheyAre) {
    const std::string program = text_of_loop("for (n = 0; n < 50 && abs(z) < 2; n++) { t = z*z; z = t + c; }");
    EXPECT_TRUE(has_text(program, "alive = abs(z) < 2 ? 1 : 0;")) << program;
    // What is of one iteration alone has nothing to stay as.
    EXPECT_TRUE(has_text(program, "t = z * z;") || has_text(program, "t = z*z;")) << program;
    EXPECT_TRUE(has_text(program, "z = alive > 0 ? t + c : z;")) << program;
    EXPECT_FALSE(has_text(program, "goes_on")) << program;
}

TEST(CellConditions, OnTheIterationsNumberMayNotHoldAgain) {
    const std::string program = text_of_loop("for (n = 0; n < 50 && z < n; n++) { z = z + c; }");
    EXPECT_TRUE(has_text(program, "alive = 1;")) << program;
    EXPECT_TRUE(has_text(program, "alive > 0 && ")) << program;
}

TEST(CellConditions, AWhileLooksNowAndThenWhetherAnyCellGoesOn) {
    const std::string program = text_of_loop("while (abs(z) < 2) { z = 2*z + 0.1; }");
    EXPECT_TRUE(has_text(program, "goes_on")) << program;
    EXPECT_TRUE(has_text(program, "iteration_2 < 16") || has_text(program, "iteration < 16")) << program;
}

TEST(CellConditions, FoldsOfWordsHaveAValueAtEachCell) {
    const auto said = [](const std::string& declared, const std::string& condition) {
        const std::string text = "type many = float[5]; " + declared +
                                 " many m[x]; float s[x]; function square(a) = sum(a*a); input v, m, s; "
                                 "for (n = 0; n < 9 && " +
                                 condition + "; n++) { v = 0.5*v; } return v;";
        const auto program = read_program(make_source("case.kas", text), test::cell_library(), {});
        return program ? print(*program, test::cell_library()) : render_text(program.diagnostics);
    };
    for (const char* condition : {"norm(v) > 0.1", "sum(2*v) > 1", "square(v) > 0.1", "any(v > 0.1)",
                                  "maximum(m) > norm(v)", "sum(vector3(s, 0, 1)) > v.x", "norm(vcross3(v, v) + v) > 1"})
        EXPECT_TRUE(has_text(said("vector3 v[x];", condition), "alive = ")) << said("vector3 v[x];", condition);
    for (const char* condition : {"v.x > 0.1", "norm(v) > 0.1"})
        EXPECT_TRUE(has_text(said("vector3 v;", condition), "alive = ")) << said("vector3 v;", condition);
    for (const char* condition : {"sum(s) > 1", "square(s) > 0.1", "maximum(norm(v)) > 1", "norm(sum(v, x)) > 1",
                                  "norm(v[x = 2]) > 1", "maximum(square(v)) > 1"})
        EXPECT_TRUE(has_text(said("vector3 v[x];", condition), "goes_on")) << said("vector3 v[x];", condition);
}

TEST(CellConditions, TheLoopKnowsTheField) {
    const auto program = loop_case("for (n = 0; n < 50 && abs(z) < 2; n++) { z = z*z + c; }");
    ASSERT_TRUE(program);
    ASSERT_EQ(program->loops.size(), 1U);
    ASSERT_TRUE(program->loops.begin()->alive);
    EXPECT_EQ(program->variables[*program->loops.begin()->alive].name, "alive");
}

TEST(CellConditions, OtherStatementsAreRefused) {
    const char* head = "for (n = 0; n < 50 && abs(z) < 2; n++) { z = z + c; ";
    for (const std::string body :
         {"r = 2; }", "z[x = n] = c[x = 0]; }", "for (m = 0; m < 2; m++) { z = c; } }", "z = z[1, 0] + c; }",
          "z = laplace2(z, 1); }", "z = z + sum(c); }", "z = z + sum(z); }"}) {
        const std::string text = said_of_loop(head + body);
        EXPECT_TRUE(has_text(text, "K0264")) << body << text;
        EXPECT_TRUE(has_text(text, "help:")) << body << text;
    }
    EXPECT_TRUE(has_text(said_of_loop("for (n = 0; n < 9 && abs(z[1, 0]) < 2; n++) { z = z + c; }"), "K0264"));
}

TEST(CellConditions, WhatIsFoldedIsOneNumber) {
    for (const std::string condition : {"maximum(z) < 2", "any(z < 2) && r < 2", "z[x = 0, y = 0] < 2"}) {
        const std::string program =
            text_of_loop("for (n = 0; n < 50 && " + condition + "; n++) { z = z + c; r = 2*r; }");
        EXPECT_TRUE(has_text(program, "goes_on")) << program;
        EXPECT_FALSE(has_text(program, "alive")) << program;
    }
}

TEST(CellConditions, FunctionsOfTheProgramAreLookedInto) {
    // x is an axis, and here an argument; r, which the loop assigns, stands in the function alone.
    const auto number = read_program(make_source("case.kas",
                                                 "float z[x], r[]; function f(x) = 2*x + r; input z; r = 1; "
                                                 "while (f(1) < 9) { z = z + 1; r = r + 1; } return z;"),
                                     test::field_library(), {});
    ASSERT_TRUE(number) << render_text(number.diagnostics);
    EXPECT_FALSE(number->loops.begin()->alive);
    const auto cells = read_program(make_source("case.kas",
                                                "float z[x], w[x]; function f(a) = a + w; input z; w = z; "
                                                "for (n = 0; n < 5 && f(1) < 9; n++) { w = w + 1; } return w;"),
                                    test::field_library(), {});
    ASSERT_TRUE(cells) << render_text(cells.diagnostics);
    EXPECT_TRUE(cells->loops.begin()->alive);
}

}  // namespace
}  // namespace kasc
