// Where groups compute rows near faces of the grid, and where cells do it one by one.
#include <gtest/gtest.h>

#include "schedule/field/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

bool has_rim_rows(const std::string& text, const std::string& wanted) {
    const FieldCase c(text);
    const FieldScheduleResult made = schedule_field(c.program, c.graph, c.whole(), choice(wanted));
    if (!made.value) throw std::runtime_error(made.reason);
    return made.value->paths.rim != nullptr;
}

constexpr const char* columns = "column 32x4 vector 4 chunk 8";
constexpr const char* mirrored =
    "float u[x,y,z] boundary mirror, v[x,y,z]; input u; v = u[x - 1] + u[y + 2] + u[z - 1]; return v;";

TEST(RimRows, AreOfGroupsOfWhichAThreadHasSeveral) {
    EXPECT_TRUE(has_rim_rows(mirrored, columns));
    EXPECT_TRUE(has_rim_rows(mirrored, "grid 32x4 vector 4 rows 2"));
    EXPECT_FALSE(has_rim_rows(mirrored, "grid 32x4 vector 4"));
    EXPECT_FALSE(has_rim_rows(mirrored, "column 32x4 chunk 8")) << "no groups";
    EXPECT_FALSE(has_rim_rows(mirrored, "column 32x4 vector 4 chunk 8 neighbours shared"));
}

TEST(RimRows, HaveOneImageEach) {
    const auto beyond = [](const std::string& faces) {
        return has_rim_rows(
            "float u[x,y,z] boundary " + faces + ", v[x,y,z]; input u; v = u[y + 2] + u[z - 1]; return v;", columns);
    };
    EXPECT_TRUE(beyond("periodic"));
    EXPECT_TRUE(beyond("value(2)"));
    EXPECT_TRUE(beyond("(x: -mirror, y: mirror / value(1), z: periodic)"));
    EXPECT_TRUE(beyond("(x: mirror, y: -mirror, z: mirror)"));
}

TEST(RimRows, AreNotOfCallsThatKeepLayersOrComputeBesideTheirCells) {
    EXPECT_FALSE(has_rim_rows("float u[x,y,z] boundary keep(1); input u; u = u + u[y + 1] + u[z - 1]; return u;",
                              "column 32x4 vector 4 chunk 8"));
    const char* recomputed =
        "float u[x,y,z] boundary mirror, f[x,y,z] boundary mirror, v[x,y,z]; input u; f = u*u; v = f[y - 1] + f[z + "
        "1]; "
        "return v;";
    EXPECT_FALSE(has_rim_rows(recomputed, columns));
}

}  // namespace
}  // namespace kasc::test
