#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/pictures/field_picture.hpp"
#include "runtime/pictures/indexed_png.hpp"
#include "unit/runtime/read_png.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

double lightness(Colour colour) { return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue; }

int count(const Pixels& picture, Colour colour) {
    int found = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) found += picture.at(x, y) == colour;
    }
    return found;
}

class PictureTest : public ScratchTest {
protected:
    static Pixels draw(const Shape& shape, const std::vector<float>& values, const std::vector<std::string>& axes,
                       const Cut& cut = {}, const FieldStyle& style = {}) {
        std::vector<PictureAxis> named;
        for (const std::string& axis : axes) named.push_back({axis});
        EXPECT_TRUE(write_field("a.png", {"T", shape, values}, named, {cut}, style).empty());
        return read_png("a.png");
    }
    const std::vector<PictureAxis> x_and_y{{"x"}, {"y"}};
    static constexpr int top = picture_margin + text_height + 8;  // of the cells
    static int left(int rows, int pixels = 512) {
        return picture_margin + left_of_frame(Side::down({"y"}, -0.5, rows - 0.5, pixels));
    }
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

TEST_F(PictureTest, TheLargestCellIsTheBrightest) {
    std::vector<float> values(16 * 16, 37.0F);
    values[3 * 16 + 12] = 60;  // row 3, column 12: upper right
    const Pixels picture = draw({16, 16}, values, {"x", "y"});
    EXPECT_GE(picture.width, 512);
    int bright = 0;
    double x_sum = 0, y_sum = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < left(16) + 512; ++x) {  // left of the colour bar
            const Colour c = picture.at(x, y);
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
    const Pixels volume = draw({3, 4, 5}, values, {"x", "y", "z"});
    const Pixels plane = draw({4, 5}, {values.begin() + 40, values.end()}, {"x", "y"});
    ASSERT_EQ(volume.width, plane.width);
    // The cells: which shades of letters are listed depends on the title.
    for (int y = top; y < top + 409; ++y) {
        for (int x = left(4, 410); x < left(4, 410) + 512; ++x) ASSERT_EQ(volume.at(x, y), plane.at(x, y));
    }
}

TEST_F(PictureTest, OfBothSignsZeroIsWhite) {
    std::vector<float> values(16 * 16, 0.0F);
    values[40] = 3;
    values[200] = -2;
    const Pixels picture = draw({16, 16}, values, {"x", "y"});
    EXPECT_GT(count(picture, {247, 247, 247}), 400 * 500);
    // 3 and -2 of -3 to 3, at the middles of cells; half a pixel beside them a little less.
    const auto near = [&](int column, int row, double share) {
        const Colour found = picture.at(left(16) + column * 32 + 16, top + row * 32 + 16);
        const Colour wanted = colour_of(ColourMap::balance, share);
        EXPECT_NEAR(found.red, wanted.red, 15);
        EXPECT_NEAR(found.blue, wanted.blue, 15);
    };
    near(8, 2, 1);
    near(8, 12, 1.0 / 6);
    EXPECT_EQ(
        count(draw({16, 16}, values, {"x", "y"}, {}, {{ColourMap::heat, 10, 20}}), colour_of(ColourMap::heat, 0)) /
            1000,
        512 * 512 / 1000);
}

TEST_F(PictureTest, WhatIsNotFiniteIsGreyAndDoesNotSpread) {
    std::vector<float> values(16 * 16, 1.0F);
    values[17] = std::numeric_limits<float>::quiet_NaN();
    values[99] = std::numeric_limits<float>::infinity();
    values[0] = 0;
    const Pixels picture = draw({16, 16}, values, {"x", "y"});
    EXPECT_NEAR(count(picture, {128, 128, 128}), 2 * 32 * 32, 150);
    std::fill(values.begin(), values.end(), std::nanf(""));
    EXPECT_GT(count(draw({16, 16}, values, {"x", "y"}), {128, 128, 128}), 500 * 500);
}

TEST_F(PictureTest, AnyExtentsGiveAPictureOfUsefulSize) {
    for (const Shape& shape : {Shape{1, 1}, Shape{1, 3000}, Shape{5000, 2}, Shape{40, 2500}}) {
        const Pixels picture = draw(shape, std::vector<float>(*cell_count(shape), 3.5F), {"x", "y"});
        EXPECT_GE(std::max(picture.width, picture.height), 512);
        EXPECT_LE(std::max(picture.width, picture.height), 2300);
    }
}

TEST_F(PictureTest, TheSameFieldGivesTheSameBytes) {
    const std::vector<float> values = {1, 2, 3, 4};
    ASSERT_TRUE(write_field("a.png", {"T", {2, 2}, values}, x_and_y).empty());
    ASSERT_TRUE(write_field("b.png", {"T", {2, 2}, values}, x_and_y).empty());
    EXPECT_EQ(read_text("a.png"), read_text("b.png"));
    ASSERT_TRUE(write_field("a.pdf", {"T", {2, 2}, values}, x_and_y).empty());
    ASSERT_TRUE(write_field("b.pdf", {"T", {2, 2}, values}, x_and_y).empty());
    EXPECT_EQ(read_text("a.pdf"), read_text("b.pdf"));
    EXPECT_EQ(read_text("a.pdf").find("CreationDate"), std::string::npos);
}

TEST_F(PictureTest, AFileNamesItsColoursOnce) {
    constexpr std::size_t colour_type = 25;  // of PNG's header: 3 of indices, 2 of reds, greens and blues
    std::vector<float> values(64 * 64);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.01F * static_cast<float>(i));
    draw({64, 64}, values, {"x", "y"});
    EXPECT_EQ(read_text("a.png").at(colour_type), 3);

