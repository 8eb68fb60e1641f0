// Chains of mapped steps: those that compose are joined, the others stay apart.
#include "schedule/field/chain.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

Chain chain(BoundaryKind kind, std::initializer_list<int> steps) {
    Chain c;
    for (const int s : steps) c = extend(std::move(c), kind, s);
    return c;
}

TEST(FieldChain, PeriodicStepsAddUp) {
    EXPECT_EQ(chain(BoundaryKind::periodic, {1, 2}), (Chain{{BoundaryKind::periodic, 3}}));
    EXPECT_EQ(chain(BoundaryKind::periodic, {1, -1}), Chain{});
}

TEST(FieldChain, NearestLayerStepsAddUpInOneDirection) {
    EXPECT_EQ(chain(BoundaryKind::keep, {-1, -2}), (Chain{{BoundaryKind::keep, -3}}));
    // At x = 0: one back stays at 0, one forth is 1.
    EXPECT_EQ(chain(BoundaryKind::keep, {-1, 1}).size(), 2U);
    EXPECT_EQ(chain(BoundaryKind::none, {-1}), (Chain{{BoundaryKind::keep, -1}}));
}

TEST(FieldChain, BetweenFacesOfAValueStepsAddUp) {
    EXPECT_EQ(chain(BoundaryKind::value, {1, 1}), (Chain{{BoundaryKind::value, 2}}));
    EXPECT_EQ(chain(BoundaryKind::value, {1, -1}), Chain{});
    EXPECT_EQ(extend(chain(BoundaryKind::value, {1}), BoundaryKind::value, -1, false).size(), 2U);
}

TEST(FieldChain, MirrorStepsStayApart) {
    EXPECT_EQ(chain(BoundaryKind::mirror, {-1, -1}).size(), 2U);
    EXPECT_EQ(extend(chain(BoundaryKind::periodic, {1}), BoundaryKind::mirror, 1).size(), 2U);
    EXPECT_EQ(chain(BoundaryKind::mirror, {0}), Chain{});
}

}  // namespace
}  // namespace kasc
