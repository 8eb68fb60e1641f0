#include "rewrite/inner_loops.hpp"

#include <gtest/gtest.h>

#include "graph/linear_position.hpp"
#include "rewrite/statements.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

std::string said_of(const std::string& text) {
    const FieldCase c(text);
    std::string said;
    for (const InnerVerdict& v : inner_loops(c.program).verdicts) said += v.verdict.reason() + ";";
    return said;
}

const std::string head_of_loops =
    "param int n = 9; param float h = 1; axis t = n; float u[x,y] boundary mirror, v[x,y], w[y], c[x,y,z], r[t];\n"
    "int k[x,y]; input u, v, w, c, k; ";

std::string of_loop(const std::string& body, const std::string& loop = "for (i = 1; i < n; i++)") {
    return said_of(head_of_loops + loop + " { " + body + " } return u, v, w, c, k;");
}

TEST(InnerLoops, AreThoseOfWhichNoCellLooksAtAnother) {
    const std::string yes = "each cell runs its iterations by itself;";
    EXPECT_EQ(of_loop("u = 0.5*u*u + v - h*i;"), yes);
    EXPECT_EQ(of_loop("u = u + v[x = 0, y = 0]*w;"), yes) << "v is not assigned";
    EXPECT_EQ(of_loop("c[z = i] = c[z = i - 1] + c[z = extent(z) - 2*i];"), yes) << "a line is a thread's own";
    EXPECT_EQ(of_loop("w = 2*w; w = w*h;"), yes);
    EXPECT_EQ(of_loop("k = k*3 & 255; u = u + float(k);"), yes);
    EXPECT_EQ(of_loop("u = u + v[x = 0];"
                      "v = u;"),
              "cells look at each other along x alone: a block runs the iterations of whole lines;");
    EXPECT_EQ(of_loop("u = u + v[x = 1]; v = u;"),
              "'u = u + v[x = 1]' looks at one cell of v, which the loop assigns, from all others, and may stand "
              "beyond the grid;");
    EXPECT_EQ(of_loop("u = 2*u; w = 2*w;"), yes + yes) << "loops apart";
    EXPECT_EQ(of_loop("u = 2*u + w; w = 2*w;"), yes) << "all cells of a line have w alike";
    EXPECT_EQ(of_loop("u = 2*u; w = 2*w + u[x = 0];"),
              "cells look at each other along x alone: a block runs the iterations of whole lines;");
    EXPECT_EQ(of_loop("u = 2*u; r[t = i] = h;"), yes + yes);
    EXPECT_EQ(of_loop("w = sum(u, x);"), "'w_parts = sum(u)' needs all cells of an iteration;");
    EXPECT_EQ(of_loop("w = running_maximum(w, y);"), "'w = running_maximum(w, y)' needs all cells of an iteration;");
    EXPECT_EQ(of_loop("u = u + c[z = k] ; c[z = i] = u;"),
              "'u = u + c[z = k]' looks for cells of c, which the loop assigns;");
}

/// The loops that kernels may run in place of one, each as what it assigns.
std::string loops_of(const std::string& body) {
    const FieldCase c(head_of_loops + "for (i = 1; i < n; i++) { " + body + " } return u, v, w, c, k;");
    const Program made = inner_loops(c.program).program;
    std::string text;
    for (const Statement& s : made.statements) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        if (loop == nullptr) continue;
        text += made.loops[(*loop)->loop].inside ? "inside {" : "{";
        for (const Statement& in : (*loop)->body)
            text += " " + made.variables[std::get<FieldStatement>(in).target].name;
        text += " } ";
    }
    return text;
}

TEST(InnerLoops, StatementsOverFewerCellsAreALoopOfTheirOwn) {
    const std::string apart = "inside { w } inside { u } ", one = "{ w u } ";
    EXPECT_EQ(loops_of("w[y = i] = 2*w[y = i - 1]; u[y = i] = u[y = i - 1] + w[y = i];"), apart);
    EXPECT_EQ(loops_of("u[y = i] = u[y = i - 1] + w[y = i - 1]; w[y = i] = 2*w[y = i - 1];"), apart)
        << "of the iteration before";
    EXPECT_EQ(loops_of("w[y = n - i] = 2*w[y = n - i + 1]; u[y = i] = u[y = i - 1] + w[y = n - i];"), apart);
    EXPECT_EQ(loops_of("w[y = 2*i] = i; u[y = i] = w[y = 2*i - 4];"), apart);
    EXPECT_EQ(loops_of("w[y = i] = 2*w[y = i - 1]; c[z = i] = c[z = i - 1] + u; u = u + v;"),
              "inside { w } inside { c u } ")
        << "the last two are over the same cells";
    EXPECT_EQ(loops_of("w[y = i] = 2*w[y = i - 1]; u[y = i] = u[y = i - 1] + w[y = i + 1];"), one)
        << "a later iteration assigns what this one reads";
    EXPECT_EQ(loops_of("u[y = i] = u[y = i - 1] + w[y = i]; w[y = i] = 2*w[y = i - 1];"), "{ u w } ")
        << "read before it is assigned";
    EXPECT_EQ(loops_of("w[y = i] = 2*w[y = i - 1]; u[y = i] = u[y = i - 1] + w[y = 3];"), one) << "of some iteration";
    EXPECT_EQ(loops_of("w[y = i] = w[y = i - 1] + u[x = 0, y = i - 1]; u[y = i] = w[y = i];"), one)
        << "the first reads what the second assigns";
    EXPECT_EQ(loops_of("r[t = i] = 0.5*i; u = u + r[t = i];"), "inside { r } inside { u } ")
        << "along an axis of its own";
    EXPECT_EQ(loops_of("r[t = i] = 0.5*i; u = u + r[t = i] + u[x = 0];"), "{ r u } ") << "one of them no kernel runs";
}

