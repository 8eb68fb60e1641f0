// Colours are counted, the 256 most frequent are listed, each pixel becomes its colour's place in the list. A field
// has up to colour_steps + 1 of them, each over many pixels; letters bring shades of grey, each over few.

#include "runtime/pictures/indexed_png.hpp"

#include <png.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace kasc::runtime {

namespace {

constexpr std::size_t most_colours = 256;  // that a PNG can list

using Key = std::uint32_t;

Key key_of(Colour c) { return static_cast<Key>(c.red) << 16U | static_cast<Key>(c.green) << 8U | c.blue; }

Colour colour_of_key(Key key) {
    return {static_cast<std::uint8_t>(key >> 16U), static_cast<std::uint8_t>(key >> 8U),
            static_cast<std::uint8_t>(key)};
}

int distance(Colour a, Colour b) {
    const int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return red * red + green * green + blue * blue;
}

/// The most frequent first; of equals the darker.
std::vector<Key> by_frequency(const std::map<Key, std::size_t>& counts) {
    std::vector<std::pair<Key, std::size_t>> counted(counts.begin(), counts.end());
    std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<Key> keys;
    for (const auto& [key, count] : counted) keys.push_back(key);
    return keys;
}

}  // namespace

std::optional<std::string> indexed_png(const Pixels& pixels) {
    std::map<Key, std::size_t> counts;
    // Neighbours are alike, as a rule: they are counted together.
    for (std::size_t i = 0, next = 0; i < pixels.colours.size(); i = next) {
        while (next < pixels.colours.size() && pixels.colours[next] == pixels.colours[i]) ++next;
        counts[key_of(pixels.colours[i])] += next - i;
    }
    const std::vector<Key> keys = by_frequency(counts);
    std::vector<Colour> listed;
    for (std::size_t i = 0; i < std::min(keys.size(), most_colours); ++i) listed.push_back(colour_of_key(keys[i]));
    std::map<Key, std::uint8_t> places;
    for (const Key key : keys) {
        const auto nearest = std::min_element(listed.begin(), listed.end(), [&](Colour a, Colour b) {
            return distance(a, colour_of_key(key)) < distance(b, colour_of_key(key));
        });
        places[key] = static_cast<std::uint8_t>(nearest - listed.begin());
    }
    std::vector<std::uint8_t> indices;
    indices.reserve(pixels.colours.size());
    for (std::size_t i = 0; i < pixels.colours.size(); ++i) {
        const bool same = i > 0 && pixels.colours[i] == pixels.colours[i - 1];
        indices.push_back(same ? indices.back() : places.at(key_of(pixels.colours[i])));
    }

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(pixels.width);
    image.height = static_cast<png_uint_32>(pixels.height);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = static_cast<png_uint_32>(listed.size());
    png_alloc_size_t bytes = 0;
    if (png_image_write_to_memory(&image, nullptr, &bytes, 0, indices.data(), 0, listed.data()) == 0)
        return std::nullopt;
    std::string file(bytes, '\0');
    if (png_image_write_to_memory(&image, file.data(), &bytes, 0, indices.data(), 0, listed.data()) == 0)
        return std::nullopt;
    return file;
}

}  // namespace kasc::runtime
