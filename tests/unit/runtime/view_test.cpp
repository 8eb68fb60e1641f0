// Cuts, numbers beside pictures, traces, lists of datasets.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/pictures/canvas.hpp"
#include "runtime/pictures/cut_slice.hpp"
#include "runtime/pictures/ticks.hpp"
#include "runtime/pictures/trace.hpp"
#include "unit/runtime/read_png.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

using Texts = std::vector<std::string>;

TEST(Ticks, AreRoundAndFew) {
    EXPECT_EQ(round_ticks(0, 10, 6).texts, (Texts{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(round_ticks(-0.31, 0.32, 5).texts, (Texts{"-0.2", "0", "0.2"}));
    EXPECT_EQ(round_ticks(1498, 1502, 5).texts, (Texts{"1498", "1499", "1500", "1501", "1502"}));
    EXPECT_EQ(round_ticks(0, 3.2e6, 5).texts, (Texts{"0", "1e+06", "2e+06", "3e+06"}));
    EXPECT_EQ(round_ticks(7, 7, 5).texts, (Texts{"7"}));
    EXPECT_EQ(round_ticks(0, std::numeric_limits<double>::infinity(), 5).texts.size(), 1U);
    for (const double range : {1e-9, 0.037, 1.0, 33.0, 8.5e7}) {
        for (int most = 2; most < 12; ++most) {
            const Ticks ticks = round_ticks(-0.4 * range, 0.6 * range, most);
            EXPECT_LE(ticks.at.size(), static_cast<std::size_t>(most)) << range;
            EXPECT_GE(ticks.at.size(), static_cast<std::size_t>(most) / 4) << range << " " << most;
        }
    }
}

TEST(Units, TakeThePrefixThatSuitsTheLargest) {
    EXPECT_EQ(with_prefix("Pa", 2.5e6).text, "MPa");
    EXPECT_DOUBLE_EQ(with_prefix("Pa", 2.5e6).factor, 1e-6);
    EXPECT_EQ(with_prefix("m", 0.0635).text, "mm");
    EXPECT_EQ(with_prefix("s", 4e-6).text, "us");
    EXPECT_EQ(with_prefix("s", 1e-6).text, "us");
    EXPECT_EQ(with_prefix("m/s", 2800).text, "m/s");
    EXPECT_EQ(with_prefix("kg/m^3", 2000).text, "kg/m^3");
    EXPECT_EQ(with_prefix("Pa", 0).text, "Pa");
    EXPECT_EQ(with_prefix("", 1e9).text, "");
}

class CutTest : public testing::Test {
protected:
    CutTest() {
        for (int i = 0; i < 24; ++i) values.push_back(static_cast<float>(i));  // x + 4 y + 12 z
        values[17] = -90;                                                      // (1, 1, 1)
    }
    [[nodiscard]] Slice cut(const Cut& where) const {
        return cut_slice({"T", {2, 3, 4}, values}, {{"x"}, {"y"}, {"z"}}, where);
    }
    std::vector<float> values;
};

TEST_F(CutTest, GoesAlongAnyAxis) {
    const Slice across_z = cut({2, 0});
    EXPECT_EQ(across_z.title, "T[x,y,z=0]");
    EXPECT_EQ(across_z.columns, 4);
    EXPECT_EQ(across_z.rows, 3);
    EXPECT_EQ(across_z.at(3, 2), 11);
    const Slice across_y = cut({1, 2});
    EXPECT_EQ(across_y.title, "T[x,y=2,z]");
    EXPECT_EQ(across_y.across.name, "x");
    EXPECT_EQ(across_y.down.name, "z");
    EXPECT_EQ(across_y.at(3, 1), 23);
    const Slice across_x = cut({0, 3});
    EXPECT_EQ(across_x.across.name, "y");
    EXPECT_EQ(across_x.values, (std::vector<double>{3, 7, 11, 15, 19, 23}));
    EXPECT_EQ(across_x.lowest, 3);
    EXPECT_EQ(across_x.highest, 23);
}

TEST_F(CutTest, IsWhereAValueIsFarthestFromZero) {
    EXPECT_EQ(cut({}).title, "T[x,y,z=1]");
    EXPECT_EQ(cut({0, {}}).title, "T[x=1,y,z]");
    EXPECT_EQ(cut({1, {}}).lowest, -90);
}

class TraceTest : public ScratchTest {
protected:
    static Canvas draw(const std::vector<Trace>& traces, const TraceStyle& style = {"p", {"t"}}) {
        EXPECT_TRUE(write_traces_png("a.png", traces, style).empty());
        return read_png("a.png");
    }
    /// Rows of the canvas in which a colour is found in a column of the frame, as shares of the frame's height.
    static std::pair<double, double> rows(const Canvas& canvas, int column, Colour colour) {
        int first = -1, last = -1;
        for (int y = 0; y < canvas.height(); ++y) {
            if (canvas.at(column, y) != colour) continue;
            first = first < 0 ? y : first;
            last = y;
        }
        return {(first - 42) / 360.0, (last - 42) / 360.0};
    }
    static constexpr Colour blue{0, 114, 178}, orange{213, 94, 0};
};

TEST_F(TraceTest, CurvesGoWhereTheValuesAre) {
    const Canvas canvas = draw({{"a", {0, 1, 2, 3, 4}}, {"b", {4, 3, 2, 1, 0}}}, {"p", {"t"}, "", -1, 5});
    // The frame is 800 wide; its left edge is where the blue line begins, one sixth from the bottom.
    int left = 0;
    while (rows(canvas, left, blue).first < 0) ++left;
    EXPECT_NEAR(rows(canvas, left, blue).first, 5.0 / 6, 0.01);
    EXPECT_NEAR(rows(canvas, left, orange).first, 1.0 / 6, 0.01);
    EXPECT_NEAR(rows(canvas, left + 200, blue).first, 4.0 / 6, 0.01);
    EXPECT_NEAR(rows(canvas, left + 790, blue).first, 1.0 / 6, 0.02);
}

TEST_F(TraceTest, WhatIsNotFiniteIsAGap) {
    const double nan = std::nan("");
    const Canvas canvas = draw({{"", {1, 1, 1, nan, nan, 1, 1, 1, 1}}});
    int drawn = 0;
    for (int x = 0; x < canvas.width(); ++x) drawn += rows(canvas, x, blue).first >= 0 ? 1 : 0;
    EXPECT_NEAR(drawn, 800 * 5 / 8, 6);
    draw({{"", {nan, nan}}});
    draw({{"", {1e300, -1e300, 1}}}, {"p", {"t"}, "", 0, 1});
    draw({{"", {5}}});
}

TEST_F(ScratchTest, ListsDatasetsByName) {
    const std::vector<float> values(6);
    ASSERT_TRUE(write_hdf5("a.h5", {{"p", {2, 3}, values}, {"b", {6}, values}}, {}).empty());
    const auto names = list_datasets("a.h5", for_pictures);
    ASSERT_TRUE(names);
    EXPECT_EQ(*names, (Texts{"b", "p"}));
    write_text("b.h5", "no such format");
    const auto none = list_datasets("b.h5", for_pictures);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.diagnostics.at(0).code, "K0702");
    EXPECT_EQ(none.diagnostics.at(0).help, for_pictures.of_format);
}

}  // namespace
}  // namespace kasc::runtime
