#include "frontend/check.hpp"

#include <gtest/gtest.h>

#include "unit/frontend/test_library.hpp"

namespace kasc {
namespace {

Outcome<Program> read(const std::string& text) {
    return read_program(make_source("dir/heat-3d.kas", text), test::test_library());
}

std::string printed(const std::string& text) {
    const auto program = read(text);
    return program ? print(*program, test::test_library()) : render_text(tidy(program.diagnostics));
}

const FieldStatement& field_statement(const Program& program, std::size_t index = 0) {
    return std::get<FieldStatement>(program.statements.at(index));
}

TEST(Check, StreamProgram) {
    EXPECT_EQ(printed("MATRIX3X3 A, B;\nvector3 v;\ninput A, B, v;\nA = mmul33(A, B);\n"
                      "for (i = 0; i < 3; i++) { v = mvmul33(A, v); }\nreturn v;\n"),
              "// heat_3d: a program over streams\n"
              "matrix3x3 A;\n"
              "matrix3x3 B;\n"
              "vector3 v;\n"
              "input A, B, v;\n"
              "A = mmul33(A, B);\n"
              "for (i = 0; i < 3; i++) {\n"
              "    v = mvmul33(A, v);\n"
              "}\n"
              "return v;\n");
}

constexpr const char* heat = R"(
// Pennes without perfusion, with a switched source and a recorded trace.
float T[x,y,z] boundary keep(2), beta[x,y,z], Q[x,y,z], on[t], centre[t], plane[x,y];
param float dt; param float dx;
param float lambda = dt / (12 * dx * dx);
param int steps = 100, pz;
function second(u) = -u[-2,0,0] + 16*u[-1,0,0] - 30*u;
input T, beta, Q, on;
for (n = 0; n < steps; n++) {
    T = T + lambda*beta*second(T) + dt*on[t = n]*Q;
    centre[t = n] = T[x = pz, y = pz, z = pz + 1];
}
plane = T[z = pz];
return T, centre, plane;
)";

std::string heat_source() {
    std::string text = heat;
    const std::string both = "param int steps = 100, pz;";
    return text.replace(text.find(both), both.size(), "param int steps = 100; param int pz;");
}

TEST(Check, FieldProgramWithFunctionsExpanded) {
    EXPECT_EQ(printed(heat_source()),
              "// heat_3d: a program over fields\n"
              "// axes: x, y, z, t\n"
              "param float dt;\n"
              "param float dx;\n"
              "param float lambda = dt / (12 * dx * dx);\n"
              "param int steps = 100;\n"
              "param int pz;\n"
              "float T[x, y, z] boundary keep(2);\n"
              "float beta[x, y, z];\n"
              "float Q[x, y, z];\n"
              "float on[t];\n"
              "float centre[t];\n"
              "float plane[x, y];\n"
              "input T, beta, Q, on;\n"
              "for (n = 0; n < steps; n++) {\n"
              "    T = T + lambda * beta * (-T[-2, 0, 0] + 16 * T[-1, 0, 0] - 30 * T) + dt * on[t = n] * Q;\n"
              "    centre[t = n] = T[x = pz, y = pz, z = pz + 1];\n"
              "}\n"
              "plane = T[z = pz];\n"
              "return T, centre, plane;\n");
}

TEST(Check, ThePrintedProgramReadsBackToItself) {
    const std::string once = printed(heat_source());
    EXPECT_EQ(printed(once), once);
}

TEST(Check, LengthsOfAxesColoursAndSumsAreSpelledOut) {
    const std::string text = printed(
        "double T[x] boundary mirror; float s[u], rec[t]; param int steps = 3; axis u = extent(x)/2; input T;\n"
        "for (n = 0; n < steps; n++) { rec[t = n] = T[x = 0]; T = T + T[x - 1] coloured(2); }\n"
        "s = T[x = 2*u]; T += 1e-60*T[x + 1]*T; return T, s, rec;");
    EXPECT_NE(text.find("axis u = extent(x) / 2;\naxis t = steps;\n"), std::string::npos) << text;
    EXPECT_NE(text.find("    T = T + T[-1] coloured(2);\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nT += 1e-60 * T[1] * T;\n"), std::string::npos) << text;
    EXPECT_EQ(printed(text), text);
}

TEST(Check, EqualReadsShareOneOperand) {
    const auto program = read(
        "float T[x] boundary mirror;\ninput T;\nT = T[-1] + T + T[1-2] + T[0] + T[x = 3 + 1] + T[x = 3+1];\nreturn "
        "T;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const FieldStatement& statement = field_statement(*program);
    ASSERT_EQ(statement.operands.size(), 3U);
    EXPECT_EQ(to_text(statement.operands[0], *program, {}), "T[-1]");
    EXPECT_EQ(to_text(statement.operands[1], *program, {}), "T");
    EXPECT_EQ(to_text(statement.operands[2], *program, {}), "T[x = 3 + 1]");
}

TEST(Check, ReadsAtLargePositionsStayApart) {
    const auto program = read("float T[x], s[t];\ninput T, s;\ns = T[x = 16777216] + T[x = 16777217];\nreturn s;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_EQ(field_statement(*program).operands.size(), 2U);
}

TEST(Check, NothingIsFoldedAndIntegersBecomeReal) {
    const auto program = read("float T[x];\nparam int n;\ninput T;\nT = 1/2*T + n;\nreturn T;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    const Expression& sum = *field_statement(*program).value;
    const auto& add = std::get<BinaryOperation>(sum.node);
    const auto& product = std::get<BinaryOperation>(add.left->node);
    const auto& quotient = std::get<BinaryOperation>(product.left->node);
    EXPECT_EQ(quotient.op, BinaryOperator::divide);
    EXPECT_EQ(quotient.left->kind, ScalarKind::real);
    EXPECT_EQ(add.right->kind, ScalarKind::integer);
    EXPECT_EQ(sum.kind, ScalarKind::real);
}

TEST(Check, RealLiteralsAreReadAsDouble) {
    const auto program = read("float T[x];\ninput T;\nT = 0.1;\nreturn T;\n");
    ASSERT_TRUE(program);
    EXPECT_EQ(std::get<Literal>(field_statement(*program).value->node).value, 0.1);
}

TEST(Check, IndexedArgumentsPassThroughFunctions) {
    EXPECT_NE(
        printed("float T[x] boundary mirror;\nfunction d(u, k) = u[k] - u[-k];\nfunction dd(v, k) = d(v, k + 1)/k;\n"
                "input T;\nT = dd(T, 2);\nreturn T;\n")
            .find("T = (T[3] - T[-3]) / 2;"),
        std::string::npos);
}

TEST(Check, ArgumentsAreReadWhereTheCallStands) {
    // The argument u of outer is not the u of inner.
    EXPECT_NE(printed("float T[x], b[x];\nfunction inner(u, v) = u - v;\nfunction outer(v, u) = inner(v, u);\n"
                      "input T, b;\nT = outer(T, b);\nreturn T;\n")
                  .find("T = T - b;"),
              std::string::npos);
}

TEST(Check, MissingAxesBroadcast) {
    const auto program = read("float T[x, y], pml[x];\ninput T, pml;\nT = pml*T;\nreturn T;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_EQ(field_statement(*program).operands[0].indices.size(), 1U);
}

/// The first statement of a program over x, T and M, T an input.
std::string first_statement(const std::string& statements) {
    const auto program = read("float T[x], M[x]; param int n; input T; " + statements + " return M;");
    if (!program) return render_text(program.diagnostics);
    const auto* first = std::get_if<FieldStatement>(&program->statements.front());
    const auto* number = first == nullptr ? nullptr : std::get_if<Literal>(&first->value->node);
    if (first == nullptr) return "a loop";
    return program->variables[first->target].name + (number && number->value == 0 ? " = 0" : " = something");
}

TEST(Check, AFieldThatLoopsAloneAssignIsZeroBeforeTheOutermost) {
    EXPECT_EQ(first_statement("for (i = 0; i < n; i++) { M = T; }"), "M = 0");
    EXPECT_EQ(first_statement("for (i = 2; i < 2; i++) { M = T; }"), "M = 0");
    EXPECT_EQ(first_statement("for (j = 0; j < n; j++) { for (i = 0; i < 2; i++) { M = T; } }"), "M = 0");
    EXPECT_EQ(first_statement("for (j = 0; j < 2; j++) { for (i = 0; i < j; i++) { M = T; } T = M; }"), "M = 0");
}

TEST(Check, ABranchBehindALoopLeavesWhatTheLoopLeftOrZero) {
    EXPECT_EQ(first_statement("for (i = 0; i < n; i++) { M = T; } if (n > 3) { M = 2*T; }"), "M = 0");
    EXPECT_EQ(first_statement("for (i = 0; i < 2; i++) { M = T; } if (n > 3) { M = 2*T; }"), "a loop");
    EXPECT_EQ(first_statement("for (i = 0; i < n; i++) { M = T; } if (n > 3) { M = 2*T; } else { M = T; }"), "a loop");
    EXPECT_FALSE(read("float T[x], M[x]; param int n; input T; if (n > 3) { M = T; } return M;"));
}

TEST(Check, AFieldOnFacesThatLoopsAloneAssignIsZeroBeforeThem) {
    const std::string text = printed(
        "axis f = staggered(x); float T[x], M[x] boundary mirror, g[f]; param int n; input T; for (i = 0; i < n; i++) "
        "{ M = T; }\n"
        "g = M[x = f] - M[x = f - 1]; return M, g;\n");
    const std::size_t zero = text.find(" = 0;");
    ASSERT_NE(zero, std::string::npos) << text;
    EXPECT_LT(zero, text.find("for (i"));
}

TEST(Check, AFieldThatALoopAssignsForCertainIsZeroNowhere) {
    EXPECT_EQ(first_statement("for (i = 0; i < 2; i++) { M = T; }"), "a loop");
    EXPECT_EQ(first_statement("for (i = 0; i < n; i++) { M = T; T = 2*M; } M = T;"), "a loop");
    EXPECT_EQ(first_statement("for (j = 0; j < n; j++) { for (i = 0; i < 3; i++) { M = T; } T = M; } M = T;"),
              "a loop");
}

TEST(Check, AFieldIsNotZeroWhereItsFirstIterationReadsIt) {
    EXPECT_FALSE(read("float T[x], M[x]; param int n; input T; for (i = 0; i < n; i++) { M = M + T; } return M;"));
}

TEST(Check, ASeriesIsCompleteEvenWhereTheLoopDoesNotRun) {
    EXPECT_TRUE(
        read("float T[x], S[x, t];\nparam int n;\ninput T;\nfor (i = 0; i < n; i++) { S[t = i] = T; }\nreturn S;\n"));
}

TEST(Check, TheExtentOfASeriesIsTheEndOfTheLoopThatIndexesIt) {
    const auto program = read(
        "float T[x], S[t];\nparam int n;\ninput T;\nfor (i = 0; i < n + 1; i++) { S[t = i] = T[x = 0]; }\nreturn S;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    ASSERT_TRUE(program->axes[AxisId{1}].fallback_extent);
    EXPECT_EQ(to_text(*program->axes[AxisId{1}].fallback_extent, *program, {}), "n + 1");
    EXPECT_FALSE(program->axes[AxisId{0}].fallback_extent);
}

TEST(Check, LoopsAreNumberedInTheOrderOfTheText) {
    const auto program = read(
        "float T[x];\ninput T;\nfor (a = 0; a < 2; a++) { for (b = 0; b < 2; b++) { T = T + b; } }\n"
        "for (a = 0; a < 2; a++) { T = T + a; }\nreturn T;\n");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    ASSERT_EQ(program->loops.size(), 3U);
    EXPECT_EQ(program->loops[LoopId{1}].name, "b");
    EXPECT_EQ(std::get<std::shared_ptr<const LoopStatement>>(program->statements[1])->loop, LoopId{2});
}

TEST(Check, NamesOfAxesAreApart) {
    EXPECT_TRUE(read("float x[x];\nparam int t;\ninput x;\nx = x[x = t];\nreturn x;\n"));
}

TEST(ProgramName, IsTheStemAsAnIdentifier) {
    EXPECT_EQ(program_name("a/b/heat-3d.v2.kas"), "heat_3d_v2");
    EXPECT_EQ(program_name("3d.kas"), "program_3d");
    EXPECT_EQ(program_name(""), "program_");
    EXPECT_EQ(program_name("<stdin>"), "_stdin_");
    EXPECT_EQ(program_name("dir.with.dots/heat"), "heat");
}

}  // namespace
}  // namespace kasc
