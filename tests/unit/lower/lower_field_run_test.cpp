// Lowered kernels, executed, equal the program's statements to the bit: every walk, one and four cells a thread, every
// boundary, fused and unfused, extents below and above every reach.
#include <fmt/ranges.h>

#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

const std::vector<std::string> boundaries{
    "", "boundary keep(1)", "boundary keep(3)", "boundary value(0.5)", "boundary mirror", "boundary periodic"};

TEST(LowerFieldRun, PointwiseMapsOverOneToFourAxes) {
    EXPECT_GT(check_program("float u[x], v[x]; param float a = 1.5; input u; v = a * u + 2.0 - u / 3.0; return v;",
                            extents_1d())
                  .vectors,
              0);
    check_program("float u[x,y], v[x,y]; input u; v = sqrt(abs(u)) * min(u, 0.5) > 0.3 ? u : -u; return v;",
                  extents_2d());
    check_program("float u[x,y,z], v[x,y,z]; input u; v = u * u - u; return v;", extents_3d());
    check_program("float u[x,y,z,w], v[x,y,z,w]; input u; v = u * u - u; return v;",
                  {{1, 1, 1, 1}, {3, 2, 4, 5}, {8, 3, 2, 3}});
}

TEST(LowerFieldRun, NeighboursAlongOneAxis) {
    for (const std::string& b : boundaries) {
        if (b.empty()) continue;
        const std::string text = "float u[x] " + b + "; input u; u = u + 0.1 * (u[-1] - 2.0 * u + u[1]); return u;";
        EXPECT_GT(check_program(text, extents_1d()).vectors, 0);
        check_program("float u[x] " + b + "; input u; u = u[-3] - u[2] * u[4]; return u;", extents_1d());
    }
}

TEST(LowerFieldRun, FivePointsInTwoDimensions) {
    for (const std::string& b : boundaries) {
        if (b.empty()) continue;
        const std::string text = "float T[x,y] " + b +
                                 "; param float a = 0.2; input T; "
                                 "T = T + a * (T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4.0 * T); return T;";
        EXPECT_GT(check_program(text, extents_2d()).vectors, 0) << b;
        // Corners: the words beside a group lie one row away from the array's ends.
        check_program("float T[x,y] " + b + "; input T; T = T[-1,-1] + T[1,1] * T[-1,1] - T[1,-1]; return T;",
                      extents_2d());
        check_program("float T[x,y] " + b + "; input T; T = T[-3,2] * T[3,-1] + T[2,0] - T[-2,0] + T[0,3]; return T;",
                      extents_2d());
    }
}

TEST(LowerFieldRun, ThirteenPointsInThreeDimensions) {
    for (const std::string& b :
         {std::string("boundary keep(2)"), std::string("boundary keep(1)"), std::string("boundary mirror"),
          std::string("boundary periodic"), std::string("boundary value(37.0)")}) {
        const std::string text =
            "float T[x,y,z] " + b +
            ", B[x,y,z]; param float k = 0.01; input T, B; "
            "T = T - k * B * (90.0 * T - 16.0 * (T[-1,0,0] + T[1,0,0] + T[0,-1,0] + T[0,1,0] + T[0,0,-1] + T[0,0,1])"
            " + (T[-2,0,0] + T[2,0,0] + T[0,-2,0] + T[0,2,0] + T[0,0,-2] + T[0,0,2])); return T;";
        EXPECT_GT(check_program(text, extents_3d()).vectors, 0) << b;
    }
}

TEST(LowerFieldRun, EachMirrorTurnsItsOwnImages) {
    // Grids down to one cell: what is mirrored at both faces, again and again.
    for (const char* faces : {"x: mirror / -mirror", "x: -mirror / mirror", "x: -mirror", "x: -mirror / value(2)"}) {
        check_program(fmt::format("float u[x] boundary ({}); input u; "
                                  "u = u[-1] + 2*u[-3] + 3*u[-8] + 4*u[1] + 5*u[4] + 6*u[7]; return u;",
                                  faces),
                      {{1}, {2}, {3}, {4}, {5}, {8}, {12}});
    }
}

