// Fields that are read at positions alone, and what is read in their place.
#include "rewrite/gathered_fields.hpp"

#include <gtest/gtest.h>

#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

class GatheredFieldsTest : public testing::Test {
protected:
    static std::string verdicts_of(const GatheredFields& r) {
        std::string all;
        for (const GatheredVerdict& v : r.verdicts)
            all += (v.verdict ? "+" : "-") + v.statement + ": " + v.verdict.reason() + "\n";
        return all;
    }

    inline static const std::string declarations =
        "axis u = extent(x)/2;\n"
        "float a[x] boundary mirror, p[x] boundary periodic, v[x] boundary value(1), s[x] boundary mirror, d[u], "
        "e[u];\n"
        "input a, p, v;\n";
};

TEST_F(GatheredFieldsTest, AreComputedWhereTheyAreRead) {
    const GatheredFields r =
        gathered_fields(test::checked_program(declarations + "s = 2*a + x; d = s[x = 2*u]; return d;"));
    EXPECT_EQ(test::statements_of(r.program),
              "s_here = 2 * a[x = 2 * u] + float(max(min(2 * u, extent(x) - 1), 0))\nd = s_here\n");
}

TEST_F(GatheredFieldsTest, NeighboursStandWhereTheBoundarySays) {
    const auto read = [](const std::string& neighbour) {
        return test::statements_of(
            gathered_fields(test::checked_program(declarations + "s = " + neighbour + "; d = s[x = u]; return d;"))
                .program);
    };
    EXPECT_EQ(read("a[x - 1]"), "s_here = a[x = max(min(u, extent(x) - 1), 0) + -1]\nd = s_here\n");
    EXPECT_EQ(
        read("p[x + 1]"),
        "s_here = p[x = ((max(min(u, extent(x) - 1), 0) + 1) % extent(x) + extent(x)) % extent(x)]\nd = s_here\n");
    EXPECT_NE(read("a[x - 2]").find("2 * extent(x) - 1 - "), std::string::npos);
}

TEST_F(GatheredFieldsTest, OneBehindTheOtherVanish) {
    const GatheredFields r =
        gathered_fields(test::checked_program(declarations + "s = a + 1; s = s[x - 1] + s; d = s[x = 2*u]; return d;"));
    const std::string all = test::statements_of(r.program);
    EXPECT_EQ(all.find("\ns = "), std::string::npos) << all;
    EXPECT_EQ(r.verdicts.size(), 2U) << verdicts_of(r);
}

TEST_F(GatheredFieldsTest, StayWhereSomethingElseNeedsThem) {
    const auto stays = [](const std::string& body) {
        const GatheredFields r = gathered_fields(test::checked_program(declarations + body));
        EXPECT_FALSE(r.changed) << test::statements_of(r.program);
        return verdicts_of(r);
    };
    EXPECT_EQ(stays("s = 2*a; d = s[x = 2*u]; return d, s;"), "");
    EXPECT_EQ(stays("s = 2*a; d = s[x = 2*u]; a = s + 1; return d, a;"), "");
    EXPECT_EQ(stays("s = 2*a; a = 0; d = s[x = 2*u]; return d, a;"), "-s = 2 * a: a is assigned before it is read\n");
    EXPECT_EQ(stays("s = v[x + 1]; d = s[x = 2*u]; return d;"),
              "-s = v[1]: a neighbour of it may lie beyond a face that no position expresses\n");
}

}  // namespace
}  // namespace kasc
