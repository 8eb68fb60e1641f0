// Which fields may lie in memory row by row.
#include "plan/series.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

/// "q<n-1..0 movie>n": inputs <, outputs >, each with its loop, and the rows if they are not the iteration's alone.
std::string series(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    if (!program) return "";
    std::string said;
    for (const Series& s : series_of(*program)) {
        said += (said.empty() ? "" : " ") + program->variables[s.variable].name + (s.input ? "<" : ">") +
                program->loops[s.loop].name;
        if (s.low != 0 || s.high != 0) said += std::to_string(s.low) + ".." + std::to_string(s.high);
        EXPECT_EQ((s.input ? program->inputs : program->outputs).at(s.position), s.variable);
    }
    return said;
}

std::string in_loop(const std::string& statements, const std::string& after = "") {
    return "param int steps = 9;\n"
           "float T[x] boundary mirror, q[x, t], p[x, t], on[t], movie[x, t], line[t], S[x, t] boundary mirror;\n"
           "input T, q, p, on, S;\nfor (n = 0; n < steps; n++) {" +
           statements + "}" + after + "return T, movie, line;";
}

const std::string outputs = "movie[t = n] = T; line[t = n] = T[x = 0];";

TEST(Series, StandAtTheIterationWhereverTheyAreUsed) {
    EXPECT_EQ(series(in_loop("T = T + q[t = n] * on[t = n];" + outputs)), "q<n movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = n] + q[t = n, x = 2];" + outputs)), "q<n movie>n");
    EXPECT_EQ(series(in_loop("for (m = 0; m < 3; m++) { T = T[1] + q[t = n]; }" + outputs)), "q<n movie>n");
    EXPECT_EQ(series(in_loop("T = T[1]; movie[x = 2, t = n] = 1; line[t = n] = 2;")), "movie>n");
}

TEST(Series, MayStandSomeRowsBesideTheIteration) {
    EXPECT_EQ(series(in_loop("T = T + q[t = n - 1];" + outputs)), "q<n-1..-1 movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = n + 2] - q[t = n + 1 - 2] + p[t = n];" + outputs)), "q<n-1..2 p<n movie>n");
    EXPECT_EQ(series(in_loop("T = T[1]; movie[t = n + 1] = T; line[t = n] = 1;")), "movie>n1..1");
}

TEST(Series, MayBeClampedToTheirEnds) {
    const auto rows = [](const std::string& position) {
        return series(in_loop("T = T + q[t = " + position + "];" + outputs));
    };
    for (const char* first : {"n > 0 ? n - 1 : 0", "n >= 1 ? n - 1 : 0", "0 < n ? n - 1 : 0", "n == 0 ? 0 : n - 1",
                              "n < 1 ? 0 : n - 1", "n <= 0 ? 0 : n - 1", "n != 0 ? n - 1 : 0"})
        EXPECT_EQ(rows(first), "q<n-1..0 movie>n") << first;
    EXPECT_EQ(rows("n - 1 > 0 ? n - 1 : 0"), "q<n-1..-1 movie>n");
    EXPECT_EQ(rows("n > 2 ? n - 3 : 0"), "q<n-3..-2 movie>n");
    for (const char* last : {"n < extent(t) - 1 ? n + 1 : extent(t) - 1", "n + 1 < extent(t) ? n + 1 : extent(t) - 1",
                             "extent(t) - 1 <= n ? extent(t) - 1 : n + 1", "n + 1 >= extent(t) ? n : n + 1"})
        EXPECT_EQ(rows(last), "q<n0..1 movie>n") << last;
    EXPECT_EQ(rows("n < 1 ? 0 : n > extent(t) ? extent(t) - 1 : n - 1"), "q<n-2..0 movie>n");
}

TEST(Series, AreNotClampedByAnythingElse) {
    for (const char* position : {"n > 0 ? n - 1 : 1", "n > 0 ? 0 : n", "n < 2 ? n : 0", "n > 70 ? n : 0",
                                 "n > 0 ? n - 1 : extent(t) - 1", "n < extent(t) ? n : 0", "steps > 0 ? n : 0",
                                 "n < extent(x) ? n : extent(x) - 1", "n < extent(t) - 1 ? n : extent(t) - 2"})
        EXPECT_EQ(series(in_loop("T = T + q[t = " + std::string(position) + "];" + outputs)), "movie>n") << position;
    EXPECT_EQ(series(in_loop("T = T[1]; movie[t = n > 0 ? n - 1 : 0] = T; line[t = n] = 1;")), "");
}

TEST(Series, AnyOtherUseNeedsAllOfThem) {
    EXPECT_EQ(series(in_loop("T = T + q[t = n + 65];" + outputs)), "movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = n + steps];" + outputs)), "movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = 2 * n];" + outputs)), "movie>n");
    EXPECT_EQ(series(in_loop("T = T[1]; movie[t = n] = T; movie[t = n + 1] = T; line[t = n] = 1;")), "");
    EXPECT_EQ(series(in_loop("T = T + q[t = n] + q[t = 0];" + outputs)), "movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = n];" + outputs, "T = T + q[t = 0];")), "movie>n");
    EXPECT_EQ(series(in_loop("for (m = 0; m < 3; m++) { T = T[1] + q[t = m]; }" + outputs)), "movie>n");
    EXPECT_EQ(series(in_loop("T = T + q[t = n];" + outputs, "for (k = 0; k < 3; k++) { T = q[t = k]; }")), "movie>n");
    EXPECT_EQ(series(in_loop("T = T[1];" + outputs + "T = T + movie[t = n];")), "");
    EXPECT_EQ(series(in_loop("T = T + S[t = n]; S = S + 1;" + outputs)), "movie>n");
    EXPECT_EQ(series("float q[x, t], T[x]; input q; T = q[t = 3]; return T;"), "");
    EXPECT_EQ(series("float q[x, t], T[x]; input q; for (n = 0; n < 4; n++) { q[t = n] = 1; } return q;"), "");
}

}  // namespace
}  // namespace kasc