TEST(LowerFieldRun, EightCellsOf16BitsAreOneAccess) {
    for (const char* type : {"half", "bfloat16", "uint8"}) {
        for (const char* face : {"mirror", "periodic", "keep(2)", "value(3)"}) {
            const auto field = [&](const char* axes) {
                return fmt::format("{} T[{}] boundary {}; input T; ", type, axes, face);
            };
            const std::string line = field("x") + "T = T[-2] + T[1]; return T;";
            EXPECT_GT(check_program(line, {{1}, {7}, {8}, {16}, {24}, {33}, {64}}).eights, 0) << line;
            const std::string plane =
                field("x,y") + "T = T[-1,0] + T[1,0] + T[0,-1] + T[2,1]; T = T[0,1] + T; return T;";
            EXPECT_GT(check_program(plane, {{8, 3}, {16, 5}, {9, 4}, {24, 1}, {32, 6}}).eights, 0) << plane;
            const std::string volume = field("x,y,z") + "T = T[-2,0,0] + T[0,2,0] + T[0,0,-1]; return T;";
            EXPECT_GT(check_program(volume, {{8, 5, 4}, {16, 2, 5}, {24, 7, 3}}).eights, 0) << volume;
        }
    }
}

TEST(LowerFieldRun, NeighboursInFourDimensions) {
    check_program("float u[x,y,z,w] boundary periodic; input u; u = u[1,0,0,-1] + u[0,-1,0,1] * u[0,0,2,0]; return u;",
                  {{1, 1, 1, 1}, {3, 2, 4, 5}, {8, 3, 2, 3}});
    check_program("float u[x,y,z,w] boundary keep(1); input u; u = u[1,0,0,-1] + u[0,-1,0,1] * u[0,0,1,0]; return u;",
                  {{1, 1, 1, 1}, {3, 3, 4, 5}, {8, 3, 3, 3}});
}

TEST(LowerFieldRun, ProducersAreRecomputedThroughTheirOwnBoundary) {
    for (const std::string& inner : boundaries) {
        if (inner.empty() || inner.starts_with("boundary keep")) continue;
        for (const std::string& outer : boundaries) {
            if (outer.empty()) continue;
            const std::string text =
                "float T[x,y] " + outer + ", g[x,y] " + inner +
                "; input T; "
                "g = T[1,0] - T[-1,0] + T[0,1] * 3.0; T = T + 0.5 * (g[1,0] - g[-1,0]) - g[0,2]; return T;";
            EXPECT_GT(check_program(text, extents_2d()).fused, 0) << text;
        }
    }
}

TEST(LowerFieldRun, KeptLayersShowInsideAFusedKernel) {
    for (const std::string layers : {"1", "2", "3"}) {
        const std::string text =
            "float T[x,y] boundary keep(" + layers +
            "), d[x,y]; param float a = 0.1; input T; "
            "T = T + a * (T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4.0 * T); d = T[1,0] - T[-1,0] + T[0,-2];"
            "T = T + a * (T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4.0 * T); return T, d;";
        EXPECT_EQ(check_program(text, extents_2d()).fused, 3);
    }
    check_program(
        "float T[x,y,z] boundary keep(1); input T; T = T[0,0,-1] + T[0,0,1] * T[1,0,0]; T = T[0,0,1] - T[0,1,0]; "
        "return T;",
        extents_3d());
}

TEST(LowerFieldRun, ThreeStepsOfOneStencil) {
    const std::string step = "u = u + 0.2 * (u[-1] - 2.0 * u + u[1]); ";
    for (const std::string& b : boundaries) {
        if (b.empty()) continue;
        EXPECT_EQ(
            check_program("float u[x] " + b + "; input u; " + step + step + step + "return u;", extents_1d()).fused, 3);
    }
}

