#include "runtime/pictures/picture_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace kasc::runtime {

std::string ending_of(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    if (!ending.empty()) ending.erase(0, 1);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return ending;
}

std::optional<PictureFormat> picture_format(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == "png") return PictureFormat::png;
    if (ending == "svg") return PictureFormat::svg;
    if (ending == "pdf") return PictureFormat::pdf;
    return std::nullopt;
}

Diagnostics check_picture_format(const std::string& path) {
    if (picture_format(path)) return {};
    const std::string ending = ending_of(path);
    return {placeless("K0731",
                      ending.empty() ? fmt::format("the name '{}' does not say what kind of picture it is", path)
                                     : fmt::format("'{}': kasc draws no pictures of the kind '.{}'", path, ending),
                      "a name ends in .png, .svg or .pdf")};
}

}  // namespace kasc::runtime
