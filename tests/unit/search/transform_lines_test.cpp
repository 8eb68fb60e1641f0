// Calls that may stand around transforms of lines, and why others may not.
#include "search/transform_lines.hpp"

#include <gtest/gtest.h>

#include "search/fusion_space.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

const std::string axes =
    "axis kx = half(x); float u[x,y,z], v[x,y,z], w[x,y,z]; complex P[kx,y,z], Q[kx,y,z], a[x,y,z], b[x,y,z]; "
    "float k[kx], g[y]; ";

/// What two calls of the graph are told, by place; "none": it is no matter of lines.
std::string told(const std::string& text, std::uint32_t first, std::uint32_t second) {
    const FieldCase c(axes + text);
    const auto verdict = share_transform_lines(c.program, c.graph, NodeId{first}, NodeId{second});
    return verdict ? (*verdict ? "yes: " : "no: ") + verdict->reason() : "none";
}

TEST(TransformLines, StandAroundTransformsAlongOneAxis) {
    EXPECT_EQ(told("input a, g; b = fft(a, y); a = unscaled_ifft(g*b, y); return a;", 0, 2),
              "yes: both are of lines along y");
    EXPECT_EQ(told("input a, g; b = fft(a, y); a = g*b; return a;", 0, 1),
              "yes: a is computed at the cells of lines along y");
    EXPECT_EQ(told("input a; b = fft(a, y); a = fft(b, z); return a;", 0, 1),
              "no: the two transforms are of lines along different axes");
    EXPECT_EQ(told("complex d[x,y,z] boundary mirror; input a; d = fft(a, y); b = d[x + 1]; return b;", 0, 1),
              "no: b reads other cells of d, which lines of their own have");
    EXPECT_EQ(told("complex d[x,y,z] boundary mirror; input d, a; a = d[x + 1]; b = fft(a, y); return b;", 0, 1),
              "no: a reads neighbours: cells at the edge have a path of their own");
    EXPECT_EQ(told("float t[n]; input t, k, v; u = t[n = 3*x + 100*z]*k[kx = 2] + v; P = fft(u, x); return P;", 0, 1),
              "yes: u is computed at the cells of lines along x")
        << "frames of a series overlap";
    EXPECT_EQ(told("input a; b = fft(a, y); a = b[y = 7 - y]; return a;", 0, 1),
              "no: a reads other cells of b, which lines of their own have");
    const std::string folded = told("float s[]; input a; b = fft(a, y); s = sum(real(b)); return s;", 0, 1);
    EXPECT_NE(folded.find("transforms and folds share no kernel"), std::string::npos) << folded;
}

TEST(TransformLines, HaveCellsOnOneSideAndWaveNumbersOnTheOther) {
    const std::string text = "input u, k; P = fft(u, x); Q = k*P; v = 2*unscaled_ifft(Q, x); w = v*u; return w;";
    EXPECT_EQ(told(text, 0, 1), "yes: Q is computed at the cells of lines along x");
    EXPECT_EQ(told(text, 1, 3), "yes: they stand on two sides of transforms along one axis");
    EXPECT_EQ(told(text, 3, 4), "none");
}

TEST(TransformLines, AreNoneOfTransformsOverSeveralAxes) {
    const FieldCase c(axes + "input u; P = fft(u); return P;");
    EXPECT_FALSE(line_transform(c.program, c.graph, NodeId{0}));
    EXPECT_FALSE(transforms_lines(c.program, c.graph, {NodeId{0}}));
}

TEST(TransformLines, SidesMeetWithATransformBetweenAlone) {
    const FieldCase c(axes + "input u, k; P = fft(u, x); Q = k*P; v = 2*unscaled_ifft(Q, x); w = v*u; return w;");
    EXPECT_FALSE(transforms_complete(c.program, c.graph, {NodeId{1}, NodeId{3}}));
    EXPECT_TRUE(transforms_complete(c.program, c.graph, {NodeId{1}, NodeId{2}, NodeId{3}}));
}

TEST(TransformLines, AreFusedWhereKernelsMayTransformThem) {
    const FieldCase c("complex a[x, y], b[x, y]; float g[y]; input a, g; b = unscaled_ifft(g*fft(a, y), y); return b;");
    SearchBounds bounds;
    EXPECT_EQ(enumerate_fusions(c.program, c.graph, bounds).fusions.size(), 3U);
    bounds.transform_lines = true;
    EXPECT_EQ(enumerate_fusions(c.program, c.graph, bounds).fusions.size(), 6U);
}

}  // namespace
}  // namespace kasc::test
