// Recurrences of more than one step, handed on in words of the cell.
#include "rewrite/former_words.hpp"

#include <gtest/gtest.h>

#include "rewrite/inner_loops.hpp"
#include "rewrite/statements.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

std::string handing_on(const std::string& body, const std::string& loop = "for (k = 3; k < extent(t); k++)") {
    const FieldCase c(
        "float z[x, t], y[x, t], u[x], w[t, x, c]; uint8 b[x, t]; param int n = 9; input z, y, b, u, w; " + loop +
        " { " + body + " } return z, y, b, u, w;");
    const Program made = with_former_words(inner_loops(c.program).program);
    std::string all;
    rewriting::each_statement(
        made.statements, [&](const Statement& statement) { all += rewriting::statement_text(made, statement) + "; "; });
    return all;
}

TEST(FormerWords, AreThoseOfSeveralIterationsBefore) {
    EXPECT_EQ(handing_on("z[t = k] = 2*z[t = k - 1] - z[t = k - 2];"),
              "z_2_before = z[t = max(0, min(1, extent(t) - 1))]; z[t = k] = 2 * z[t = k - 1] - z_2_before; "
              "z_2_before = z[t = k - 1]; ");
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 3]; y[t = k] = z[t = k - 2] + z[t = k];"),
              "z_2_before = z[t = max(0, min(1, extent(t) - 1))]; z_3_before = z[t = 0]; z[t = k] = z_3_before; "
              "y[t = k] = z_2_before + z[t = k]; z_3_before = z_2_before; z_2_before = z[t = k - 1]; ");
    EXPECT_EQ(handing_on("z[t = extent(t) - 1 - 2*k] = z[t = extent(t) + 3 - 2*k];",
                         "for (k = 2; k < (extent(t) + 1)/2; k++)"),
              "z_2_before = z[t = max(0, min(extent(t) - 1 - 0, extent(t) - 1))]; "
              "z[t = extent(t) - 1 - 2 * k] = z_2_before; z_2_before = z[t = extent(t) - 1 - 2 * (k - 1)]; ");
}

TEST(FormerWords, StandBesideTheCellWhereLinesLookThere) {
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 2, x = x - 1] + z[t = k - 1, x = x + 1];"),
              "z_2_before = z[t = max(0, min(1, extent(t) - 1))]; "
              "z[t = k] = z_2_before[x = x - 1] + z[x = x + 1, t = k - 1]; z_2_before = z[t = k - 1]; ")
        << "lines have the iteration's row and the one before";
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 1] + y[t = k - 2, x = x - 1];").find("before"), std::string::npos)
        << "what is given lies in memory";
}

TEST(FormerWords, AreThoseOfWhatIsGivenAsWell) {
    EXPECT_EQ(handing_on("z[t = k] = y[t = k - 1] + 2*y[t = k - 3];"),
              "y_1_before = y[t = max(0, min(1, extent(t) - 1))]; y_2_before = y[t = 0]; y_now = y[t = k - 1]; "
              "z[t = k] = y_now + 2 * y_2_before; y_2_before = y_1_before; y_1_before = y_now; ");
    EXPECT_EQ(handing_on("z[t = k] = y[t = k] + y[t = 0] + y[t = extent(t) - k];").find("before"), std::string::npos)
        << "the words of no other iteration";
    EXPECT_EQ(
        handing_on("w[t = k] = 2*w[t = k - 1]; w[t = k] = w[t = k] + u + z[t = k] + z[t = k - 1];").find("before"),
        std::string::npos)
        << "over fewer cells than the loop";
}

TEST(FormerWords, AreNeededByLoopsInKernelsAlone) {
    const std::string one = "z[t = k] = z[t = k - 1] + y[t = k - 2]; ";
    EXPECT_EQ(handing_on(one), one) << "the word of one iteration before is at hand, of y one is read";
    const std::string host = "z[t = k] = z[t = k - 2]; u = sum(z, t);";
    EXPECT_EQ(handing_on(host).find("before"), std::string::npos) << "no kernel runs it";
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 2]; z[t = k] = 2*z[t = k];").find("before"), std::string::npos)
        << "made by two statements";
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 5 + 2];", "for (k = 5; k < extent(t); k++)").find("z_4"),
              std::string::npos);
    EXPECT_EQ(handing_on("z[t = k] = z[t = k - 5];", "for (k = 5; k < extent(t); k++)").find("before"),
              std::string::npos)
        << "too far";
    EXPECT_EQ(handing_on("b[t = k] = b[t = k - 2];").find("before"), std::string::npos) << "no register has bytes";
    EXPECT_EQ(handing_on("z[t = n] = z[t = n - 2];").find("before"), std::string::npos) << "the same in all iterations";
}

}  // namespace
}  // namespace kasc::test
