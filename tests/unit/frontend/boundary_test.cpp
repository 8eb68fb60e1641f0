// Faces whose values vary are chosen by statements; cells and the faces between them become one axis.
#include <gtest/gtest.h>

#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

void expect_same_program(const std::string& text, const std::string& by_hand) {
    EXPECT_EQ(test::program_text(text), test::program_text(by_hand));
}

TEST(VaryingFaces, AreChosenByTheStatementThatReadsTheNeighbour) {
    expect_same_program(R"(
float T[x, z] boundary (x: mirror, z: value(skin) / -mirror), U[x, z], skin[x] boundary periodic;
input T, skin;
U = T[z - 1] + T[x + 1, z - 2] + T[z + 1] + T[x - 1];
return U;
)",
                        R"(
float T[x, z] boundary (x: mirror, z: keep(0) / -mirror), U[x, z], skin[x] boundary periodic;
input T, skin;
U = (z < 1 ? skin : T[z - 1]) + (z < 2 ? skin[x + 1] : T[x + 1, z - 2]) + T[z + 1] + T[x - 1];
return U;
)");
}

TEST(VaryingFaces, AreOfTheIterationAndOfWhatStoodBefore) {
    expect_same_program(R"(
double T[x] boundary (x: value(heat[t = n] + a) / value(2*T[x = 0])), a[], heat[t];
param int steps;
input T, a, heat;
for (n = 0; n < steps; n++) { a = a + 1; T = T[x - 1] + T[x + 1]; }
return T, a;
)",
                        R"(
double T[x] boundary keep(0), a[], heat[t];
param int steps;
input T, a, heat;
for (n = 0; n < steps; n++) {
    a = a + 1;
    T = (x < 1 ? heat[t = n] + a : T[x - 1]) + (x >= extent(x) - 1 ? 2*T[x = 0] : T[x + 1]);
}
return T, a;
)");
}

/// Where several faces are crossed, that of the first axis says what is seen.
TEST(VaryingFaces, StandBehindNumbersOfEarlierAxes) {
    expect_same_program(R"(
float T[x, z] boundary (x: value(3), z: value(0.5*x)), U[x, z];
input T;
U = T[x + 1, z - 1];
return U;
)",
                        R"(
float T[x, z] boundary (x: value(3), z: keep(0)), U[x, z];
input T;
U = z < 1 && x < extent(x) - 1 ? 0.5*float(x + 1) : T[x + 1, z - 1];
return U;
)");
}

TEST(Staggered, AsManyFacesAsCellsLieAlongTheCells) {
    expect_same_program(R"(
axis xf = staggered(x, same);
float p[x, y] boundary mirror, u[xf, y] boundary (xf: value(0), y: mirror);
input p, u;
u = u - (p[x = xf] - p[x = xf - 1, y + 1]) + xf;
p = p - u[xf = x + 1] + u[xf = x];
return p, u;
)",
                        R"(
float p[x, y] boundary mirror, u[x, y] boundary (x: value(0), y: mirror);
input p, u;
u = u - (p - p[x - 1, y + 1]) + x;
p = p - u[x + 1] + u;
return p, u;
)");
}

/// What is neither an input nor an output has no copies.
TEST(Staggered, WithAFaceMoreCellsLieAlongTheFaces) {
    expect_same_program(R"(
axis xf = staggered(x);
float a[x], p[x] boundary (x: value(1) / -mirror), u[xf] boundary keep(0), r[x];
input a, u;
p = 2*a;
u = p[x = xf] - p[x = xf - 1];
r = p*(u[xf = x + 1] - u[xf = x]);
return u, r;
)",
                        R"(
axis xf = extent(x) + 1;
float a[x], p[xf] boundary (xf: value(1) / keep(0)), u[xf] boundary keep(0), r[x], a_2[xf], r_2[xf];
input a, u;
a_2 = a[x = xf];
p = 2*a_2;
u = (xf >= extent(x) ? -p[xf - 1] : p) - p[xf - 1];
r_2 = p*(u[xf + 1] - u);
r = r_2[xf = x];
return u, r;
)");
}

TEST(Staggered, AReadThatANarrowGridMirrorsTwiceRequiresAWiderOne) {
    const auto of = [](const std::string& read) {
        return test::program_text("axis xf = staggered(x); float p[x] boundary mirror, u[xf]; input p; u = " + read +
                                  "; return p, u;");
    };
    EXPECT_EQ(of("p[x = xf] - p[x = xf - 1]").find("require"), std::string::npos);
    EXPECT_NE(of("p[x = xf - 2]").find("require(extent(x) >= 2);"), std::string::npos);
    EXPECT_NE(of("p[x = xf + 3]").find("require(extent(x) >= 2);"), std::string::npos);
}

}  // namespace
}  // namespace kasc
