#include "contract/zero_divisors.hpp"

#include <gtest/gtest.h>

#include "contract/uniform_positions.hpp"
#include "library/library.hpp"

namespace kasc::test {
namespace {

/// What is said of a program with this statement in a loop over n, where every is 0.
std::string divided(const std::string& statement) {
    const auto program = read_program(
        make_source("case.kas",
                    "float T[x], r[k]; axis k = 16; param int every = 2; input T; r = 0; for (n = 0; n < 9; n++) { " +
                        statement + " } return T, r;"),
        Library{});
    if (!program) return render_text(program.diagnostics);
    std::string said;
    for (const Diagnostic& d : check_uniform_positions(*program, {0}, {8, 16})) said += d.code + " " + d.message;
    return said;
}

TEST(ZeroDivisors, OfParametersAreToldUnlessAConditionLeavesThemOut) {
    const std::string by_zero = "K0749 an integer is divided by zero: 'every' is 0";
    EXPECT_EQ(divided("if (n % every == 0) { T = 2*T; }"), by_zero);
    EXPECT_EQ(divided("r[k = n/every] = 1;"), by_zero);
    EXPECT_EQ(divided("T = T + (n % every == 0 ? 1 : 0);"), by_zero);
    EXPECT_EQ(divided("if (every > 0 && n % every == 0) { T = 2*T; }"), "") << "it is not asked";
    EXPECT_EQ(divided("r[k = every > 0 ? n/every : 0] = 1;"), "");
    EXPECT_EQ(divided("T = T/every;"), "") << "reals are infinite";
}

}  // namespace
}  // namespace kasc::test