    // The rare ones of 300 colours become the nearest that are listed.
    Pixels many{300, 4};
    for (int i = 0; i < 1200; ++i) {
        const int x = i < 1100 ? i % 256 : i % 300;
        many.colours.push_back({static_cast<std::uint8_t>(x % 256), static_cast<std::uint8_t>(x / 256 * 2), 7});
    }
    write_text("many.png", *indexed_png(many));
    EXPECT_EQ(read_text("many.png").at(colour_type), 3);
    const Pixels found = read_png("many.png");
    EXPECT_EQ(found.at(43, 0), (Colour{43, 0, 7}));
    for (int x = 0; x < 300; ++x) {
        EXPECT_NEAR(found.at(x, 3).red, many.at(x, 3).red, 1);
        EXPECT_NEAR(found.at(x, 3).green, many.at(x, 3).green, 2);
    }
}

TEST_F(PictureTest, ThreePlanesShareAxesAndColours) {
    std::vector<float> values(20 * 30 * 40, 1.0F);
    values[5 * 1200 + 7 * 40 + 11] = -9;
    const ArrayView array{"T", {20, 30, 40}, values};
    const std::vector<PictureAxis> axes{{"x", 0.001, "m"}, {"y", 0.001, "m"}, {"z", 0.002, "m"}};
    std::vector<Slice> slices;
    for (const Cut& cut : three_planes(array, {})) slices.push_back(cut_slice(array, axes, cut));
    const FieldFigure figure = lay_out(slices, {{}, "Pa", false, "t = 3 s"});
    EXPECT_EQ(figure.title, "T, t = 3 s");
    ASSERT_EQ(figure.panels.size(), 3U);
    const auto &xy = figure.panels[0], &zy = figure.panels[1], &xz = figure.panels[2];
    EXPECT_EQ(xy.title, "z = 10 mm");
    EXPECT_EQ(zy.title, "x = 11 mm");
    EXPECT_EQ(xz.title, "y = 7 mm");
    EXPECT_EQ(zy.across.name, "z, mm");
    EXPECT_EQ(zy.down.name, "y, mm");
    EXPECT_EQ(xz.down.name, "z, mm");
    // The same axis has the same length, and its cells stand beside each other; all is to one scale.
    EXPECT_EQ(xy.frame.x, xz.frame.x);
    EXPECT_EQ(xy.frame.width, xz.frame.width);
    EXPECT_EQ(xy.frame.y, zy.frame.y);
    EXPECT_EQ(xy.frame.height, zy.frame.height);
    EXPECT_EQ(xy.frame.width, zy.frame.width);
    EXPECT_EQ(xz.frame.height, zy.frame.width);
    EXPECT_NEAR(xy.frame.height, 0.75 * xy.frame.width, 1);
    EXPECT_EQ(zy.slice.at(5, 7), -9);  // turned: z to the right
    EXPECT_EQ(figure.scale.map, ColourMap::balance);
    EXPECT_EQ(figure.scale.low, -9);
    EXPECT_EQ(figure.values.name, "Pa");
    // Nothing overlaps, all is within the page.
    EXPECT_GT(zy.frame.x - left_of_frame(zy.down), xy.frame.x + xy.frame.width);
    EXPECT_GT(xz.frame.y, xy.frame.y + xy.frame.height + below_frame);
    EXPECT_GT(figure.bar.x, zy.frame.x + zy.frame.width);
    EXPECT_GE(figure.width, figure.bar.x + figure.bar.width + right_of_frame(figure.values));
    EXPECT_GE(figure.height, xz.frame.y + xz.frame.height + below_frame);
}

