#include "rewrite/position_cells.hpp"

#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

std::string body_of(const std::string& text) {
    const FieldCase c(text);
    const PositionCells made = position_cells(c.program);
    const std::string printed = print(made.program, c.library);
    return made.changed ? printed.substr(printed.find("for (")) : "";
}

constexpr const char* declared =
    "param int n = 9; param int sx = 2; axis t = n; float u[x,y] boundary mirror, f[t], r[t]; input u, f; ";

TEST(PositionCells, AreTheCellsOfTheField) {
    EXPECT_EQ(body_of(std::string(declared) + "for (i = 0; i < n; i++) { u = u[1,0]; u[x = sx, y = 3] += f[t = i]; "
                                              "r[t = i] = u[x = 1, y = 1]; } return u, r;"),
              "for (i = 0; i < n; i++) {\n"
              "    u = u[1, 0];\n"
              "    u = x == sx && y == 3 ? u + f[t = i] : u;\n"
              "    r[t = i] = u[x = 1, y = 1];\n"
              "}\n"
              "return u, r;\n");
    EXPECT_EQ(
        body_of(std::string(declared) + "for (i = 0; i < n; i++) { u = u[1,0]; u[y = 0] = f[t = i] + x; } return u;"),
        "for (i = 0; i < n; i++) {\n"
        "    u = u[1, 0];\n"
        "    u = y == 0 ? f[t = i] + x : u;\n"
        "}\n"
        "return u;\n");
}

TEST(PositionCells, StayWherePositionsMoveOrOtherCellsAreRead) {
    EXPECT_EQ(body_of(std::string(declared) + "for (i = 0; i < n; i++) { u = u[1,0]; u[x = i, y = 3] = 1; } return u;"),
              "");
    EXPECT_EQ(body_of(std::string(declared) +
                      "for (i = 0; i < n; i++) { u = u[1,0]; u[x = 2, y = 3] = u[x = 3, y = 3]; } return u;"),
              "");
    EXPECT_EQ(body_of(std::string(declared) + "u[x = 2, y = 3] = 1; return u;"), "") << "it stands in no loop";
}

TEST(PositionCells, StayWhereNothingElseHasAValue) {
    const std::string line =
        "float s[x,y]; input u, f; for (i = 0; i < n; i++) { s[y = 0] = 1; for (k = 1; k < 9; k++) { "
        "s[y = k] = s[y = k - 1]/2; } u = u[1,0] + s; } return u;";
    const std::string declared_alone = std::string(declared).substr(0, std::string(declared).find("input"));
    EXPECT_EQ(body_of(declared_alone + line), "");
}

}  // namespace
}  // namespace kasc::test
