// layout(…): how those who give and take a field have the words of its cells.
#include <gtest/gtest.h>

#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

using test::read_cells;

TEST(CellLayout, IsOneOfTwo) {
    const auto program = read_cells(
        "vector3 u[x] boundary mirror layout(soa), v[x] layout(aos), w[x]; matrix3x3 F layout(soa); param float s;"
        "input u, F; v = s*u[x + 1]; w = v; F = s*F; return v, w, F;");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    std::map<std::string, CellLayout> found;
    for (const ShapedField& field : program->shaped) found[field.name] = field.layout;
    EXPECT_EQ(found, (std::map<std::string, CellLayout>{{"u", CellLayout::arrays},
                                                        {"v", CellLayout::structures},
                                                        {"w", CellLayout::structures},
                                                        {"F", CellLayout::arrays}}));
}

TEST(CellLayout, IsStillAName) {
    const auto program = read_cells("vector3 layout[x] layout(soa); input layout; layout = 2*layout; return layout;");
    EXPECT_TRUE(program) << render_text(program.diagnostics);
}

TEST(CellLayout, IsOfCellsThatHaveWords) {
    for (const auto& [text, message] : {
             std::pair{"vector3 u[x] layout(tiled); input u; u = 2*u; return u;", "'tiled' is no layout of cells"},
             std::pair{"float u[x] layout(soa); input u; u = 2*u; return u;", "the cells of 'u' are numbers"},
             std::pair{"scalar u layout(soa); input u; u = 2*u; return u;", "the cells of 'u' are numbers"},
         }) {
        const auto program = read_cells(text);
        ASSERT_FALSE(program) << text;
        EXPECT_EQ(program.diagnostics.front().code, "K0255") << text;
        EXPECT_EQ(program.diagnostics.front().message, message);
    }
}

TEST(ElementAxis, IsNamedWhereANumberAnElementIsMeant) {
    const auto program = read_cells("double d; matrix3x3 A; input A; d = sum(A*A); return d;");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.diagnostics.front().help,
              "one an element is 'double d[elements];', one number that the program computes 'double d[];'");
}

}  // namespace
}  // namespace kasc
