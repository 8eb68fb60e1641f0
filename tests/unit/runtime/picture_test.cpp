#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <limits>

#include "runtime/canvas.hpp"
#include "runtime/glyphs.hpp"
#include "runtime/slice_picture.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

double lightness(Colour colour) { return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue; }

Canvas read_png(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<Colour> pixels(static_cast<std::size_t>(image.width) * image.height);
    EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
    Canvas canvas(static_cast<int>(image.width), static_cast<int>(image.height), {});
    for (int y = 0; y < canvas.height(); ++y) {
        for (int x = 0; x < canvas.width(); ++x) {
            canvas.set(x, y, pixels[static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x)]);
        }
    }
    return canvas;
}

int count(const Canvas& canvas, Colour colour) {
    int found = 0;
    for (int y = 0; y < canvas.height(); ++y) {
        for (int x = 0; x < canvas.width(); ++x) found += canvas.at(x, y) == colour;
    }
    return found;
}

class PictureTest : public ScratchTest {
protected:
    static Canvas draw(const Shape& shape, const std::vector<float>& values, const std::vector<std::string>& axes) {
        EXPECT_TRUE(write_slice_png("a.png", {"T", shape, values}, axes).empty());
        return read_png("a.png");
    }
};

TEST(ColourMap, GrowsBrighterInEvenSteps) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
        const double now = lightness(heat_colour(i / 100.0));
        EXPECT_GT(now, before);
        EXPECT_LT(now - before, 7);
        before = now;
    }
    EXPECT_EQ(heat_colour(-3), heat_colour(0));
    EXPECT_EQ(heat_colour(7), heat_colour(1));
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
        for (int x = 0; x < 512; ++x) {  // left of the colour bar
            const Colour c = canvas.at(x, y);
            if (c.red < 200 || c.green < 100 || c.blue > 140) continue;
            ++bright;
            x_sum += x;
            y_sum += y;
        }
    }
    ASSERT_GT(bright, 20);
    EXPECT_NEAR(x_sum / bright, 12.5 * 32 + 46, 24);
    EXPECT_NEAR(y_sum / bright, 3.5 * 32 + 42, 16);
}

TEST_F(PictureTest, OfThreeAxesTheHottestSliceIsShown) {
    std::vector<float> values(3 * 4 * 5, 1.0F);
    values[2 * 20 + 7] = 9;
    const Canvas volume = draw({3, 4, 5}, values, {"x", "y", "z"});
    const Canvas plane = draw({4, 5}, {values.begin() + 40, values.end()}, {"x", "y"});
    ASSERT_EQ(volume.width(), plane.width());
    for (int y = 40; y < volume.height(); ++y) {  // below the titles, which differ
        for (int x = 0; x < volume.width(); ++x) ASSERT_EQ(volume.at(x, y), plane.at(x, y));
    }
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
    ASSERT_TRUE(write_slice_png("a.png", {"T", {2, 2}, values}, {"x", "y"}).empty());
    ASSERT_TRUE(write_slice_png("b.png", {"T", {2, 2}, values}, {"x", "y"}).empty());
    EXPECT_EQ(read_text("a.png"), read_text("b.png"));
}

TEST_F(PictureTest, WhatIsNoPictureIsSaid) {
    const std::vector<float> values = {1, 2, 3, 4};
    EXPECT_EQ(render_text(write_slice_png("a.png", {"T", {4}, values}, {"x"})),
              "error[K0730]: 'T' of shape (4,) cannot be shown as a picture\n"
              "   = help: a picture shows a field of two axes, or a slice of a field of three\n");
    EXPECT_EQ(write_slice_png("no/a.png", {"T", {2, 2}, values}, {"x", "y"}).at(0).code, "K0720");
    EXPECT_EQ(files_here(), 0U);
}

}  // namespace
}  // namespace kasc::runtime
