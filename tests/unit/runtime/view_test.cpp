// Cuts, numbers beside pictures, traces, lists of datasets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/survey.hpp"
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
    EXPECT_EQ(round_ticks(0.0003, 0.9996, 2).texts, (Texts{"0.5"}));
    EXPECT_EQ(round_ticks(-0.5, 1.5, 9, 1).texts, (Texts{"0", "1"}));
    EXPECT_EQ(round_ticks(1500, 1500.0004, 3).texts, (Texts{"1500.0000", "1500.0002", "1500.0004"}));
    EXPECT_EQ(round_ticks(1e20, 1e20 + 16384, 5).texts, (Texts{"1e+20"}));
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
    EXPECT_EQ(scaled_unit("Pa", 2.5e6).text, "MPa");
    EXPECT_DOUBLE_EQ(scaled_unit("Pa", 2.5e6).factor, 1e-6);
    EXPECT_EQ(scaled_unit("m", 0.0635).text, "mm");
    EXPECT_EQ(scaled_unit("m", 0.25).text, "cm");
    EXPECT_DOUBLE_EQ(scaled_unit("m", 0.25).factor, 100);
    EXPECT_EQ(scaled_unit("m", 25).text, "m");
    EXPECT_EQ(scaled_unit("m", 2500).text, "km");
    EXPECT_EQ(scaled_unit("s", 4e-6).text, "µs");
    EXPECT_EQ(scaled_unit("s", 1e-6).text, "µs");
    EXPECT_EQ(scaled_unit("s", 3600).text, "s");
    EXPECT_EQ(scaled_unit("m/s", 2800).text, "m/s");
    EXPECT_EQ(scaled_unit("Pa", 0).text, "Pa");
}

TEST(Units, ThatTakeNonePutAPowerOfTenBeforeIt) {
    EXPECT_EQ(scaled_unit("kg/m³", 2000).text, "kg/m³");
    EXPECT_EQ(scaled_unit("K", 37).text, "K");
    EXPECT_EQ(scaled_unit("K", 2.5e6).text, "×10⁶ K");
    EXPECT_DOUBLE_EQ(scaled_unit("K", 2.5e6).factor, 1e-6);
    EXPECT_EQ(scaled_unit("", 1e9).text, "×10⁹");
    EXPECT_EQ(scaled_unit("", 3e-7).text, "×10⁻⁹");
    EXPECT_EQ(scaled_unit("Pa", 1e16).text, "×10¹⁵ Pa");
    EXPECT_EQ(scaled_unit("", 0).text, "");
    EXPECT_EQ(scaled_unit("", std::numeric_limits<double>::infinity()).text, "");
    EXPECT_EQ(scaled_unit("", 1e-320).text, "");
}

