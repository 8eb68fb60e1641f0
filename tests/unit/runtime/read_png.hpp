#pragma once
// A picture that was written, pixel by pixel.

#include <gtest/gtest.h>
#include <png.h>

#include <string>
#include <vector>

#include "runtime/pictures/canvas.hpp"

namespace kasc::runtime {

inline Canvas read_png(const std::string& path) {
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

}  // namespace kasc::runtime
