// Parameters that are cells are parameters of their words.
#include "unit/frontend/cell_programs.hpp"

namespace kasc {
namespace {

using test::expect_same;
using test::read_cells;

TEST(CellParameters, AreThoseOfTheirWords) {
    expect_same(R"(
type pair = int[2];
type wide = double[2];
vector3 v[x], w[x];
float T[x] boundary value(g.y);
param vector3 g = vector3(0, 1, -9.81), up = -1*g, all = 2;
param pair range = pair(1, 4);
param wide d;
function pushed(a) = a + 0.1*g;
input v, T;
require(norm(g) > 0, d.x < d.y);
for (k = range.0; k < range.1; k++) { v = pushed(v) + vcross3(up, all); }
w = g.z*T[x + 1];
if (g.x > 0 && range.0 > 1) { w = vadd3(w, all); }
return v, w;
)",
                R"(
vector3 v[x], w[x];
float T[x] boundary value(g_y);
param float g_x = 0, g_y = 1, g_z = -9.81;
param float up_x = -1*g_x, up_y = -1*g_y, up_z = -1*g_z;
param float all_x = 2, all_y = 2, all_z = 2;
param int range_x = 1, range_y = 4;
param double d_x, d_y;
function g() = vector3(g_x, g_y, g_z);
function pushed(a) = a + 0.1*g();
input v, T;
require(norm(g()) > 0, d_x < d_y);
for (k = range_x; k < range_y; k++) {
    v = pushed(v) + vcross3(vector3(up_x, up_y, up_z), vector3(all_x, all_y, all_z));
}
w = g_z*T[x + 1];
if (g_x > 0 && range_x > 1) { w = vadd3(w, vector3(all_x, all_y, all_z)); }
return v, w;
)");
}

TEST(CellParameters, AreUnusedWhereNoWordIsUsed) {
    const auto said = [](const std::string& value) {
        return render_text(
            read_cells("param vector3 g; vector3 v[x]; input v; v = v*" + value + "; return v;").diagnostics);
    };
    EXPECT_EQ(said("g"), "");
    EXPECT_EQ(said("g.y"), "");
    EXPECT_NE(said("2").find("the parameter 'g' is never used"), std::string::npos) << said("2");
    EXPECT_EQ(said("2").find("K0242"), said("2").rfind("K0242")) << "once";
}

}  // namespace
}  // namespace kasc
