#include "frontend/parse.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kasc {
namespace {

std::string tree(const std::string& text) {
    const auto ast = parse(make_source("test.kas", text));
    return ast ? print(*ast) : render_text(tidy(ast.diagnostics));
}

/// The tree of one expression.
std::string expression_tree(const std::string& text) {
    const std::string all = tree("float T[x];\ninput T;\nT = " + text + ";\nreturn T;\n");
    const std::size_t begin = all.find("  assign T\n");
    if (begin == std::string::npos) return all;
    return all.substr(begin + 11, all.find("  return") - begin - 11);
}

TEST(Parse, StreamProgramOfKas) {
    EXPECT_EQ(tree("// BigFusion\nmatrix3x3 A, B, M1;\nVECTOR3 c; /* a\nvector */ input A, B, c;\r\n"
                   "M1 = mmul33(A, B);\nfor (i = 0; i < 3; i++) { c = mvmul33(M1, c); }\nreturn c, M1;"),
              "program\n"
              "  declare matrix3x3 A\n"
              "  declare matrix3x3 B\n"
              "  declare matrix3x3 M1\n"
              "  declare VECTOR3 c\n"
              "  input A, B, c\n"
              "  assign M1\n"
              "    call mmul33\n"
              "      name A\n"
              "      name B\n"
              "  for i\n"
              "    from\n"
              "      number 0\n"
              "    to\n"
              "      number 3\n"
              "    assign c\n"
              "      call mvmul33\n"
              "        name M1\n"
              "        name c\n"
              "  return c, M1\n");
}

TEST(Parse, FieldProgram) {
    EXPECT_EQ(tree("float T[x, y] boundary keep(2), on[t];\nparam int steps = 100;\nparam float dt;\n"
                   "function lap(u, h) = u[-1, 0];\ninput T, on;\nT[y = 3] = on[t = 0];\nreturn T;\n"),
              "program\n"
              "  declare float T[x, y]\n"
              "    boundary keep\n"
              "      number 2\n"
              "  declare float on[t]\n"
              "  parameter int steps\n"
              "    number 100\n"
              "  parameter float dt\n"
              "  function lap(u, h)\n"
              "    access u\n"
              "      offset\n"
              "        unary -\n"
              "          number 1\n"
              "      offset\n"
              "        number 0\n"
              "  input T, on\n"
              "  assign T\n"
              "    position y\n"
              "      number 3\n"
              "    access on\n"
              "      position t\n"
              "        number 0\n"
              "  return T\n");
}

TEST(Parse, ParametersOfATypeStandBesideEachOther) {
    EXPECT_EQ(
        tree("float T[x];\nparam float a = 1, b, c = a;\ninput T;\nT = a*T;\nreturn T;\n"),
        tree("float T[x];\nparam float a = 1;\nparam float b;\nparam float c = a;\ninput T;\nT = a*T;\nreturn T;\n"));
}

TEST(Parse, OperatorsAssociateToTheLeftAndBindAsInC) {
    EXPECT_EQ(expression_tree("a - b - c*d"),
              "    binary -\n"
              "      binary -\n"
              "        name a\n"
              "        name b\n"
              "      binary *\n"
              "        name c\n"
              "        name d\n");
    EXPECT_EQ(expression_tree("-a*b < 1 && c || d"),
              "    binary ||\n"
              "      binary &&\n"
              "        binary <\n"
              "          binary *\n"
              "            unary -\n"
              "              name a\n"
              "            name b\n"
              "          number 1\n"
              "        name c\n"
              "      name d\n");
}

TEST(Parse, ConditionalsAssociateToTheRight) {
    EXPECT_EQ(expression_tree("a ? 1 : b ? 2 : 3"),
              "    conditional\n"
              "      name a\n"
              "      number 1\n"
              "      conditional\n"
              "        name b\n"
              "        number 2\n"
              "        number 3\n");
}

TEST(Parse, NumbersOfC) {
    EXPECT_EQ(expression_tree("1 + 2. + .5 + 1e3 + 1.5E-3f"),
              "    binary +\n"
              "      binary +\n"
              "        binary +\n"
              "          binary +\n"
              "            number 1\n"
              "            number 2.\n"
              "          number .5\n"
              "        number 1e3\n"
              "      number 1.5E-3f\n");
}

TEST(Parse, WordsOfTheFieldLanguageAreNamesInOldPrograms) {
    for (const char* word : {"param", "function", "boundary", "keep", "value", "mirror", "periodic"}) {
        const std::string text =
            fmt::format("matrix3x3 A, {0};\n{0} B;\ninput A;\n{0} = mmul33(A, {0});\nreturn {0};\n", word);
        EXPECT_TRUE(parse(make_source("old.kas", text))) << tree(text);
    }
}

TEST(Parse, CommentsMayHoldAnyBytesAndPositionsStayBytes) {
    const auto source = make_source(
        "x.kas", "\xEF\xBB\xBF// \xe9\xff\x80 \xce\xb2\nfloat T[x]; /* \xce\xb2 */ input T;\nT = 1;\nreturn T;\n");
    const auto ast = parse(source);
    ASSERT_TRUE(ast) << render_text(ast.diagnostics);
    EXPECT_EQ(text_of(ast->inputs[0].span), "T");
    EXPECT_EQ(text_of(ast->declarations[0].axes[0].span), "x");
}

TEST(Parse, SpansCoverWhatTheyName) {
    const auto ast = parse(
        make_source("x.kas", "float T[x];\ninput T;\nfor (n = 0; n < 9; n++) { T[x = n] = T + (2); }\nreturn T;\n"));
    ASSERT_TRUE(ast);
    const auto& loop = *std::get<std::shared_ptr<const ast::Loop>>(ast->statements[0]);
    EXPECT_EQ(text_of(loop.span), "for (n = 0; n < 9; n++)");
    const auto& assignment = std::get<ast::Assignment>(loop.body[0]);
    EXPECT_EQ(text_of(assignment.span), "T[x = n] = T + (2);");
    EXPECT_EQ(text_of(assignment.indices_span), "[x = n]");
    EXPECT_EQ(text_of(assignment.value->span), "T + (2)");
}

TEST(Parse, EachFaultyItemIsReported) {
    const auto ast = parse(make_source(
        "x.kas", "float T[x];\ninput T\n;T = ;\nfor (n = 0; n < 3; n++) { T = 3 3; T = T; }\nT = 2 T;\nreturn T;\n"));
    EXPECT_FALSE(ast);
    EXPECT_EQ(ast.diagnostics.size(), 3U) << render_text(ast.diagnostics);
}

}  // namespace
}  // namespace kasc