TEST(LowerFieldRun, FieldsThatLackAxesBroadcast) {
    check_program(
        "float T[x,y,z] boundary mirror, a[x] boundary mirror, b[y] boundary periodic, c[z] boundary value(2.0), "
        "d[x,y], e[y,z]; "
        "input T, a, b, c, d, e; T = a[1] * T + b[-1] * T[1,0,0] - c[1] * d + e * a; return T;",
        extents_3d());
    // A producer without the kernel's first, or second axis.
    check_program(
        "float T[x,y] boundary mirror, a[x] boundary mirror, b[y] boundary mirror, p[x] boundary mirror, q[y] boundary "
        "mirror; "
        "input T, a, b; p = a * 2.0 - a[1]; q = b + b[-1]; T = T * p[1] + q[1] * T[0,1]; return T, p, q;",
        extents_2d());
    // Another order of the axes in memory.
    check_program("float A[x,y], B[y,x], C[x,y]; input A, B; C = A * B + A; return C;", extents_2d());
}

TEST(LowerFieldRun, SourcesAndRecords) {
    const std::string text =
        "float T[x,y,z] boundary mirror, s[x,y,z], q[t], rec[t], line[x,t], plane[t,x,y]; "
        "param float a = 0.1; param int n = 1; param int px = 2; param int py = 1; param int pz = 0; input T, s, q, "
        "rec, line, plane; "
        "T = T + a * (T[-1,0,0] + T[1,0,0] + T[0,0,-1] + T[0,0,1] - 4.0 * T) + s * q[t = n]; "
        "rec[t = n] = T[x = px, y = py, z = pz]; "
        "line[t = n] = T[y = py, z = pz] * 2.0 + line[t = n - 1]; "
        "plane[t = n] = T[z = pz]; "
        "return T, rec, line, plane;";
    std::vector<std::vector<long long>> extents;
    for (const auto& n : std::vector<std::vector<long long>>{{3, 2, 1}, {4, 4, 4}, {5, 3, 7}, {8, 5, 6}, {12, 6, 5}}) {
        extents.push_back({n[0], n[1], n[2], 3});
    }
    EXPECT_EQ(check_program(text, extents).fused, 6);
    EXPECT_EQ(check_program(text, extents, {{"px", 0}, {"py", 0}, {"pz", 0}, {"n", 2}}).fused, 6);
}

TEST(LowerFieldRun, TheRestOfANewSeriesIsZero) {
    const std::string text =
        "float T[x,y], q[t], rec[t], line[x,t]; param int n = 1; input T, q; T = T * q[t = n]; "
        "rec[t = n] = T[x = 0, y = 0]; line[t = n] = T[y = 0] - rec[t = n - 1]; return T, rec, line;";
    EXPECT_GT(check_program(text, {{4, 3, 2}, {3, 1, 4}}).fused, 0);
}

TEST(LowerFieldRun, ARecordOfAKeptFieldSeesItsRim) {
    const std::string text =
        "float T[x,y] boundary keep(1), rec[t], row[x,t]; param int n = 0; param int px = 0; param int py = 1; input "
        "T, rec, row; "
        "T = T + 0.1 * (T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4.0 * T); rec[t = n] = T[x = px, y = py] - 1.0; row[t = "
        "n] = T[y = py]; "
        "return T, rec, row;";
    for (const double px : {0.0, 1.0, 3.0}) {
        for (const double py : {0.0, 1.0, 4.0}) {
            check_program(text, {{4, 5, 2}, {5, 5, 2}, {8, 6, 1}, {4, 2, 1}}, {{"px", px}, {"py", py}});
        }
    }
}

TEST(LowerFieldRun, ASliceWithTheSameKeptLayersStillCoversTheRimOfItsOperand) {
    const std::string text =
        "float T[x,y] boundary keep(1), row[x,t] boundary keep(1); param int n = 1; param int py = 0; "
        "input T, row; T = T[0,1] - T[0,-1]; row[t = n] = T[y = py]; return T, row;";
    EXPECT_EQ(check_program(text, {{4, 5, 3}, {3, 1, 3}, {8, 4, 3}, {4, 4, 2}}).fused, 1);
}