TEST(Sides, HaveNumbersThatDoNotMeet) {
    for (const double step : {1.0, 0.00123, 1234.5}) {
        for (const int pixels : {32, 100, 512, 2048}) {
            const Side side = Side::across({"x", step, step == 1 ? "" : "m"}, -0.5, 999.5, pixels);
            if (side.ticks.at.size() < 3) continue;
            const int apart = side.place(side.ticks.at[1], pixels) - side.place(side.ticks.at[0], pixels);
            EXPECT_GT(apart, side.label_width()) << step << " " << pixels;
        }
    }
    EXPECT_EQ(Side::across({"x"}, -0.5, 0.5, 512).ticks.texts, (Texts{"0"}));
    EXPECT_EQ(Side::across({"x", 0.001, "m"}, -0.5, 63.5, 512).name, "x, mm");
    EXPECT_EQ(Side::across({"x", 0.001, "m"}, -0.5, 63.5, 512, 0.12).name, "x, cm");  // as its neighbour
    EXPECT_EQ(Side::of_values("Pa", 3e6, 0, 300).name, "MPa");
    EXPECT_EQ(place_text({"x", 0.0005, "m"}, 47, 0.048), "23.5 mm");
    EXPECT_EQ(place_text({"x", 0.0005, "m"}, 0, 0.048), "0 mm");
    EXPECT_EQ(place_text({"x"}, 47, 0), "47");
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

TEST_F(CutTest, AcrossEachAxisMeetsInOneCell) {
    const ArrayView array{"T", {2, 3, 4}, values};
    const auto places = [](const Cuts& cuts) {
        std::vector<std::pair<std::size_t, std::uint64_t>> all;
        for (const Cut& c : cuts) all.emplace_back(*c.axis, *c.at);
        return all;
    };
    using Places = std::vector<std::pair<std::size_t, std::uint64_t>>;
    EXPECT_EQ(places(three_planes(array, {})), (Places{{2, 1}, {1, 1}, {0, 1}}));
    EXPECT_EQ(places(three_planes(array, {{3, 2, 0}})), (Places{{2, 0}, {1, 2}, {0, 3}}));
    const Slice turned = transposed(cut({0, 3}));
    EXPECT_EQ(turned.across.name, "z");
    EXPECT_EQ(turned.columns, 2);
    EXPECT_EQ(turned.values, (std::vector<double>{3, 15, 7, 19, 11, 23}));
}

TEST(Curves, KeepWhatSticksOut) {
    std::vector<double> values(100000, 1.0);
    values[54321] = 9;
    values[54322] = -9;
    values[70000] = std::nan("");
    const auto pieces = curve_points(values, 0.005, 10, 1);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_LE(pieces[0].size() + pieces[1].size(), 1004U);
    const auto higher = [](Point a, Point b) { return a.y < b.y; };
    EXPECT_EQ(std::min_element(pieces[0].begin(), pieces[0].end(), higher)->y, 1);
    EXPECT_EQ(std::max_element(pieces[0].begin(), pieces[0].end(), higher)->y, 19);
    EXPECT_EQ(curve_points({1, 2, 3}, 10, 3, 1).at(0).size(), 3U);
}

class TraceTest : public ScratchTest {
protected:
    static Pixels draw(const std::vector<Trace>& traces, const TraceStyle& style = {"p", {"t"}}) {
        EXPECT_TRUE(write_traces("a.png", traces, style).empty());
        return read_png("a.png");
    }
    /// Rows of the picture in which a colour is found in a column of the frame, as shares of the frame's height.
    static std::pair<double, double> rows(const Pixels& picture, int column, Colour colour) {
        int first = -1, last = -1;
        for (int y = 0; y < picture.height; ++y) {
            if (far(picture.at(column, y), colour)) continue;
            first = first < 0 ? y : first;
            last = y;
        }
        return {(first - top) / 360.0, (last - top) / 360.0};
    }
    /// Lines are smoothed at their edges.
    static bool far(Colour a, Colour b) {
        return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue) > 60;
    }
    static constexpr int top = picture_margin + text_height + 8;  // of the frame
    static constexpr Colour blue{0, 114, 178}, orange{213, 94, 0};
};

TEST_F(TraceTest, CurvesGoWhereTheValuesAre) {
    const Pixels picture = draw({{"a", {0, 1, 2, 3, 4}}, {"b", {4, 3, 2, 1, 0}}}, {"p", {"t"}, "", -1, 5});
    // The frame is 720 wide; its left edge is where the blue line begins, one sixth from the bottom.
    int left = 0;
    while (rows(picture, left, blue).first < 0) ++left;
    EXPECT_NEAR(rows(picture, left, blue).first, 5.0 / 6, 0.01);
    EXPECT_NEAR(rows(picture, left, orange).first, 1.0 / 6, 0.01);
    EXPECT_NEAR(rows(picture, left + 180, blue).first, 4.0 / 6, 0.01);
    EXPECT_NEAR(rows(picture, left + 710, blue).first, 1.0 / 6, 0.02);
}

TEST_F(TraceTest, WhatIsNotFiniteIsAGap) {
    const double nan = std::nan("");
    const Pixels picture = draw({{"", {1, 1, 1, nan, nan, 1, 1, 1, 1}}});
    int drawn = 0;
    for (int x = 0; x < picture.width; ++x) drawn += rows(picture, x, blue).first >= 0 ? 1 : 0;
    EXPECT_NEAR(drawn, 720 * 5 / 8, 6);
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
