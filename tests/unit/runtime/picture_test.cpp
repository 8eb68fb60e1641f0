#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/pictures/canvas.hpp"
#include "runtime/pictures/glyphs.hpp"
#include "runtime/pictures/slice.hpp"
#include "unit/runtime/read_png.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

double lightness(Colour colour) { return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue; }

int count(const Canvas& canvas, Colour colour) {
    int found = 0;
    for (int y = 0; y < canvas.height(); ++y) {
        for (int x = 0; x < canvas.width(); ++x) found += canvas.at(x, y) == colour;
    }
    return found;
}

class PictureTest : public ScratchTest {
protected:
    static Canvas draw(const Shape& shape, const std::vector<float>& values, const std::vector<std::string>& axes,
                       const Cut& cut = {}, const SliceStyle& style = {}) {
        std::vector<PictureAxis> named;
        for (const std::string& axis : axes) named.push_back({axis});
        EXPECT_TRUE(write_slice_png("a.png", {"T", shape, values}, named, cut, style).empty());
        return read_png("a.png");
    }
    const std::vector<PictureAxis> x_and_y{{"x"}, {"y"}};
    static constexpr int top = picture_margin + Canvas::text_height + 10;  // of the cells
    static int left(int rows) { return left_of_frame(Side({"y"}, -0.5, rows - 0.5, 512, false)); }
};

TEST(ColourMap, GrowsBrighterInEvenSteps) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
        const double now = lightness(colour_of(ColourMap::heat, i / 100.0));
        EXPECT_GT(now, before);
        EXPECT_LT(now - before, 7);
        before = now;
    }
    EXPECT_EQ(colour_of(ColourMap::heat, -3), colour_of(ColourMap::heat, 0));
    EXPECT_EQ(colour_of(ColourMap::heat, 7), colour_of(ColourMap::heat, 1));
}

TEST(ColourMap, BalanceIsWhiteInTheMiddleAndMirrored) {
    EXPECT_EQ(colour_of(ColourMap::balance, 0.5), (Colour{247, 247, 247}));
    for (int i = 0; i < 50; ++i) {
        const Colour low = colour_of(ColourMap::balance, i / 100.0),
                     high = colour_of(ColourMap::balance, 1 - i / 100.0);
        EXPECT_GT(low.blue, low.red) << i;
        EXPECT_GT(high.red, high.blue) << i;
        EXPECT_NEAR(lightness(low), lightness(high), 35) << i;
    }
    EXPECT_EQ(colour_of(ColourMap::grey, 0.4), (Colour{102, 102, 102}));
}

TEST(Glyphs, LettersDiffer) {
    for (char a = '!'; a <= '~'; ++a) {
        for (char b = static_cast<char>(a + 1); b <= '~'; ++b) EXPECT_NE(glyph(a), glyph(b)) << a << b;
    }
    EXPECT_EQ(glyph('\x80'), glyph('?'));
}

TEST_F(PictureTest, TheLargestCellIsTheBrightest) {
    std::vector<float> values(16 * 16, 37.0F);
    values[3 * 16 + 12] = 60;  // row 3, column 12: upper right
    const Canvas canvas = draw({16, 16}, values, {"x", "y"});
    EXPECT_GE(canvas.width(), 512);
    int bright = 0;
    double x_sum = 0, y_sum = 0;
    for (int y = 0; y < canvas.height(); ++y) {
        for (int x = 0; x < left(16) + 512; ++x) {  // left of the colour bar
            const Colour c = canvas.at(x, y);
            if (c.red < 200 || c.green < 100 || c.blue > 140) continue;
            ++bright;
            x_sum += x;
            y_sum += y;
        }
    }
    ASSERT_GT(bright, 20);
    EXPECT_NEAR(x_sum / bright, 12.5 * 32 + left(16), 16);
    EXPECT_NEAR(y_sum / bright, 3.5 * 32 + top, 16);
}

TEST_F(PictureTest, OfThreeAxesTheStrongestSliceIsShown) {
    std::vector<float> values(3 * 4 * 5, 1.0F);
    values[2 * 20 + 7] = 9;
    const Canvas volume = draw({3, 4, 5}, values, {"x", "y", "z"});
    const Canvas plane = draw({4, 5}, {values.begin() + 40, values.end()}, {"x", "y"});
    ASSERT_EQ(volume.width(), plane.width());
    for (int y = 40; y < volume.height(); ++y) {  // below the titles, which differ
        for (int x = 0; x < volume.width(); ++x) ASSERT_EQ(volume.at(x, y), plane.at(x, y));
    }
}

