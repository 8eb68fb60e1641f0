#include "tune/ranking.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kasc::tune {
namespace {

Measurement measured(int position, double predicted_ns, std::vector<double> times_ns) {
    Measurement m;
    m.plan = "plan " + std::to_string(position);
    m.position = position;
    m.predicted_ns = predicted_ns;
    m.times_ns = std::move(times_ns);
    return m;
}

TEST(Ranking, SpearmanOfKnownPairs) {
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {8, 6, 4, 2}), -1);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3}, {10, 30, 20}), 0.5);
    // Ranks 1 2.5 2.5 4 against 1 2 3 4: 4.5 / sqrt(4.5 * 5).
    EXPECT_NEAR(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 0.948683, 1e-6);
}

TEST(Ranking, SpearmanOfTooLittleIsNone) {
    EXPECT_EQ(spearman({}, {}), 0);
    EXPECT_EQ(spearman({1}, {1}), 0);
    EXPECT_THROW((void)spearman({1, 2}, {1, 2, 3}), std::logic_error);
    EXPECT_EQ(spearman({1, 1}, {1, 2}), 0);
}

TEST(Ranking, QuantilesLieBetweenTimes) {
    const Measurement m = measured(1, 1, {40, 10, 30, 20});
    EXPECT_DOUBLE_EQ(m.median_ns(), 25);
    EXPECT_DOUBLE_EQ(m.quantile_ns(0.25), 17.5);
    EXPECT_DOUBLE_EQ(m.quantile_ns(0), 10);
    EXPECT_DOUBLE_EQ(m.quantile_ns(1), 40);
}

TEST(Ranking, BestFirstAndInvalidLast) {
    Measurement wrong = measured(1, 5, {});
    wrong.invalidity = "correctness";
    const auto rows = ranked({wrong, measured(2, 6, {30}), measured(3, 7, {20}), measured(4, 8, {20})});
    std::vector<int> positions;
    for (const Measurement& m : rows) positions.push_back(m.position);
    EXPECT_EQ(positions, (std::vector<int>{3, 4, 2, 1}));
}

TEST(Ranking, QualityLooksAtValidPlansOnly) {
    Measurement wrong = measured(1, 5, {1});
    wrong.invalidity = "correctness";
    const Quality q = quality_of({wrong, measured(2, 6, {30}), measured(3, 7, {20}), measured(4, 8, {25})});
    ASSERT_TRUE(q.known);
    EXPECT_DOUBLE_EQ(q.first_over_best, 1.5);
    EXPECT_EQ(q.position_of_best, 3);
    EXPECT_DOUBLE_EQ(q.correlation, -0.5);
    EXPECT_EQ(q.valid, 3);
    EXPECT_EQ(q.invalid, 1);
    EXPECT_FALSE(quality_of({wrong}).known);
}

}  // namespace
}  // namespace kasc::tune
