#include "runtime/pictures/canvas.hpp"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <map>

#include "runtime/files/replacement.hpp"
#include "runtime/pictures/glyphs.hpp"

namespace kasc::runtime {

namespace {

constexpr int letter_scale = 2;
constexpr int letter_advance = (glyph_width + 1) * letter_scale;

static_assert(sizeof(Colour) == 3, "a row of colours is a row of PNG's RGB bytes");

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {}

Colour Canvas::at(int x, int y) const {
    return pixels_.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
}

void Canvas::set(int x, int y, Colour colour) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)] = colour;
}

void Canvas::fill(int x, int y, int width, int height, Colour colour) {
    for (int row = y; row < y + height; ++row) {
        for (int column = x; column < x + width; ++column) set(column, row, colour);
    }
}

void Canvas::text(int x, int y, std::string_view line, Colour colour) {
    for (const char letter : line) {
        const Glyph& columns = glyph(letter);
        for (int column = 0; column < glyph_width; ++column) {
            for (int row = 0; row < glyph_height; ++row) {
                if ((columns.at(static_cast<std::size_t>(column)) >> row & 1) == 0) continue;
                fill(x + column * letter_scale, y + row * letter_scale, letter_scale, letter_scale, colour);
            }
        }
        x += letter_advance;
    }
}

int Canvas::text_width(std::string_view line) {
    return line.empty() ? 0 : static_cast<int>(line.size()) * letter_advance - letter_scale;
}

std::optional<Canvas::Indices> Canvas::indices() const {
    constexpr std::size_t most = 256;
    Indices found;
    found.pixels.reserve(pixels_.size());
    std::map<std::array<std::uint8_t, 3>, std::uint8_t> numbers;
    for (const Colour& colour : pixels_) {
        const auto [entry, is_new] = numbers.try_emplace({colour.red, colour.green, colour.blue},
                                                         static_cast<std::uint8_t>(found.colours.size()));
        if (is_new && found.colours.size() == most) return std::nullopt;
        if (is_new) found.colours.push_back(colour);
        found.pixels.push_back(entry->second);
    }
    return found;
}

Diagnostics Canvas::write_png(const std::string& path) const {
    Outcome<ReplacementFile> file = ReplacementFile::create(path);
    if (!file) return file.diagnostics;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width_);
    image.height = static_cast<png_uint_32>(height_);
    const std::optional<Indices> indexed = indices();
    image.format = indexed ? PNG_FORMAT_RGB_COLORMAP : PNG_FORMAT_RGB;
    image.colormap_entries = indexed ? static_cast<png_uint_32>(indexed->colours.size()) : 0;
    const void* rows = indexed ? static_cast<const void*>(indexed->pixels.data()) : pixels_.data();
    const void* colours = indexed ? indexed->colours.data() : nullptr;
    if (png_image_write_to_file(&image, file->temporary_path().c_str(), 0, rows, 0, colours) == 0) {
        Diagnostic d;
        d.code = "K0721";
        d.message = fmt::format("cannot write '{}': {}", path, image.message);
        return {d};
    }
    return file.value->commit();
}

}  // namespace kasc::runtime