TEST_F(PictureTest, OfBothSignsZeroIsWhite) {
    std::vector<float> values(16 * 16, 0.0F);
    values[40] = 3;
    values[200] = -2;
    const Canvas canvas = draw({16, 16}, values, {"x", "y"});
    EXPECT_GT(count(canvas, {247, 247, 247}), 400 * 500);
    // 3 and -2 of -3 to 3, at the middles of cells; half a pixel beside them a little less.
    const auto near = [&](int column, int row, double share) {
        const Colour found = canvas.at(left(16) + column * 32 + 16, top + row * 32 + 16);
        const Colour wanted = colour_of(ColourMap::balance, share);
        EXPECT_NEAR(found.red, wanted.red, 15);
        EXPECT_NEAR(found.blue, wanted.blue, 15);
    };
    near(8, 2, 1);
    near(8, 12, 1.0 / 6);
    EXPECT_EQ(
        count(draw({16, 16}, values, {"x", "y"}, {}, {ColourMap::heat, 10, 20}), colour_of(ColourMap::heat, 0)) / 1000,
        512 * 512 / 1000);
}

TEST_F(PictureTest, WhatIsNotFiniteIsGreyAndDoesNotSpread) {
    std::vector<float> values(16 * 16, 1.0F);
    values[17] = std::numeric_limits<float>::quiet_NaN();
    values[99] = std::numeric_limits<float>::infinity();
    values[0] = 0;
    const Canvas canvas = draw({16, 16}, values, {"x", "y"});
    EXPECT_NEAR(count(canvas, {128, 128, 128}), 2 * 32 * 32, 150);
    std::fill(values.begin(), values.end(), std::nanf(""));
    EXPECT_GT(count(draw({16, 16}, values, {"x", "y"}), {128, 128, 128}), 500 * 500);
}

TEST_F(PictureTest, AnyExtentsGiveAPictureOfUsefulSize) {
    for (const Shape& shape : {Shape{1, 1}, Shape{1, 3000}, Shape{5000, 2}, Shape{40, 2500}}) {
        const Canvas canvas = draw(shape, std::vector<float>(*cell_count(shape), 3.5F), {"x", "y"});
        EXPECT_GE(std::max(canvas.width(), canvas.height()), 512);
        EXPECT_LE(std::max(canvas.width(), canvas.height()), 2300);
    }
}

TEST_F(PictureTest, TheSameFieldGivesTheSameBytes) {
    const std::vector<float> values = {1, 2, 3, 4};
    ASSERT_TRUE(write_slice_png("a.png", {"T", {2, 2}, values}, x_and_y).empty());
    ASSERT_TRUE(write_slice_png("b.png", {"T", {2, 2}, values}, x_and_y).empty());
    EXPECT_EQ(read_text("a.png"), read_text("b.png"));
}

TEST_F(PictureTest, AFileNamesItsColoursOnceWhereItCan) {
    constexpr std::size_t colour_type = 25;  // of PNG's header: 3 of indices, 2 of reds, greens and blues
    std::vector<float> values(64 * 64);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.01F * static_cast<float>(i));
    draw({64, 64}, values, {"x", "y"});
    EXPECT_EQ(read_text("a.png").at(colour_type), 3);

    Canvas many(300, 1, {0, 0, 0});
    for (int x = 0; x < 300; ++x)
        many.set(x, 0, {static_cast<std::uint8_t>(x % 256), static_cast<std::uint8_t>(x / 256), 7});
    EXPECT_TRUE(many.write_png("many.png").empty());
    EXPECT_EQ(read_text("many.png").at(colour_type), 2);
    EXPECT_EQ(read_png("many.png").at(299, 0), (Colour{43, 1, 7}));
}

TEST_F(PictureTest, WhatIsNoPictureIsSaid) {
    const std::vector<float> values = {1, 2, 3, 4};
    EXPECT_EQ(render_text(write_slice_png("a.png", {"T", {4}, values}, {PictureAxis{"x"}})),
              "error[K0730]: 'T' of shape (4,) cannot be shown as a picture\n"
              "   = help: a picture shows a field of two axes, or a slice of a field of three\n");
    EXPECT_EQ(write_slice_png("no/a.png", {"T", {2, 2}, values}, x_and_y).at(0).code, "K0720");
    EXPECT_EQ(files_here(), 0U);
}

}  // namespace
}  // namespace kasc::runtime
