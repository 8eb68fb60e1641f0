// Running sums of few long lines: their pieces stand side by side.
#include "rewrite/running_pieces.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

Program with_sums(const std::string& body) {
    const std::string text =
        "float a[x, y], s[x, y]; int n[x], m[x]; double d[x, y], e[x, y]; param int steps = 3; input a, n, d; s = 0; "
        "m = 0; e = 0; " +
        body + " return s, m, e;";
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return *program;
}

/// Targets of the statements behind the first three, with the types of those that the rule adds.
std::string written(const std::string& body) {
    const RunningPieces pieces = running_pieces(with_sums(body), nullptr);
    std::string targets;
    const std::vector<Statement>& all = pieces.program.statements;
    for (std::size_t k = 3; k < all.size(); ++k) {
        const Variable& target = pieces.program.variables[std::get<FieldStatement>(all[k]).target];
        targets += target.name + " " + name_of(std::get<FieldShape>(target.shape).type) + "; ";
    }
    return targets;
}

TEST(RunningPieces, AreThreeStatements) {
    EXPECT_EQ(written("s = running_sum(a, x);"), "s_sums double; s_carries double; s float; ");
    EXPECT_EQ(written("s = running_minimum(a, -y);"), "s_sums float; s_carries float; s float; ");
    EXPECT_EQ(written("m = running_sum(n);"), "m_sums int64; m_carries int64; m int; ");
    EXPECT_EQ(written("m = running_maximum(n);"), "m_sums int; m_carries int; m int; ");
    EXPECT_EQ(written("e = running_product(d, x);"), "e_sums double; e_carries double; e double; ");
}

TEST(RunningPieces, KeepAxesOfTheProgram) {
    const Program program = with_sums("s = running_sum(a, x);");
    const RunningPieces pieces = running_pieces(program, nullptr);
    EXPECT_TRUE(pieces.changed);
    EXPECT_EQ(pieces.program.axes.size(), program.axes.size()) << "plans have sizes of its axes already";
}

TEST(RunningPieces, AreWrittenWhereLinesAreFewAndLong) {
    const Program program = with_sums("s = running_sum(a, x); m = running_sum(n);");
    const auto verdicts = [&](long long x, long long y) {
        std::vector<long long> extents(program.axes.size(), 1);
        extents.at(0) = x, extents.at(1) = y;
        std::string all;
        for (const PiecesVerdict& v : running_pieces(program, &extents).verdicts)
            all += (v.verdict ? "yes: " : "no: ") + v.verdict.reason() + "; ";
        return all;
    };
    EXPECT_EQ(verdicts(1 << 20, 3),
              "yes: 256 pieces of each of 3 lines may stand side by side; yes: 256 pieces of each of 1 lines may stand "
              "side by side; ");
    EXPECT_EQ(verdicts(10000, 3), "no: a line is 2 pieces long; no: a line is 2 pieces long; ");
    EXPECT_EQ(verdicts(1 << 20, 5000).substr(0, 57), "no: there are lines for all of a device's threads; yes: 2");
}

TEST(RunningPieces, InLoopsAsElsewhere) {
    const RunningPieces pieces =
        running_pieces(with_sums("for (k = 0; k < steps; k++) { s = s + running_sum(a, x); }"), nullptr);
    EXPECT_TRUE(pieces.changed);
    EXPECT_EQ(pieces.verdicts.size(), 1U);
}

}  // namespace
}  // namespace kasc
