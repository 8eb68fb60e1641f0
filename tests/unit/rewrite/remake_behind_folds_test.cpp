// Fields of pairs that are made anew behind a fold of them.
#include "rewrite/remake_behind_folds.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"

namespace kasc {
namespace {

RemadeFields behind_folds(const std::string& statements) {
    const std::string fields =
        "float a[q], b[n], given[q, n], d[q, n], e[q, n], f[q, n], least[q], s[q], w[d4, q]; axis d4 = 4; "
        "param int steps = 2; input a, b, given, w; ";
    const auto program = read_program(make_source("case.kas", fields + statements), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? remake_behind_folds(*program) : RemadeFields{};
}
/// What is made anew, and what reads it.
std::string made_anew(const std::string& statements) {
    const RemadeFields remade = behind_folds(statements);
    std::string all;
    rewriting::each_statement(remade.program.statements, [&](const Statement& s) {
        const std::string text = rewriting::statement_text(remade.program, s);
        if (text.find("again") != std::string::npos) all += text + "; ";
    });
    return all;
}

TEST(RemakeBehindFolds, WhatIsReadOnceMoreWhereAFoldIsComplete) {
    EXPECT_EQ(made_anew("d = a - b; least = minimum(d, n); e = d - least; return e;"),
              "d_again = a - b; e = d_again - least; ");
    EXPECT_EQ(made_anew("d = a - b; d = d*d; least = minimum(d, n); e = d - least; f = d*e; return f;"),
              "d_again = a - b; d_again = d_again * d_again; e = d_again - least; f = d_again * e; ")
        << "who waits for as many folds shares it";
    EXPECT_EQ(made_anew("d = w[d4 = 1]*b; least = minimum(d, n); e = d - least; return e;"),
              "d_again = w[d4 = 1] * b; e = d_again - least; ")
        << "at a number along an axis it is a line as well";
    EXPECT_EQ(made_anew("for (k = 0; k < steps; k++) { d = a - b; least = minimum(d, n); a = a + sum(d - least, n); } "
                        "return a;"),
              "d_again = a - b; a_sum_parts = sum(d_again - least); a_sum = sum(d_again - least); ");
}

TEST(RemakeBehindFolds, NotWhereOneKernelMayHaveBothOrItIsAnother) {
    EXPECT_EQ(made_anew("d = a - b; least = minimum(d, n); e = 2*d; return e, least;"), "") << "no fold is in between";
    EXPECT_EQ(made_anew("d = given - b; least = minimum(d, n); e = d - least; return e;"), "");
    EXPECT_EQ(made_anew("d = a - b; least = minimum(d, n); a = 0; e = d - least; return e, a;"), "");
    EXPECT_EQ(made_anew("d = a - b; least = minimum(d, n); e = d - least; a = 0; f = d + least; return e, f, a;"),
              "d_again = a - b; e = d_again - least; ")
        << "what it is made of has changed";
    EXPECT_EQ(made_anew("d = a - b; least = minimum(d, n); e = d - least; s = sum(e, n); f = d + s; return f;"),
              "d_again = a - b; e = d_again - least; d_again_2 = a - b; f = d_again_2 + s; ");
    const RemadeFields said = behind_folds("d = given - b; least = minimum(d, n); e = d - least; return e;");
    ASSERT_EQ(said.verdicts.size(), 1U);
    EXPECT_EQ(said.verdicts.front().verdict.reason(), "given is an input of as many cells");
}

}  // namespace
}  // namespace kasc
