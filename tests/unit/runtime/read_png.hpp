#pragma once
// A picture that was written, pixel by pixel.

#include <gtest/gtest.h>
#include <png.h>

#include <string>

#include "runtime/pictures/pixels.hpp"

namespace kasc::runtime {

inline Pixels read_png(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    Pixels pixels{static_cast<int>(image.width), static_cast<int>(image.height)};
    pixels.colours.resize(static_cast<std::size_t>(image.width) * image.height);
    EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.colours.data(), 0, nullptr), 0);
    return pixels;
}

}  // namespace kasc::runtime
