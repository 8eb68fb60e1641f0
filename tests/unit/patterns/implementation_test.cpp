// Free block dimensions solved for a number of elements, and what stands against it.

#include <gtest/gtest.h>

#include "patterns/pattern.hpp"

namespace kasc {
namespace {

/// One function vector3 → scalar with its patterns to choose.
struct Made {
    Library library;
    Implementation implementation;

    Made() {
        library.types.add({"scalar", {}, 1, {}});
        library.types.add({"vector3", {3}, 3, {}});
        implementation.name = "f_1";
        implementation.loads.push_back({{}, TypeId{1}, words("tx*3", 3)});
        implementation.save = {{}, TypeId{0}, words("tx", 1)};
        implementation.inputs.push_back(words("tx*3", 3));
        implementation.output = words("tx", 1);
        implementation.block = {Extent{}, Extent{1, {}}, Extent{1, {}}};
    }

    static Pattern words(const std::string& start, int block) {
        Pattern p;
        p.start = start;
        p.block = std::to_string(block);
        p.stride = std::to_string(1);
        return p;
    }
    [[nodiscard]] EnumerationResult at(int elements) const {
        return enumerate_implementation(library, implementation, elements);
    }
};

TEST(EnumerateImplementation, TakesOneThreadAnElement) {
    const auto result = Made().at(96);
    ASSERT_TRUE(result.value) << result.reason;
    EXPECT_EQ(result.value->block, (BlockShape{96, 1, 1}));
    EXPECT_EQ(result.value->elements, 96);
    EXPECT_EQ(result.value->loads[0].tile_words(), 288);
    EXPECT_EQ(result.value->save.tile_words(), 96);
    EXPECT_EQ(result.value->inputs.size(), 1U);
}

TEST(EnumerateImplementation, SolvesForProportionalDimensions) {
    Made four;  // elements a thread
    four.implementation.loads[0].pattern = Made::words("12*tx", 12);
    four.implementation.save.pattern = four.implementation.output = Made::words("4*tx", 4);
    const auto result = four.at(128);
    ASSERT_TRUE(result.value) << result.reason;
    EXPECT_EQ(result.value->block[0], 32);
    const auto odd = four.at(30);
    EXPECT_FALSE(odd.value);
    EXPECT_EQ(odd.reason, "no block of f_1 serves exactly 30 elements");

    Made half;  // two threads an element
    half.implementation.loads[0].pattern = half.implementation.inputs[0] = Made::words("tx/2*3", 3);
    half.implementation.save.pattern = half.implementation.output = Made::words("tx/2", 1);
    for (const int elements : {1, 2, 33, 100}) {
        const auto solved = half.at(elements);
        ASSERT_TRUE(solved.value) << elements << ": " << solved.reason;
        EXPECT_EQ((solved.value->block[0] + 1) / 2, elements);
    }
}

TEST(EnumerateImplementation, SolvesForAnyDimension) {
    Made rows;
    rows.implementation.block = {Extent{3, {}}, Extent{}, Extent{1, {}}};
    rows.implementation.loads[0].pattern = rows.implementation.inputs[0] = Made::words("ty*3+tx", 1);
    rows.implementation.save.pattern = rows.implementation.output = Made::words("ty", 1);
    const auto result = rows.at(32);
    ASSERT_TRUE(result.value) << result.reason;
    EXPECT_EQ(result.value->block, (BlockShape{3, 32, 1}));
    const auto large = rows.at(400);
    EXPECT_FALSE(large.value);
    EXPECT_EQ(large.reason, "400 elements need 1200 threads in f_1, a block has at most 1024");
}

TEST(EnumerateImplementation, KnowsFixedBlocks) {
    Made fixed;
    fixed.implementation.block[0] = Extent{64, {}};
    EXPECT_TRUE(fixed.at(64).value);
    const auto other = fixed.at(32);
    EXPECT_FALSE(other.value);
    EXPECT_EQ(other.reason, "load 1 of f_1 touches 192 words, 32 elements have 96");
    EXPECT_TRUE(other.diagnostics.empty()) << "no fault of the library";
}

TEST(EnumerateImplementation, RefusesSizesOutOfRange) {
    EXPECT_FALSE(Made().at(0).value);
    EXPECT_FALSE(Made().at(-5).value);
    EXPECT_FALSE(Made().at(2000000000).value);
    EXPECT_FALSE(Made().at(1025).value);
    EXPECT_TRUE(Made().at(1024).value);
}

TEST(EnumerateImplementation, RefusesLoadsThatDisagree) {
    Made made;
    made.implementation.loads[0].pattern = Made::words("tx", 1);
    const auto result = made.at(32);
    EXPECT_FALSE(result.value);
    EXPECT_EQ(result.reason, "load 1 of f_1 touches 32 words, 32 elements have 96");
}

TEST(EnumerateImplementation, ReportsAHoleInATile) {
    Made padded;
    padded.implementation.loads[0].pattern = Made::words("tx*4", 3);
    const auto result = padded.at(8);
    EXPECT_FALSE(result.value);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].code, "K0407");
    EXPECT_EQ(
        render_text(result.diagnostics),
        "error[K0407]: load 1 of f_1 leaves out word 3 of its tile\n"
        "   = help: a tile holds element after element as global memory does, so that fused functions can share it\n");
}

TEST(EnumerateImplementation, ReportsComputeOutsideItsTile) {
    Made outside;
    outside.implementation.inputs[0] = Made::words("tx*3+1", 3);
    const auto result = outside.at(8);
    EXPECT_FALSE(result.value);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].message, "input 0 of f_1 touches word 24 of a tile of 24");

    Made unwritten;
    unwritten.implementation.output = Made::words("tx/2", 1);
    EXPECT_EQ(unwritten.at(8).reason, "the output of f_1 touches 4 words, 8 elements have 8");
}

TEST(EnumerateImplementation, PassesFaultsOfExpressionsOn) {
    Made bad;
    bad.implementation.inputs[0] = Made::words("tz*", 3);
    const auto result = bad.at(8);
    EXPECT_FALSE(result.value);
    EXPECT_EQ(result.reason, "a pattern of f_1 is at fault");
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].code, "K0401");
}

TEST(EnumerateImplementation, KeepsNoregOfEachPattern) {
    Made made;
    made.implementation.inputs[0].noreg = true;
    const auto result = made.at(8);
    ASSERT_TRUE(result.value);
    EXPECT_TRUE(result.value->inputs[0].noreg);
    EXPECT_FALSE(result.value->loads[0].noreg) << "of the same text";
}

}  // namespace
}  // namespace kasc
