#include "runtime/array.hpp"

#include <gtest/gtest.h>

#include "unit/runtime/sample_programs.hpp"

namespace kasc::runtime {
namespace {

TEST(Array, CellCountDoesNotOverflow) {
    EXPECT_EQ(cell_count({}), 1U);
    EXPECT_EQ(cell_count({4, 3, 2}), 24U);
    EXPECT_EQ(cell_count({std::uint64_t{1} << 63, 0}), 0U);
    EXPECT_EQ(cell_count({std::uint64_t{1} << 32, std::uint64_t{1} << 32}), std::nullopt);
    EXPECT_EQ(cell_count({std::uint64_t{1} << 61}), std::nullopt) << "the bytes would not fit";
}

TEST(Array, ShapesAreTheAxesReversed) {
    const ProgramInterface heat = heat_program();
    EXPECT_EQ(expected_shape(heat, heat.inputs[0], {2, 3, 4, 7}), (Shape{4, 3, 2}));
    EXPECT_EQ(expected_shape(heat, heat.inputs[2], {2, 3, 4, 7}), (Shape{7}));
    const ProgramInterface matrix = matrix_program();
    EXPECT_EQ(expected_shape(matrix, matrix.inputs[0], {5}), (Shape{5, 3, 3}));
    EXPECT_EQ(expected_shape(matrix, matrix.inputs[2], {5}), (Shape{5}));
}

TEST(Array, Texts) {
    EXPECT_EQ(to_text(Shape{}), "()");
    EXPECT_EQ(to_text(Shape{7}), "(7,)");
    EXPECT_EQ(to_text(Shape{4, 8}), "(4, 8)");
    EXPECT_EQ(declared_text(heat_program(), heat_program().inputs[0]), "T[x,y,z]");
    EXPECT_EQ(bytes_text(512), "512 B");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(std::uint64_t{3} << 40), "3.0 TiB");
}

TEST(Array, PositionOfACell) {
    EXPECT_EQ(cell_position({2, 4}, 5), (Shape{1, 1}));
    EXPECT_EQ(cell_position({}, 0), Shape{});
}

}  // namespace
}  // namespace kasc::runtime
