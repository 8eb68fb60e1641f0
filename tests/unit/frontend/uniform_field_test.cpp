// A field `or uniform` that is one number is read at neighbours, at positions and in reductions as the field is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

/// With c = 2.
Outcome<Program> read_uniform(const std::string& expression, const std::string& boundary = "boundary mirror") {
    const std::string text = fmt::format(
        "float p[x, y] boundary mirror, c[x, y] {} or uniform, o[x, y], k[m] or uniform, q[x, y, t], s[];\n"
        "uint8 tissue[x, y]; int px[x];\n"
        "function ahead(u, a, n) = u[a + n];\n"
        "function rows(u) = u[-1, 0] + u[1, 0];\n"
        "input p, c, k, tissue, px, q;\n"
        "o = {};\nreturn o;\n",
        boundary, expression);
    return read_program(make_source("uniform.kas", text), test::cell_library(), {{"c", 2}, {"k", 3}});
}

std::string statements(const std::string& expression) {
    const auto outcome = read_uniform(expression);
    EXPECT_TRUE(outcome) << expression << render_text(outcome.diagnostics);
    return outcome ? print(*outcome.value, test::cell_library()) : "";
}

TEST(UniformField, IsOneNumberAtEveryNeighbourAndPosition) {
    const std::string plain = statements("c*p");
    for (const char* read : {"c[x + 1]", "c[x - 1, y + 2]", "c[-1, 2]", "c[x = 3]", "c[x = extent(x) - 1, y - 1]",
                             "c[x = px, y = 0]", "ahead(c, x, 2)", "c[x = tissue]"})
        EXPECT_EQ(statements(std::string(read) + "*p"), plain) << read;
    EXPECT_EQ(statements("rows(c)*p"), statements("(c + c)*p"));
    EXPECT_EQ(statements("k[m = tissue]*p"), statements("k*p"));
}

TEST(UniformField, IsOneNumberOfElements) {
    const auto text = [](const std::string& declaration) {
        const std::string program = "vector3 v; " + declaration + " input v, s; v = s*v; return v;";
        const auto outcome = read_program(make_source("stream.kas", program), test::cell_library(), {{"s", 2}});
        return outcome ? print(*outcome.value, test::cell_library()) : render_text(outcome.diagnostics);
    };
    const std::string expected = text("float s[elements] or uniform;");
    EXPECT_NE(expected.find("param float s = 2"), std::string::npos) << expected;
    EXPECT_EQ(text("scalar s or uniform;"), expected);
    EXPECT_EQ(text("scalar s[elements] or uniform;"), expected);
    EXPECT_NE(text("vector3 s or uniform;").find("K0255"), std::string::npos);
}

TEST(UniformField, IsTakenByStencilsOfTheLibrary) {
    for (const char* stencil : {"divergence2(c, p, 1)", "laplace4(c, 1)", "first2(c, x, 1)"})
        EXPECT_TRUE(read_uniform(stencil)) << stencil;
}

TEST(UniformField, IsFoldedOverItsAxes) {
    const auto folded = [](const std::string& fold) {
        const std::string text = statements(fold);
        const std::size_t over = text.find(" over ");
        return over == std::string::npos ? text : text.substr(over + 6, text.find('\n', over) - over - 6);
    };
    EXPECT_EQ(folded("sum(c)"), folded("sum(p)"));
    EXPECT_EQ(folded("sum(c, x)"), folded("sum(p, x)"));
    EXPECT_EQ(folded("maximum(c[x + 1]*1)"), folded("maximum(p[x + 1])"));
    EXPECT_EQ(folded("sum(c[y = 0])"), folded("sum(p[y = 0])"));
    EXPECT_EQ(folded("sum(c[x = tissue, y = 0])"), folded("sum(tissue*1.0)"));
}

TEST(UniformField, IsRefusedWhereItsBoundaryIsAnotherNumber) {
    const char* const boundary = "boundary (x: value(1) / mirror, y: periodic)";
    EXPECT_TRUE(read_uniform("c[x + 1] + c[y - 3]", boundary));
    const auto refused = read_uniform("c[x - 1]", boundary);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.diagnostics.front().code, "K0261");
    EXPECT_EQ(refused.diagnostics.front().notes.size(), 1U);
}

TEST(UniformField, IsNotAssigned) {
    const auto refused = read_program(
        make_source("p.kas", "float p[x], c[x] or uniform; input p, c; c = 2*c; return c;"), Library{}, {{"c", 2}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.diagnostics.front().code, "K0213");
    EXPECT_NE(refused.diagnostics.front().help.find("give it as a dataset"), std::string::npos);
}

TEST(UniformField, IsRefusedAsTheFieldIs) {
    for (const auto& [read, code] :
         {std::pair("c[t = 3]", "K0228"), std::pair("c[w + 1]", "K0228"), std::pair("c[1]", "K0215"),
          std::pair("c[x + 1, 2]", "K0111"), std::pair("c[x + 65]", "K0224"), std::pair("c[x = 0.5]", "K0219"),
          std::pair("c[x + extent(y)]", "K0225"), std::pair("laplace2(k, 1)", "K0232"),
          std::pair("k[m + 1]", "K0217")}) {
        const auto refused = read_uniform(read);
        ASSERT_FALSE(refused) << read;
        EXPECT_EQ(tidy(refused.diagnostics).front().code, code) << read << render_text(refused.diagnostics);
    }
}

}  // namespace
}  // namespace kasc
