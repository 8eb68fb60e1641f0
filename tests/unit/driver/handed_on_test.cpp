// Fields that a loop hands on are no kernel's work: the arrays change places.
#include <gtest/gtest.h>

#include "graph/graph.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

/// What the only loop hands on: its calls, and the variables that leave an iteration as what another entered with.
struct Handed {
    std::size_t calls = 0;
    std::string fields;
};

Handed handed(const std::string& body, const std::string& boundary = "periodic") {
    const std::string text = "param int steps = 3;\nfloat p[x] boundary " + boundary +
                             ", q[x] boundary mirror, r[x], d[x];\ninput p, q, r, d;\nfor (n = 0; n < steps; n++) {\n" +
                             body + "\n}\nreturn p, q, r, d;\n";
    const Library library;
    const Outcome<Program> program = read_program(make_source("t.kas", text), library);
    EXPECT_TRUE(program) << text;
    const Outcome<Graph> graph = build_graph(*program);
    EXPECT_EQ(verify(*graph), "");
    Handed made;
    for (const Node& node : graph->nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        if (loop == nullptr) continue;
        made.calls = loop->body->nodes.size();
        for (const Carried& c : loop->carried) {
            if (!loop->body->values[c.leaving].producer) made.fields += program->variables[c.variable].name + " ";
        }
    }
    return made;
}

TEST(HandedOn, TheFormerTimeLevel) {
    const Handed two = handed("d = 2*p - q + p[-1]; q = p; p = d;");
    EXPECT_EQ(two.fields, "q ");
    EXPECT_EQ(two.calls, 2U);
    EXPECT_EQ(handed("d = 3*p - 3*q + r; r = q; q = p; p = d;").fields, "q r ");
}

TEST(HandedOn, NothingThatIsNeededOtherwise) {
    EXPECT_EQ(handed("d = p - q; q = p; p = d + q[-1];").fields, "") << "read behind";
    EXPECT_EQ(handed("q = p; p = 0.5*p[-1]; d = d + q;").fields, "") << "not read before";
    EXPECT_EQ(handed("d = p - q; p = 0.5*d; q = p;").fields, "") << "no longer what entered";
    EXPECT_EQ(handed("d = d + q; q = r;").fields, "") << "stays what it was";
    EXPECT_EQ(handed("d = p - q + r; q = p; r = p; p = d;").fields, "q ") << "twice";
    EXPECT_EQ(handed("d = p - q; q = p[-1]; p = d;").fields, "") << "a neighbour";
    EXPECT_EQ(handed("d = p - q; q = p; p = d; p[x = 0] = 1;").fields, "") << "assigned in part";
    EXPECT_EQ(handed("d = p - q; q = p; p = 0.5*d;", "keep(1)").fields, "") << "a rim";
}

}  // namespace
}  // namespace kasc