TEST(LowerFieldRun, PointSourcesAssignASlice) {
    const std::string text =
        "float p[x,y] boundary periodic, s[t]; param int n = 1; param int sx = 2; param int sy = 1; input p, s; "
        "p = p[1,0] + p[0,-1]; p[x = sx, y = sy] = p[x = sx, y = sy] + s[t = n]; p = p - 0.5 * p[-1,0] * p[0,1]; p[y = "
        "sy] = p[y = sy] * 2.0; return p;";
    const CheckCount count = check_program(text, {{3, 2, 2}, {4, 4, 2}, {5, 3, 2}, {8, 5, 2}});
    EXPECT_EQ(count.fused, 6);
    check_program(
        "float p[x,y] boundary (x: mirror, y: keep(1) / mirror), s[t]; param int n = 1; param int sx = 0; param int sy "
        "= 1; input p, s; "
        "p = p[1,0] + p[0,-1]; p[x = sx, y = sy] = p[x = sx, y = sy] + s[t = n]; p = p - 0.5 * p[-1,0] * p[0,1]; "
        "return p;",
        {{3, 2, 2}, {4, 4, 2}, {5, 3, 2}, {8, 5, 2}});
}

/// At sizes of a few cells, of rows that no vector divides, and of more entries than a block has.
TEST(LowerFieldRun, EntriesAddIntegers) {
    const CheckCount labels = check_program(
        "axis k = 5; axis j = 3; float u[x,y] boundary mirror; int bin[x,y], h[k], both[k,j]; input u, h, both; "
        "bin = int(7*u) - 1; h[k = bin] += 1; both[k = bin, j = x % 4] += u[1,0] > 0.5 ? bin + 1 : 0; "
        "return bin, h, both;",
        {{5, 3, 1, 1}, {5, 3, 7, 5}, {5, 3, 16, 9}, {5, 3, 64, 6}, {1, 1, 33, 3}});
    EXPECT_EQ(labels.fused, 3);
    check_program("axis k = 5; axis j = 3; uint8 b[x]; int h[k,j]; input b, h; h[k = b % 6] += j + 1 + b; return h;",
                  {{5, 3, 1}, {5, 3, 70}, {5, 3, 128}, {200, 3, 64}});
    check_program(
        "axis k = 16; uint8 b[p]; int64 s[k]; int h[k,t]; param int n = 1; input b, s, h; s[k = b % 17] += b; "
        "h[k = b/17, t = n] += 1; return s, h;",
        {{16, 1, 2}, {16, 37, 2}, {16, 512, 3}, {600, 96, 2}});
}

TEST(LowerFieldRun, KernelsOfOneCell) {
    const std::string text =
        "float T[x,y], rec[t], twice[t]; param int n = 1; param int px = 1; input T, rec, twice; "
        "rec[t = n] = T[x = px, y = 0] * 2.0; twice[t = n] = rec[t = n] + twice[t = n - 1]; return rec, twice;";
    EXPECT_EQ(check_program(text, {{2, 1, 2}, {5, 4, 3}}).fused, 1);
}

TEST(LowerFieldRun, EveryChoiceThatTheSearchIsOffered) {
    const std::string three =
        "float T[x,y,z] boundary keep(2), s[x,y,z], q[t]; param float k = 0.01; param int n = 0; input T, s, q; "
        "T = T + k * (T[-1,0,0] + T[1,0,0] + T[0,-1,0] + T[0,1,0] + T[0,0,-2] + T[0,0,2] - 6.0 * T); T = T + s * q[t = "
        "n]; return T;";
    check_program(three, {{68, 9, 20, 1}, {33, 10, 18, 1}}, {}, true);
    const std::string two = "float T[x,y] boundary mirror; input T; T = T[-1,0] + T[1,0] * T[0,-1] - T[0,1]; return T;";
    check_program(two, {{140, 37}, {67, 20}, {1, 1}}, {}, true);
    check_program("float u[x] boundary periodic; input u; u = u[-1] + u[1]; return u;", {{1032}, {5000}, {7}}, {},
                  true);
}

}  // namespace
}  // namespace kasc::test