TEST(InnerLoops, AreABlocksWhereCellsLookAtEachOther) {
    const auto along = [](const std::string& axes) {
        return "cells look at each other along " + axes + " alone: a block runs the iterations of whole lines;";
    };
    EXPECT_EQ(of_loop("v = u[1,0]; u = v*0.5;"), along("x"));
    EXPECT_EQ(of_loop("v = 0.5*u[0,1] + v; u = v*h;"), along("y"));
    EXPECT_EQ(of_loop("v = u[1,0]; u = v + u[0,-1];"), along("x, y"));
    EXPECT_EQ(of_loop("u = 0.5*u[x = x/2];"), along("x")) << "a position that each cell computes";
    EXPECT_EQ(of_loop("u = u[1,0]; v[x = 0] = u[x = 0];"),
              "'v[x = 0] = u[x = 0]' is over other cells than the first statement;");
}

TEST(InnerLoops, HavePositionsWhoseRangeIsKnown) {
    EXPECT_EQ(of_loop("c[z = i % 2] = u;"), "each cell runs its iterations by itself;");
    EXPECT_EQ(of_loop("u = u + c[z = max(i - 1, 0)];"), "each cell runs its iterations by itself;");
    EXPECT_EQ(of_loop("u = u + c[z = i*i];"),
              "'u = u + c[z = i * i]' has a position in c of which is not known how it goes with the iterations;");
}

TEST(InnerLoops, ComputeWhatTheHostWouldToTheBit) {
    EXPECT_EQ(of_loop("u = u*sqrt(i*h);"), "each cell runs its iterations by itself;");
    EXPECT_EQ(of_loop("u = u*sin(i*h);"),
              "'u = u * sin(i * h)' has a function of the iteration, which the host rounds its own way;");
}

TEST(InnerLoops, AreInnermostAndRunToTheirEnd) {
    EXPECT_EQ(of_loop("for (j = 0; j < 2; j++) { u = 2*u; } v = u[1,0];"), "each cell runs its iterations by itself;");
    EXPECT_EQ(of_loop("u = 2*u;", "for (i = 0; i < n && sum(u) < 3; i++)"),
              "whether another iteration runs is known after each;");
}

TEST(InnerLoops, ComputeNoMoreThanCompilersBear) {
    const auto loop = [](int statements) {
        std::string body;
        for (int k = 0; k < statements; ++k) body += "u = 0.5*u + v; ";
        return of_loop(body);
    };
    EXPECT_EQ(loop(256), "each cell runs its iterations by itself;");
    EXPECT_EQ(loop(257), "an iteration computes too much for one thread;");
}

/// What stands beside the loop, and in it.
std::string written_for(const std::string& body) {
    const FieldCase c(
        "float u[x,y], w[y] boundary mirror, s[], r[t]; input u, w; axis t = 9; s = 0; "
        "for (i = 0; i < 9; i++) { " +
        body + " } return u, w, s;");
    const Program made = inner_loops(c.program).program;
    std::string all;
    rewriting::each_statement(
        made.statements, [&](const Statement& statement) { all += rewriting::statement_text(made, statement) + "; "; });
    return all;
}

TEST(InnerLoops, ComputeWhatIsOverFewerCellsAlikeInAll) {
    EXPECT_EQ(written_for("u = u + s*w; s = s + 1; w = 0.5*w + w[y + 1];"),
              "s = 0; w_alike = w; s_alike = s; u = u + s_alike * w_alike; s_alike = s_alike + 1; "
              "w_alike = 0.5 * w_alike + w_alike[0, 1]; w = w_alike[x = 0]; s = s_alike[x = 0, y = 0]; ");
    EXPECT_EQ(written_for("w = s*w; s = s + w[y = 0];"),
              "s = 0; s_alike = s; w = s_alike * w; s_alike = s_alike + w[y = 0]; s = s_alike[y = 0]; ")
        << "of the word at y = 0 all cells make the same";
    EXPECT_EQ(written_for("u = u + s; s = s + 1; r[t = i] = s;").find("alike"), std::string::npos) << "a part of r";
}

std::optional<LinearPosition> position_of(const std::string& position) {
    const FieldCase c("param int n = 9; float a[x, z]; input a; for (i = 0; i < n; i++) { a[z = " + position +
                      "] = 1; } return a;");
    const auto& loop = *std::get<std::shared_ptr<const LoopStatement>>(c.program.statements.front());
    const auto& statement = std::get<FieldStatement>(loop.body.front());
    return linear_position(*std::get<Absolute>(statement.target_indices[1]).position, loop.loop, c.program);
}

TEST(LinearPosition, IsASumOfTheLoopsVariableAndOfNumbers) {
    EXPECT_EQ(position_of("i"), (LinearPosition{1, {}, 0}));
    EXPECT_EQ(position_of("extent(z) - 1 - i"), (LinearPosition{-1, {{"extent(z)", 1}}, -1}));
    EXPECT_EQ(position_of("2*(i + 3) - i*2 + n/2"), (LinearPosition{0, {{"n / 2", 1}}, 6}));
    EXPECT_EQ(position_of("n - n + i"), (LinearPosition{1, {}, 0}));
    EXPECT_EQ(position_of("i/2"), std::nullopt);
    EXPECT_EQ(position_of("i*n"), std::nullopt) << "by how much it grows is no number";
    EXPECT_EQ(position_of("i*2000000000*2"), std::nullopt);
    EXPECT_EQ(position_of("i + 1")->before(), *position_of("i"));
    EXPECT_EQ(position_of("7 - 2*i")->before(), *position_of("9 - 2*i"));
}

}  // namespace
}  // namespace kasc::test
