#include "search/own_cells.hpp"

#include <gtest/gtest.h>

#include "search/legality.hpp"
#include "support/field_case.hpp"

namespace kasc {
namespace {

/// "yes", or why two calls of the program may not stand in a kernel that processes share.
std::string shared(const std::string& program, std::uint32_t first, std::uint32_t second) {
    const test::FieldCase c(program);
    SearchBounds bounds;
    bounds.own_cells = true;
    const Verdict verdict = may_stand_together(c.program, c.graph, find_call_roles(c.program, c.graph), NodeId{first},
                                               NodeId{second}, bounds);
    return verdict ? "yes" : verdict.reason();
}

TEST(OwnCells, CallsOfTheSameCellsHaveThem) {
    const std::string sums = "float p[i,j], q[i,j], r[i,j]; input p, q; r = p + q; q = r - p; return q, r;";
    EXPECT_EQ(shared(sums, 0, 1), "yes");
}

TEST(OwnCells, ACellAtAPositionAlongTheOutermostAxisIsOfOneBlock) {
    const std::string one =
        "float p[x,y,z], q[x,y,z], s[]; input p, q; p = p + q; s = p[x = 3, y = 4, z = 5]; return p, s;";
    EXPECT_EQ(shared(one, 0, 1), "s stands at a position along z, along which processes share the kernel");
    const std::string stored =
        "float p[x,y,z], q[x,y,z]; input p, q; q = q + p; p[x = 7, y = 8, z = 9] = 1; return p, q;";
    EXPECT_NE(shared(stored, 0, 1), "yes");
    const std::string plane = "float p[x,y,z], q[x,y,z], s[x,y]; input p, q; p = p + q; s = p[z = 5]; return p, s;";
    EXPECT_EQ(shared(plane, 0, 1), "s stands at a position along z, along which processes share the kernel");
}

TEST(OwnCells, APlaneAcrossItIsOfAllBlocks) {
    const std::string rows = "float p[x,y,z], q[x,y,z], s[x,z]; input p, q; p = p + q; s = p[y = 4]; return p, s;";
    EXPECT_EQ(shared(rows, 0, 1), "yes");
}

TEST(OwnCells, NoWordOfAllPartsComesBeforeThem) {
    const std::string step = "float p[i,j], q[i,j], r[i,j], pq[], rr[], old[]; input p, q, old; ";
    const std::string word = step + "pq = sum(p*q); r = p + pq*q; rr = old; return r, rr;";
    EXPECT_EQ(shared(word, 1, 2), "each process would compute pq before its cells, of all parts");
    // A number beside cells is computed by each block that has some.
    EXPECT_EQ(shared(step + "rr = old; r = p + q; return r, rr;", 0, 1).find("each process"), std::string::npos);
}

}  // namespace
}  // namespace kasc
