// How positions go with the iterations of a loop.
#include <gtest/gtest.h>

#include "frontend/evaluate.hpp"
#include "frontend/make_expression.hpp"
#include "graph/linear_position.hpp"
#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

/// The position at which a loop over n from 1 reads u.
struct ReadInLoop {
    Program program;
    std::shared_ptr<const LoopStatement> loop;
    ExpressionRef position;

    explicit ReadInLoop(const std::string& at)
        : program(test::checked_program("param int m = 7; float u[x, z], v[x]; input u; v = 0; for (n = 1; n < "
                                        "extent(z); n++) { v = v + u[z = " +
                                        at + "]; } return v;")) {
        loop = std::get<std::shared_ptr<const LoopStatement>>(program.statements.back());
        for (const Operand& operand : std::get<FieldStatement>(loop->body.front()).operands)
            if (const auto* there = std::get_if<Absolute>(&operand.indices.back())) position = there->position;
    }
    [[nodiscard]] ExpressionRef number(int n) const {
        return make_expression(Literal{double(n)}, ScalarKind::integer, loop->span);
    }
    /// In iteration n of 1 to 20.
    [[nodiscard]] double at(const ExpressionRef& e, int n = 0) const {
        return evaluate(*e, {7}, {{loop->loop, n}}, {3, 21});
    }
};

TEST(Positions, RangesAreThoseOfAllIterations) {
    for (const char* position :
         {"n", "extent(z) - 1 - n", "max(n - 3, 0)", "min(2*n + 1, extent(z) - 1)", "n/4", "(extent(z) - n)/3 + 1",
          "n % 7", "(n + 2) % m + 1", "max(min(n, 9), 5)", "8 - n/3", "(n/5) % 3", "-(n % 4) + 3"}) {
        const ReadInLoop read(position);
        for (const auto& [first, last] : {std::pair{1, 20}, {3, 5}, {6, 8}, {4, 4}}) {
            double low = 1e9, high = -1e9;
            for (int n = first; n <= last; ++n)
                low = std::min(low, read.at(read.position, n)), high = std::max(high, read.at(read.position, n));
            const auto range = position_range(read.position, read.loop->loop, read.number(first), read.number(last));
            ASSERT_TRUE(range) << position;
            EXPECT_EQ(read.at(range->low), low) << position << " from " << first << " to " << last;
            EXPECT_EQ(read.at(range->high), high) << position << " from " << first << " to " << last;
        }
    }
}

TEST(Positions, RemaindersOfNegativeNumbersAreBeforeTheGrid) {
    const ReadInLoop read("(n - 9) % 4");
    const auto range = position_range(read.position, read.loop->loop, read.number(1), read.number(20));
    ASSERT_TRUE(range);
    EXPECT_LT(read.at(range->low), 0);
}

TEST(Positions, SomeGoNoWayThatIsKnown) {
    for (const char* position : {"n*n", "min(n, extent(z) - n)", "n % (n + 1)", "abs(n - 5)", "extent(z)/n"}) {
        const ReadInLoop read(position);
        EXPECT_FALSE(position_range(read.position, read.loop->loop, read.number(1), read.number(20))) << position;
    }
}

TEST(Positions, BoundedOnesGoEvenlyBehindTheFirstIteration) {
    const auto evenly = [](const std::string& position) {
        const ReadInLoop read(position);
        return position_behind_first(*read.position, read.loop->loop, read.loop->from, read.loop->to, read.program);
    };
    const auto same = [&](const std::string& bounded, const std::string& plain) {
        return evenly(bounded) && *evenly(bounded) == *evenly(plain);
    };
    EXPECT_TRUE(same("max(n - 2, 0)", "n - 2"));
    EXPECT_TRUE(same("max(0, n - 1)", "n - 1"));
    EXPECT_TRUE(same("min(n, extent(z) - 1)", "n"));
    EXPECT_TRUE(same("min(extent(z) + 1 - n, extent(z) - 1)", "extent(z) + 1 - n"));
    EXPECT_TRUE(same("max(extent(z) - 1 - n, 0)", "extent(z) - 1 - n"));
    EXPECT_FALSE(evenly("max(n - 3, 0)")) << "in two iterations it is bounded";
    EXPECT_FALSE(evenly("min(n + 1, extent(z) - 1)"));
    EXPECT_FALSE(evenly("min(n, m)"));
    EXPECT_FALSE(evenly("n % 2"));
}

}  // namespace
}  // namespace kasc
