// What steps make for their conditions alone, made anew where these hold.
#include "rewrite/remake_in_conditions.hpp"

#include <gtest/gtest.h>

#include "rewrite/statements.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

/// Verdicts, and the statements where something is made anew.
std::string remade(const std::string& body, const std::string& results = "u, r") {
    const FieldCase c(
        "param int steps = 9; float u[x] boundary mirror, next[x] boundary mirror, slope[x], r[]; input u; r = 0; next "
        "= 0; "
        "for (n = 0; n < steps; n++) { " +
        body + " } return " + results + ";");
    const RemadeFields made = remake_in_conditions(c.program);
    std::string all;
    for (const RemadeVerdict& v : made.verdicts)
        all += (v.verdict ? "+" : "-") + v.field + ": " + v.verdict.reason() + "; ";
    if (!made.changed) return all;
    rewriting::each_statement(made.program.statements,
                              [&](const Statement& s) { all += rewriting::statement_text(made.program, s) + "; "; });
    return all;
}

TEST(RemakeInConditions, CopiesWhatMakesTheField) {
    EXPECT_EQ(remade("slope = u[1] - u; next = u + 0.5*slope; if (n % 4 == 3) { r = sum(next - u); } u = next;"),
              "+next: conditions alone need it in memory; r = 0; next = 0; slope = u[1] - u; next = u + 0.5 * slope; "
              "slope_again = u[1] - u; next_again = u + 0.5 * slope_again; r_parts = sum(next_again - u); "
              "r = sum(next_again - u); u = next; ");
}

TEST(RemakeInConditions, LeavesWhatIsNeededOrHasChanged) {
    EXPECT_EQ(remade("next = 2*u; if (n % 4 == 3) { r = sum(next); } u = next[1];"), "") << "a neighbour is read";
    EXPECT_EQ(remade("next = 2*u; if (n % 4 == 3) { r = sum(next); } u = next;", "u, r, next"), "") << "an output";
    EXPECT_EQ(remade("if (n % 4 == 3) { r = sum(next); } next = 2*u; u = next;"), "") << "of the step before";
    EXPECT_EQ(remade("next = 2*u; u = next + 1; if (n % 4 == 3) { r = sum(next); }"),
              "-next: u changes before the condition; ");
    EXPECT_EQ(remade("next = running_sum(u, x); if (n % 4 == 3) { r = sum(next); } u = next;"),
              "-next: next is not computed cell by cell; ");
}

}  // namespace
}  // namespace kasc::test
