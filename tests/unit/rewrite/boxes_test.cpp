// Statements that leave cells as they were by a condition on coordinates.
#include "rewrite/boxes.hpp"

#include <gtest/gtest.h>

#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

const FieldStatement& statement(const Boxes& boxes) {
    const Statement* list = boxes.program.statements.data();
    if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(list)) list = (*loop)->body.data();
    return std::get<FieldStatement>(*list);
}

Boxes boxes_of_update(const std::string& update) {
    return boxes(test::checked_program(
        "param int m = 3; float A[j, i] boundary mirror, l[i]; input A, l; for (k = 0; k < 9; k++) { A = " + update +
        "; } return A;"));
}

TEST(Boxes, EliminationUpdatesWhatLiesBehindThePivot) {
    const Boxes r = boxes_of_update("i > k && j > k ? A - l*A[i = k] : A");
    ASSERT_TRUE(r.changed);
    EXPECT_EQ(test::statements_of(r.program), "A = A - l * A[i = k]\n");
    ASSERT_TRUE(statement(r).where);
    EXPECT_EQ(statement(r).operands.size(), 3U);  // A, l, A[i = k]: what a cell was is none any more
}

TEST(Boxes, EveryChoiceIsOne) {
    const Boxes r = boxes_of_update("i > k && j > k ? A - l*A[i = k] : i > k && j == k ? l : A");
    ASSERT_TRUE(r.changed);
    EXPECT_EQ(test::statements_of(r.program), "A = i > k && j > k ? A - l * A[i = k] : l\n");
}

TEST(Boxes, PositionsAreOutsideByTheirNumbers) {
    EXPECT_TRUE(boxes_of_update("i >= k ? A - l*A[i = k - 1] : A").changed);
    EXPECT_TRUE(boxes_of_update("i < k ? A - l*A[i = k + 2] : A").changed);
    EXPECT_TRUE(boxes_of_update("i == 3 ? A - l*A[i = 4] : A").changed);
    EXPECT_TRUE(boxes_of_update("j < 5 && i != k ? A - l*A[i = k] : A").changed);
}

TEST(Boxes, CellsThatReadEachOtherStayAsTheyAre) {
    for (const char* update : {"i >= k ? A - l*A[i = k] : A", "i > k ? A + A[j - 1] : A", "i > k ? A - l*A[i = m] : A",
                               "i > k ? A - l*A[i = k] : j > 2 ? 0 : A", "i > k ? A - l*A[i = k + 1] : A"}) {
        const Boxes r = boxes_of_update(update);
        EXPECT_FALSE(r.changed) << update;
        ASSERT_EQ(r.verdicts.size(), 1U) << update;
        EXPECT_EQ(r.verdicts[0].verdict.reason(), "it reads cells that it may assign");
    }
}

TEST(Boxes, LoopsOfKernelsStayAsTheyAre) {
    Program program =
        test::checked_program("float A[j, i]; input A; for (k = 0; k < 9; k++) { A = i > k ? 2*A : A; } return A;");
    EXPECT_TRUE(boxes(program).changed);
    program.loops[LoopId{0}].inside = true;
    EXPECT_FALSE(boxes(program).changed);
}

TEST(Boxes, OnlyConditionsOnCoordinatesMakeOne) {
    for (const char* update : {"l > 0 ? A - l : A", "(i + j) % 2 == 0 ? A - l : A", "i > k ? A - l : 2*A",
                               "i != k ? A - l : A", "i > k || l > 0 ? A - l : A"})
        EXPECT_TRUE(boxes_of_update(update).verdicts.empty()) << update;
}

}  // namespace
}  // namespace kasc
