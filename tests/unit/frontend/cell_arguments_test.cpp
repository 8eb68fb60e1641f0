// Functions of the library take cells of the shapes that their namesakes of streams take.
#include "frontend/cell_arguments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/parse.hpp"
#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

using test::cell_library;
using test::read_cells;

/// One call of fields of all shapes, assigned to a field of the type.
std::string of_all_shapes(const std::string& type, const std::string& call) {
    return fmt::format(
        "type spin = float[3]; type wide = double[3]; type six = float[6];\n"
        "matrix3x3 F[x]; vector3 v[x]; vector2 p[x]; vector6 w[x]; symmetric3x3 S[x]; quaternion q[x]; spin t[x];\n"
        "wide d[x]; six f[x]; float a[x]; double b[x]; {} r[x];\n"
        "param float s = 2;\n"
        "input F, v, p, w, S, q, t, d, f, a, b;\n"
        "r = {};\n"
        "return r;\n",
        type, call);
}

struct RefusedArgument {
    const char *type, *call, *text, *help;
};
void PrintTo(const RefusedArgument& refused, std::ostream* out) { *out << refused.call; }

class RefusedCall : public testing::TestWithParam<RefusedArgument> {};

TEST_P(RefusedCall, IsOneErrorAtTheArgument) {
    const auto outcome = read_cells(of_all_shapes(GetParam().type, GetParam().call));
    ASSERT_FALSE(outcome);
    ASSERT_EQ(outcome.diagnostics.size(), 1U) << render_text(outcome.diagnostics);
    const Diagnostic& said = outcome.diagnostics.front();
    EXPECT_EQ(said.code, "K0256");
    EXPECT_EQ(said.message + "; " + said.label, GetParam().text);
    EXPECT_EQ(said.help, GetParam().help);
    EXPECT_NE(render_text({said}).find("^"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    CellArguments, RefusedCall,
    testing::Values(
        RefusedArgument{"matrix3x3", "smmul33(F, F)", "argument 2 of 'smmul33' must be a number; a cell of 3 x 3 words",
                        "did you mean 'mmul33'? the function is smmul33(matrix3x3, scalar) -> matrix3x3"},
        RefusedArgument{"matrix3x3", "mmul33(F, 2)", "argument 2 of 'mmul33' must be of type 'matrix3x3'; a number",
                        "did you mean 'smmul33'? the function is mmul33(matrix3x3, matrix3x3) -> matrix3x3"},
        RefusedArgument{"float", "det22(F)", "argument 1 of 'det22' must be of type 'matrix2x2'; a cell of 3 x 3 words",
                        "did you mean 'det33'? the function is det22(matrix2x2) -> scalar"},
        RefusedArgument{"float", "vmean3(F)", "argument 1 of 'vmean3' must be of type 'vector3'; a cell of 3 x 3 words",
                        "did you mean 'mean'? the function is vmean3(vector3) -> scalar"},
        RefusedArgument{"float", "vdot2(v, v)", "argument 1 of 'vdot2' must be of type 'vector2'; a cell of 3 words",
                        "did you mean 'vdot3'? the function is vdot2(vector2, vector2) -> scalar"},
        RefusedArgument{"float", "vdot3(v, 2)", "argument 2 of 'vdot3' must be of type 'vector3'; a number",
                        "the function is vdot3(vector3, vector3) -> scalar"},
        RefusedArgument{"float", "vdot3(a, a)", "argument 1 of 'vdot3' must be of type 'vector3'; a number",
                        "the function is vdot3(vector3, vector3) -> scalar"},
        RefusedArgument{"vector2", "mvmul22(F, p)",
                        "argument 1 of 'mvmul22' must be of type 'matrix2x2'; a cell of 3 x 3 words",
                        "did you mean 'mvmul33'? the function is mvmul22(matrix2x2, vector2) -> vector2"},
        RefusedArgument{"matrix2x2", "inverse22(F)",
                        "argument 1 of 'inverse22' must be of type 'matrix2x2'; a cell of 3 x 3 words",
                        "did you mean 'inverse33'? the function is inverse22(matrix2x2) -> matrix2x2"},
        RefusedArgument{"float", "tracesym33(F)",
                        "argument 1 of 'tracesym33' must be of type 'symmetric3x3'; a cell of 3 x 3 words",
                        "did you mean 'trace33'? the function is tracesym33(symmetric3x3) -> scalar"},
        RefusedArgument{"float", "trace33(S)",
                        "argument 1 of 'trace33' must be of type 'matrix3x3'; a cell of 6 words, '.xx' to '.xy'",
                        "did you mean 'tracesym33'? the function is trace33(matrix3x3) -> scalar"},
        RefusedArgument{"vector3", "eigsym33(S)",
                        "argument 1 of 'eigsym33' must be of type 'matrix3x3'; a cell of 6 words, '.xx' to '.xy'",
                        "the function is eigsym33(matrix3x3) -> vector3; of a symmetric S it takes 'matrix3x3(S.xx, "
                        "S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz)'"},
        RefusedArgument{"quaternion", "qmul(v, v)",
                        "argument 1 of 'qmul' must be of type 'quaternion'; a cell of 3 words",
                        "the function is qmul(quaternion, quaternion) -> quaternion"},
        RefusedArgument{"float", "vdot6(S, w)",
                        "argument 1 of 'vdot6' must be of type 'vector6'; a cell of 6 words, '.xx' to '.xy'",
                        "the function is vdot6(vector6, vector6) -> scalar"},
        RefusedArgument{"symmetric3x3", "deviatorsym33(f)",
                        "argument 1 of 'deviatorsym33' must be of type 'symmetric3x3'; a cell of 6 words",
                        "the function is deviatorsym33(symmetric3x3) -> symmetric3x3"},
        RefusedArgument{"vector3", "eigsym33(v)",
                        "argument 1 of 'eigsym33' must be of type 'matrix3x3'; a cell of 3 words",
                        "the function is eigsym33(matrix3x3) -> vector3"}));

TEST(CellArguments, AreRefusedWithinFunctionsOfTheProgram) {
    const auto outcome = read_cells(
        "matrix3x3 F[x]; float r[x];\nfunction minor(A) = det22(A);\ninput F;\nr = minor(F) + minor(F);\nreturn r;\n");
    ASSERT_FALSE(outcome);
    EXPECT_NE(render_text(outcome.diagnostics).find("cells.kas:2:27"), std::string::npos)
        << render_text(outcome.diagnostics);
}

TEST(CellArguments, AreNumbersOfAnyKind) {
    for (const char* factor : {"2", "s", "a", "b", "a*b + 1", "v.x", "extent(x)", "vdot3(v, v)", "x"})
        EXPECT_TRUE(read_cells(of_all_shapes("matrix3x3", fmt::format("smmul33(F, {})", factor)))) << factor;
    for (const char* call : {"sadd(a, 1)", "ssqrt(s)", "smax(b, 0)"})
        EXPECT_TRUE(read_cells(of_all_shapes("float", call)));
}

TEST(CellArguments, AreOfTypesOfTheProgramWithTheSameExtents) {
    for (const char* call :
         {"vdot3(t, v)", "vdot3(d, d)", "vdot6(f, w)", "venorm3(vector3(1, 2, 3))", "vdot3(v, spin(0))"})
        EXPECT_TRUE(read_cells(of_all_shapes("float", call))) << call;
}

/// cells.kas computes what the types of streams promise.
TEST(CellArguments, OfEachFunctionOfCellsGiveWhatItsTypesSay) {
    const Library& library = cell_library();
    std::size_t checked = 0;
    for (const FieldFunctions& file : library.field_functions) {
        const auto functions = parse_functions(file.source);
        ASSERT_TRUE(functions);
        for (const ast::Function& own : *functions.value) {
            const auto id = library.find_function(own.name.text);
            if (!id) continue;
            const Function& function = library.functions[*id];
            std::string declared, arguments;
            const auto declare = [&](TypeId type, const std::string& name) {
                const StreamType& of = library.types[type];
                declared += fmt::format("{} {}[x]; ", of.shape.empty() ? "float" : of.name, name);
            };
            for (std::size_t k = 0; k < function.arguments.size(); ++k) {
                declare(function.arguments[k], fmt::format("a{}", k));
                arguments += fmt::format("{}a{}", k == 0 ? "" : ", ", k);
            }
            declare(function.result, "r");
            const std::string text =
                fmt::format("{}float extra[x];\ninput extra{}{};\nr = {}({});\nreturn r;\n", declared,
                            arguments.empty() ? "" : ", ", arguments, function.name, arguments);
            const auto outcome = read_cells(text);
            EXPECT_TRUE(outcome) << text << render_text(outcome.diagnostics);
            ++checked;
        }
    }
    EXPECT_GT(checked, 100U);
}

TEST(UnknownFunctions, AreHelpedByThoseOfTheirStem) {
    for (const auto& [call, help] :
         {std::pair("dot(v, v)",
                    "of cells there are 'vdot2', 'vdot3', 'vdot4', 'vdot5' and 'vdot6', of fields 'sum(v*v)'"),
          std::pair("det(F)", "of cells there are 'det22', 'det33', 'det44', 'det55', 'det66' and 'detsym33'")}) {
        const auto outcome = read_cells(of_all_shapes("float", call));
        ASSERT_EQ(outcome.diagnostics.size(), 1U);
        EXPECT_EQ(outcome.diagnostics.front().help, help);
    }
}

TEST(UnknownNames, AreSaidBeforeShapes) {
    struct Case {
        const char *type, *call, *code;
    };
    for (const auto& [type, call, code] :
         {Case{"float", "dot(v, v)", "K0203"}, Case{"float", "1 + mvmul3(v, v)", "K0203"},
          Case{"vector3", "cross(v, v).x*v", "K0203"}, Case{"float", "vdot3(cross(v, v), v)", "K0203"},
          Case{"float", "sum(cross(v, v))", "K0203"}, Case{"vector3", "eigsym33(outer(v, v))", "K0203"},
          Case{"float", "vdot3(vv, v)", "K0204"}, Case{"float", "tracesym33(SS)", "K0204"},
          Case{"vector3", "F*vv", "K0204"}, Case{"float", "vdot3(vv[x = 0], v)", "K0204"},
          Case{"float", "a(v)", "K0213"}}) {
        const auto outcome = read_cells(of_all_shapes(type, call));
        ASSERT_FALSE(outcome) << call;
        const Diagnostics said = tidy(outcome.diagnostics);
        ASSERT_EQ(said.size(), 1U) << call << render_text(said);
        EXPECT_EQ(said.front().code, code) << call << render_text(said);
    }
}

}  // namespace
}  // namespace kasc
