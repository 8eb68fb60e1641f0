#include "search/prologue.hpp"

#include <gtest/gtest.h>

#include "search/legality.hpp"
#include "search/set_rules.hpp"
#include "support/field_case.hpp"

namespace kasc {
namespace {

/// "cells join number …", by call in the order of the program.
std::string roles(const test::FieldCase& c) {
    std::string text;
    for (const auto role : find_prologue_roles(c.program, c.graph)) {
        text += text.empty() ? "" : " ";
        text += !role ? "cells" : *role == PrologueRole::join ? "join" : "number";
    }
    return text;
}

/// Whether these calls may be one kernel, or why not.
std::string together(const test::FieldCase& c, const std::vector<std::uint32_t>& calls) {
    const CallRoles roles = find_call_roles(c.program, c.graph);
    for (const std::uint32_t a : calls)
        for (const std::uint32_t b : calls)
            if (a < b)
                if (const Verdict v = may_stand_together(c.program, c.graph, roles, NodeId{a}, NodeId{b}); !v)
                    return "no: " + v.reason();
    const Verdict complete = prologue_complete(c.program, c.graph, roles.prologues, node_ids(calls));
    return (complete ? "yes: " : "no: ") + complete.reason();
}

const char* const step =
    "float p[i,j], q[i,j], x[i,j], r[i,j], pq[], rr[], alpha[], old[]; int n[], m[]; input p, q, x, old; ";

TEST(Prologue, HasJoinsAndTheNumbersThatFollow) {
    const test::FieldCase c(std::string(step) + "pq = sum(p*q); alpha = old/pq; r = x + alpha*p; return r, alpha;");
    EXPECT_EQ(roles(c), "cells join number cells");
    EXPECT_EQ(together(c, {1, 2, 3}), "yes: its blocks have the words of their prologue");
    EXPECT_EQ(together(c, {1, 3}), "no: no call of the kernel reads pq");
    EXPECT_EQ(together(c, {0, 1}), "no: pq_parts is folded: it is complete when its kernel ends");
    EXPECT_EQ(together(c, {1, 2}), "no: no call of the kernel has cells for a prologue to come before");
    const PrologueSplit split =
        split_prologue(c.graph, find_prologue_roles(c.program, c.graph), {NodeId{1}, NodeId{2}, NodeId{3}});
    EXPECT_EQ(split.prologue, (std::vector{NodeId{1}, NodeId{2}}));
    EXPECT_EQ(split.others, std::vector{NodeId{3}});
}

TEST(Prologue, IsBeforeCellsThatAreFolded) {
    const test::FieldCase c(std::string(step) + "pq = sum(p*q); r = x - old/pq*q; rr = sum(r*r); return r, rr;");
    EXPECT_EQ(roles(c), "cells join cells cells join");
    EXPECT_EQ(together(c, {1, 2, 3}), "yes: its blocks have the words of their prologue");
    EXPECT_EQ(together(c, {1, 3, 4}).substr(0, 3), "no:");
}

TEST(Prologue, IsOfWhatTheCellsRead) {
    const test::FieldCase c(std::string(step) + "pq = sum(p*q); rr = sum(x*x); r = x*pq; return r, rr;");
    EXPECT_EQ(together(c, {1, 3, 4}), "no: no call of the kernel reads rr");
    EXPECT_EQ(together(c, {1, 3}), "yes: one block joins all parts");
}

TEST(Prologue, HasOneSliceOfAField) {
    const test::FieldCase c(
        "float u[x], h[j], a[]; axis j = 2; input u; a = sum(u*u); h[j = 0] = a; h[j = 1] = 2*a; u = u/a; "
        "return u, h;");
    EXPECT_EQ(roles(c), "cells join number number cells");
    EXPECT_EQ(together(c, {1, 2, 4}), "yes: its blocks have the words of their prologue");
    EXPECT_EQ(together(c, {1, 2, 3, 4}), "no: h.1 is a slice of what the kernel has made");
}

TEST(Prologue, LeavesConditionsToKernelsOfOneThread) {
    const test::FieldCase c(std::string(step) + "pq = sum(p*q); n = pq > 3 ? 1 : 0; r = x*n; return r;");
    EXPECT_EQ(roles(c), "cells join cells cells");
}

/// Each reads the two before: asked for one by one, their roles would be as many questions as Fibonacci's numbers.
TEST(Prologue, HasLongChainsOfNumbers) {
    std::string declared = "float u[x], s0[], s1[]", body = "s0 = old; s1 = 2*old; ", expected = "cells cells";
    for (int k = 2; k < 90; ++k) {
        const auto name = [](int number) { return "s" + std::to_string(number); };
        declared += ", " + name(k) + "[]";
        body += name(k) + " = 0.5*" + name(k - 1) + " + " + name(k - 2) + "; ";
        expected += " cells";
    }
    const test::FieldCase c(declared + ", old[]; input u, old; " + body + "u = u*s89; return u;");
    EXPECT_EQ(roles(c), expected + " cells");
    EXPECT_EQ(together(c, {88, 89}), "yes: no parts are joined");
}

TEST(Prologue, IsOfWordsAlone) {
    const test::FieldCase rows(
        "float a[x,y], b[x,y], s[y], m[]; input a; s = sum(a, x); m = maximum(s); b = a/s*m; return b;");
    EXPECT_EQ(roles(rows), "cells cells cells join cells");
}

}  // namespace
}  // namespace kasc
