#include "patterns/access.hpp"

#include <gtest/gtest.h>

namespace kasc {
namespace {

struct AccessOf : ::testing::Test {
    AccessOf() {
        for (const char* name : {"x", "y", "z"}) program.axes.add({name, {}, nullptr, {}, false});
        field = program.variables.add({"T", {}, FieldShape{{AxisId{0}, AxisId{1}, AxisId{2}}, {}}});
    }
    [[nodiscard]] Access of(std::vector<AxisIndex> indices) const {
        return access_of(program, FieldStatement{}, Operand{field, std::move(indices), {}});
    }
    static AxisIndex fixed(double position) {
        return Absolute{std::make_shared<const Expression>(Expression{Literal{position}, ScalarKind::integer, {}})};
    }
    Program program;
    VariableId field;
};

TEST_F(AccessOf, TheCellItselfIsAPoint) {
    EXPECT_TRUE(std::holds_alternative<PointAccess>(of({Offset{0}, Offset{0}, Offset{0}})));
}

TEST_F(AccessOf, ANeighbourIsNearWithOneOffsetAnAxis) {
    const Access access = of({Offset{0}, Offset{-2}, Offset{1}});
    ASSERT_TRUE(std::holds_alternative<NearAccess>(access));
    EXPECT_EQ(std::get<NearAccess>(access).offsets, (std::vector<std::vector<int>>{{0, -2, 1}}));
    EXPECT_EQ(print(access, program), "near (0,-2,1)");
}

TEST_F(AccessOf, AnAbsolutePositionIsASlice) {
    const Access access = of({Offset{0}, Offset{0}, fixed(7)});
    ASSERT_TRUE(std::holds_alternative<SliceAccess>(access));
    ASSERT_EQ(std::get<SliceAccess>(access).fixed.size(), 1U);
    EXPECT_EQ(std::get<SliceAccess>(access).fixed[0].first, AxisId{2});
}

TEST_F(AccessOf, ANeighbourWithinASliceIsWhole) {
    EXPECT_TRUE(std::holds_alternative<WholeAccess>(of({Offset{1}, Offset{0}, fixed(7)})));
}

}  // namespace
}  // namespace kasc
