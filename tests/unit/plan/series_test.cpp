// Fields that may lie in memory row by row.
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
        EXPECT_EQ(rows(first), "q<n-1..-1 movie>n") << first;
    EXPECT_EQ(rows("n - 1 > 0 ? n - 1 : 0"), "q<n-1..-1 movie>n");
    EXPECT_EQ(rows("n > 2 ? n - 3 : 0"), "q<n-3..-3 movie>n");
    EXPECT_EQ(rows("n > 2 ? n - 1 : 0"), "q<n-2..-1 movie>n") << "row 0 where n is 2";
    EXPECT_EQ(rows("n < 1 ? 0 : n < 4 ? 0 : n - 1"), "q<n-3..-1 movie>n");
    for (const char* last : {"n < extent(t) - 1 ? n + 1 : extent(t) - 1", "n + 1 < extent(t) ? n + 1 : extent(t) - 1",
                             "extent(t) - 1 <= n ? extent(t) - 1 : n + 1"})
        EXPECT_EQ(rows(last), "q<n1..1 movie>n") << last;
    EXPECT_EQ(rows("n + 1 >= extent(t) ? n : n + 1"), "q<n0..1 movie>n");
    EXPECT_EQ(rows("n + 3 < extent(t) ? n + 1 : extent(t) - 1"), "q<n1..2 movie>n") << "the last row is two on";
    EXPECT_EQ(rows("n < 1 ? 0 : n > extent(t) ? extent(t) - 1 : n - 1"), "q<n-1..-1 movie>n");
}

TEST(Series, OutputsMayBeginLate) {
    const auto movie = [](const std::string& position) {
        return series(in_loop("T = T[1]; movie[t = " + position + "] = T; line[t = n] = 1;"));
    };
    EXPECT_EQ(movie("n < 6 ? 0 : n - 6"), "movie>n-6..-6");
    EXPECT_EQ(movie("n >= 100 ? n - 100 : 0"), "movie>n-100..-100") << "however late";
    EXPECT_EQ(movie("n > 0 ? n - 1 : 0"), "movie>n-1..-1");
    EXPECT_EQ(movie("n < 6 ? 0 : n - 5"), "movie>n-5..-5");
    EXPECT_EQ(movie("n < 6 ? 0 : n - 4"), "") << "row 1 is left out";
    EXPECT_EQ(movie("n < extent(t) ? n : extent(t) - 1"), "") << "the last row is assigned again and again";
}

TEST(Series, OutputsMayHaveRowsFromBeforeTheirLoop) {
    const auto of = [](const std::string& statements) {
        const auto program = read_program(
            make_source("case.kas",
                        "param int steps = 9; axis t = 200; float T[x] boundary mirror, movie[x, t]; input T;\n" +
                            statements + "\nreturn T, movie;"),
            Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        if (!program) return std::string();
        const auto all = series_of(*program);
        if (all.empty()) return std::string("none");
        return std::to_string(all.front().before) + " from " + std::to_string(all.front().first);
    };
    const std::string from_1 = "for (n = 1; n < steps; n++) { T = T[1]; movie[t = n] = T; }";
    EXPECT_EQ(of(from_1), "0 from 0");
    EXPECT_EQ(of("movie[t = 0] = T;" + from_1), "1 from 0");
    EXPECT_EQ(of("movie[t = 0] = T; movie[t = 0, x = 3] = 2;" + from_1), "1 from 0");
    EXPECT_EQ(of("movie[t = 2] = T; movie[t = 4] = 2 * T;"
                 "for (n = 3; n < steps; n++) { T = T[1]; movie[t = n + 2] = T; }"),
              "3 from 2");
    EXPECT_EQ(of("movie[t = 1] = T;" + from_1), "none") << "the loop assigns that row, too";
    EXPECT_EQ(of(from_1 + "movie[t = 0] = T;"), "none") << "after the loop";
    EXPECT_EQ(of("movie = 0; movie[t = 0] = T;" + from_1), "none");
    EXPECT_EQ(of("movie[t = 0] = T; T = T + movie[t = 0];" + from_1), "none");
    EXPECT_EQ(of("movie[t = steps - 9] = T;" + from_1), "none") << "which row that is nobody knows yet";
    EXPECT_EQ(of("movie[t = 0] = T; for (n = steps; n < 2 * steps; n++) { T = T[1]; movie[t = n] = T; }"), "none");
    EXPECT_EQ(of("movie[t = 0] = T; for (n = 66; n < steps; n++) { T = T[1]; movie[t = n] = T; }"), "none");
}

TEST(Series, AreNotClampedByAnythingElse) {
    for (const char* position : {"n > 0 ? n - 1 : 1", "n > 0 ? 0 : n", "n < 2 ? n : 0", "n > 70 ? n : 0",
                                 "n > 0 ? n - 1 : extent(t) - 1", "n < extent(t) ? n : 0", "steps > 0 ? n : 0",
                                 "n < extent(x) ? n : extent(x) - 1", "n < extent(t) - 1 ? n : extent(t) - 2"})
        EXPECT_EQ(series(in_loop("T = T + q[t = " + std::string(position) + "];" + outputs)), "movie>n") << position;
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