TEST_F(PictureTest, EveryFormatShowsTheSame) {
    const std::vector<float> values = {1, 2, 3, 4};
    for (const char* name : {"a.svg", "a.pdf", "a.PNG"})
        ASSERT_TRUE(write_field(name, {"T", {2, 2}, values}, x_and_y).empty()) << name;
    EXPECT_TRUE(read_text("a.svg").starts_with("<?xml"));
    EXPECT_NE(read_text("a.svg").find("<title>T[x,y]</title>"), std::string::npos);
    EXPECT_NE(read_text("a.svg").find("data:image/png;base64,"), std::string::npos);
    EXPECT_TRUE(read_text("a.pdf").starts_with("%PDF-1."));
    EXPECT_EQ(read_text("a.PNG").substr(1, 3), "PNG");
    EXPECT_EQ(render_text(write_field("a.jpg", {"T", {2, 2}, values}, x_and_y)),
              "error[K0731]: 'a.jpg': kasc draws no pictures of the kind '.jpg'\n"
              "   = help: a name ends in .png, .svg or .pdf\n");
}

TEST_F(PictureTest, AnyNameIsText) {
    const std::vector<float> values = {1, 2, 3, 4};
    const std::string name = "a<b>&\"\x1b\xff µ";
    ASSERT_TRUE(write_field("a.svg", {name, {2, 2}, values}, x_and_y).empty());
    EXPECT_NE(read_text("a.svg").find("<title>a&lt;b&gt;&amp;\"\\x1b\\xff µ[x,y]</title>"), std::string::npos);
    ASSERT_TRUE(write_field("a.pdf", {name, {2, 2}, values}, x_and_y).empty());
}

TEST_F(PictureTest, WhatIsNoPictureIsSaid) {
    const std::vector<float> values = {1, 2, 3, 4};
    EXPECT_EQ(render_text(write_field("a.png", {"T", {4}, values}, {PictureAxis{"x"}})),
              "error[K0730]: 'T' of shape (4,) cannot be shown as a picture\n"
              "   = help: a picture shows a field of two axes, or planes of a field of three\n");
    EXPECT_EQ(write_field("no/a.png", {"T", {2, 2}, values}, x_and_y).at(0).code, "K0720");
    EXPECT_EQ(files_here(), 0U);
}

}  // namespace
}  // namespace kasc::runtime
