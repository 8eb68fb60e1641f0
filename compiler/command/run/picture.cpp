#include "command/run/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/pictures/shown_array.hpp"
#include "runtime/pictures/slice.hpp"

namespace kasc::command {

std::size_t drawn_output(const std::string& wish, const runtime::ProgramInterface& face) {
    const std::string name = wish.substr(0, wish.find('='));
    const auto& outputs = face.outputs;
    return static_cast<std::size_t>(
        std::find_if(outputs.begin(), outputs.end(), [&](const auto& o) { return o.name == name; }) - outputs.begin());
}

std::string picture_file(const std::string& wish) {
    const std::size_t equals = wish.find('=');
    return equals == std::string::npos ? "" : wish.substr(equals + 1);
}

Diagnostics check_picture(const std::string& wish, const runtime::ProgramInterface& face) {
    if (wish.empty()) return {};
    if (picture_file(wish).empty()) {
        return {placeless("K0904", fmt::format("'{}' does not say what to draw into which file", wish),
                          "write --picture OUTPUT=FILE.png")};
    }
    if (drawn_output(wish, face) < face.outputs.size()) return {};
    const std::string name = wish.substr(0, wish.find('='));
    std::string known, words;
    for (const auto& output : face.outputs) {
        known += (known.empty() ? "" : ", ") + output.name;
        if (output.of_cell && output.of_cell->field == name) words += (words.empty() ? "" : ", ") + output.name;
    }
    if (!words.empty())
        return {placeless("K0904",
                          fmt::format("the cells of output '{}' have several words, a picture shows one", name),
                          "they are " + words)};
    return {
        placeless("K0904", fmt::format("the program has no output '{}' to draw", name), "its outputs are " + known)};
}

Diagnostics draw_picture(const std::string& wish, const runtime::ProgramInterface& face,
                         const runtime::Outputs& outputs) {
    if (wish.empty()) return {};
    const std::size_t drawn = drawn_output(wish, face);
    std::vector<runtime::PictureAxis> axes;
    for (const int axis : face.outputs.at(drawn).axes) axes.push_back({face.axes.at(static_cast<std::size_t>(axis))});
    const runtime::ShownArray shown(outputs.arrays().at(drawn));
    return runtime::write_slice_png(picture_file(wish), shown.array(), axes);
}

}  // namespace kasc::command
